/**
 * A compilation: the files of a configuration with the open texts in their place, or one text alone. Takes texts, gives the findings of the
 * compiler; knows nothing of the protocol. Scripts are checked on top of the blocks of the files, as `schemac test` runs them.
 */
import { type CheckedStatement, checkScriptInSteps } from '../../compiler/check-script.ts';
import { knownBlocks } from '../../compiler/editor/known-blocks.ts';
import type { Edit } from '../../compiler/editor/rename.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import {
  createPartialCompiler,
  type Diagnostic,
  hasErrors,
  type PartialResult,
  type SourceFile,
} from '../../compiler/index.ts';
import { sortedDiagnostics } from '../../language/diagnostics/sort.ts';
import type { Steps } from '../../language/source/steps.ts';
import { expectationUses } from './expectation-uses.ts';
import { keep } from './kept.ts';
import { createFilesOnDisk, isBelow, realPathOf, type ProjectPaths } from './project-files.ts';
import { placeOf } from '../../language/source/source-file.ts';
import { readExpectations } from '../expectations/expectation.ts';

export interface Project {
  /** Whether the file is compiled with the others, or is a script on top of them. */
  readonly has: (name: string) => boolean;
  /** Makes in steps what `compiled`, `namesIn` this text, `symbols` or `diagnostics` then give at once. Ends early when a text changes. */
  readonly making: (what: Made, name?: string) => Steps<void>;
  /** The texts as they are now, compiled; from memory if nothing has changed. */
  readonly compiled: () => Compiled;
  /** The first error that the texts would have with these edits, and do not have now. Their spans do not overlap. */
  readonly problemWith: (edits: readonly Edit[]) => string | undefined;
  /** The blocks to offer: also the last form of those that have errors at the moment. Compiles only if nothing is compiled yet. */
  readonly known: () => Catalog;
  /** Targets of the names in one text; the uses in scripts are not all known, unless it is a script. */
  readonly namesIn: (name: string) => PartialResult['symbols'];
  /** Targets of the names in the files and in these scripts. */
  readonly symbols: () => PartialResult['symbols'];
  /** All diagnostics of `check` for the files, and those of the scripts. */
  readonly diagnostics: () => readonly Diagnostic[];
  /** Whether that is known without any work. */
  readonly hasDiagnostics: () => boolean;
  /** Counts the changes of its texts. */
  readonly revision: () => number;
  /** The directory of the log that the configuration names. */
  readonly data: () => string | undefined;
  /** The texts that are checked on top of the files. */
  readonly scripts: () => readonly SourceFile[];
  /** The folders and files of scripts, as the configuration names them. */
  readonly tests: () => readonly string[];
  /** Files on disk that cannot be read, and why; an open text counts instead of its file. */
  readonly unread: () => readonly { readonly name: string; readonly message: string }[];
  /** The files and scripts that the diagnostics are about. */
  readonly files: () => readonly SourceFile[];
  /** Files on disk may differ from what was read. */
  readonly diskChanged: () => void;
  /** Open texts differ from what was compiled. */
  readonly textChanged: () => void;
}

/** The part of a compilation that a question needs. */
export type Made = 'compiled' | 'names' | 'symbols' | 'diagnostics';

export interface Compiled {
  readonly sources: readonly SourceFile[];
  readonly result: PartialResult;
}

/** The open texts by name: a real path, or the URI of a text that was never saved. */
export type OpenTexts = ReadonlyMap<string, SourceFile>;

/** The project of a configuration file. */
export function createProject(paths: ProjectPaths, open: OpenTexts, mine: (name: string) => boolean): Project {
  const disk = createFilesOnDisk();
  let onDisk: { readonly sources: readonly SourceFile[]; readonly tests: readonly SourceFile[] } | undefined;
  const read = (): NonNullable<typeof onDisk> =>
    (onDisk ??= { sources: disk.read(paths.schema), tests: disk.read(paths.tests) });
  const isSource = (name: string): boolean => isBelow(name, paths.schema);
  return assemble({
    has: (name) => paths.schema.length > 0 && (isSource(name) || mine(name)),
    sources: () => withOpen(read().sources, open, isSource),
    scripts: () => withOpen(read().tests, open, mine).filter(({ name }) => !isSource(name)),
    tests: () => paths.tests.map(realPathOf),
    data: () => paths.data,
    unread: () =>
      Array.from(disk.problems, ([name, message]) => ({ name, message })).filter(({ name }) => !open.has(name)),
    forgetDisk: () => (onDisk = undefined),
  });
}

/** The project of one text that belongs to no configuration. */
export function createLoneProject(name: string, open: OpenTexts): Project {
  return assemble({
    has: (other) => other === name,
    sources: () => [open.get(name) ?? []].flat(),
    scripts: () => [],
    tests: () => [],
    data: () => undefined,
    unread: () => [],
    forgetDisk: () => undefined,
  });
}

/** The files in their order, each as it is open; open ones that are not saved yet come last. */
function withOpen(
  files: readonly SourceFile[],
  open: OpenTexts,
  belongs: (name: string) => boolean,
): readonly SourceFile[] {
  const names = new Set(files.map(({ name }) => name));
  const unsaved = Array.from(open.values()).filter(({ name }) => !names.has(name) && belongs(name));
  return [...files.map((file) => open.get(file.name) ?? file), ...unsaved];
}

interface Parts extends Pick<Project, 'has' | 'tests' | 'data' | 'unread'> {
  readonly sources: () => readonly SourceFile[];
  readonly scripts: () => readonly SourceFile[];
  readonly forgetDisk: () => void;
}

function assemble({ has, tests, data, unread, sources, scripts, forgetDisk }: Parts): Project {
  let compiler = createPartialCompiler(Infinity);
  let withScripts = createPartialCompiler(0);
  let revision = 0;
  let known: Catalog | undefined;

  const compiled = keep(function* (): Steps<Compiled> {
    const texts = sources();
    try {
      const result = yield* compiler.compileInSteps(texts);
      const { catalog, diagnostics } = result;
      known = known === undefined || !hasErrors(diagnostics) ? catalog : knownBlocks(known, catalog, texts);
      return { sources: texts, result };
    } catch (error) {
      compiler = createPartialCompiler(Infinity); // its memory may be of half a change
      throw error;
    }
  });
  const symbols = keep(function* (): Steps<PartialResult['symbols']> {
    yield* compiled.making();
    const tests = scripts();
    if (tests.length === 0) return collected(compiled.get().result.symbols);
    try {
      const found = yield* withScripts.compileInSteps([...compiled.get().sources, ...tests]);
      return collected(found.symbols.withUses(tests.flatMap((script) => expectationUses(script, found.registry))));
    } catch (error) {
      withScripts = createPartialCompiler(0);
      throw error;
    }
  });
  const diagnostics = keep(function* (): Steps<readonly Diagnostic[]> {
    yield* compiled.making();
    return yield* allDiagnostics(compiled.get(), scripts());
  });
  const isScript = (name: string | undefined): boolean => scripts().some((script) => script.name === name);
  const made = { compiled, symbols, diagnostics } as const satisfies Record<Exclude<Made, 'names'>, unknown>;
  const forget = (): void => {
    revision++;
    for (const each of Object.values(made)) each.forget();
  };
  return {
    has,
    tests,
    data,
    unread,
    scripts,
    revision: () => revision,
    making: (what, name) => (what === 'names' ? (isScript(name) ? symbols : compiled) : made[what]).making(),
    compiled: compiled.get,
    known: () => known ?? compiled.get().result.catalog,
    problemWith: (edits) => {
      const { sources: texts, result } = compiled.get();
      const before = new Set(result.diagnostics.map(({ code, message }) => `${code} ${message}`));
      const after = compiler.compile(texts.map((file) => edited(file, edits)));
      compiler.compile(texts); // the next change differs from these texts
      const found = hasErrors(after.diagnostics) ? after.diagnostics : [];
      return found.find(({ severity, code, message }) => severity === 'error' && !before.has(`${code} ${message}`))
        ?.message;
    },
    namesIn: (name) => (isScript(name) ? symbols.get() : compiled.get().result.symbols),
    symbols: symbols.get,
    diagnostics: diagnostics.get,
    hasDiagnostics: () => diagnostics.made() !== undefined,
    files: () => [...sources(), ...scripts()],
    diskChanged: () => {
      forgetDisk();
      forget();
    },
    textChanged: forget,
  };
}

/** Collects the names now, so that the first question does not wait for it. */
function collected(symbols: PartialResult['symbols']): PartialResult['symbols'] {
  symbols.collect();
  return symbols;
}

function edited(file: SourceFile, edits: readonly Edit[]): SourceFile {
  const own = edits.filter(({ span }) => span.file.name === file.name).sort((a, b) => b.span.start - a.span.start);
  if (own.length === 0) return file;
  const text = own.reduce(
    (before, { span, text: made }) => before.slice(0, span.start) + made + before.slice(span.end),
    file.text,
  );
  return { name: file.name, text };
}

function* allDiagnostics({ sources, result }: Compiled, scripts: readonly SourceFile[]): Steps<readonly Diagnostic[]> {
  const { diagnostics, registry } = result;
  const failed = hasErrors(diagnostics);
  const ofFiles = failed
    ? diagnostics
    : sortedDiagnostics([...diagnostics, ...(yield* result.crossChecks())], sources, Infinity);
  // Without its schema a script is not run either; then only its own text is checked.
  const isOfText = ({ code }: Diagnostic): boolean => code.startsWith('E01');
  const ofScripts: Diagnostic[] = [];
  for (const script of scripts)
    ofScripts.push(...unexpectedDiagnostics(script, yield* checkScriptInSteps(script, registry)));
  return [...ofFiles, ...(failed ? ofScripts.filter(isOfText) : ofScripts)];
}

/** The diagnostics of a script without those that it expects: a statement with `--= error` must fail. */
function unexpectedDiagnostics(file: SourceFile, statements: readonly CheckedStatement[]): readonly Diagnostic[] {
  const starts = statements.map(({ span }) => placeOf(file, span.start).line);
  const refused = new Set<number>();
  for (const { line, word } of readExpectations(file.text))
    if (word === 'error') refused.add(starts.findLastIndex((start) => start <= line));
  return statements.flatMap(({ diagnostics }, index) => (refused.has(index) ? [] : diagnostics));
}
