/**
 * One compilation: the files of a configuration with the open texts in their place, or one text alone. Takes texts, gives what the compiler
 * says of them; knows nothing of the protocol. Scripts are checked on top of the blocks of the files, as `schemac test` runs them.
 */
import { checkScript } from '../../compiler/check-script.ts';
import {
  createPartialCompiler,
  hasErrors,
  type Diagnostic,
  type PartialResult,
  type SourceFile,
} from '../../compiler/index.ts';
import { sortedDiagnostics } from '../../language/diagnostics/sort.ts';
import { unexpectedDiagnostics } from './expected-errors.ts';
import { createFilesOnDisk, isBelow, type ProjectPaths } from './project-files.ts';

export interface Project {
  /** Whether the file is compiled with the others, or is a script on top of them. */
  readonly has: (name: string) => boolean;
  /** The texts as they are now, compiled; from memory if nothing has changed. */
  readonly compiled: () => Compiled;
  /** The last result, which may be of earlier texts; compiles only if there is none. */
  readonly latest: () => Compiled;
  /** What names in the files and in these scripts refer to. */
  readonly symbols: () => PartialResult['symbols'];
  /** All diagnostics of `check` for the files, and those of the scripts. */
  readonly diagnostics: () => readonly Diagnostic[];
  /** The files and scripts that the diagnostics are about. */
  readonly files: () => readonly SourceFile[];
  /** Files on disk may differ from what was read. */
  readonly diskChanged: () => void;
  /** Open texts differ from what was compiled. */
  readonly textChanged: () => void;
}

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
    forgetDisk: () => (onDisk = undefined),
  });
}

/** The project of one text that belongs to no configuration. */
export function createLoneProject(name: string, open: OpenTexts): Project {
  return assemble({
    has: (other) => other === name,
    sources: () => [open.get(name) ?? []].flat(),
    scripts: () => [],
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

interface Parts extends Pick<Project, 'has'> {
  readonly sources: () => readonly SourceFile[];
  readonly scripts: () => readonly SourceFile[];
  readonly forgetDisk: () => void;
}

function assemble({ has, sources, scripts, forgetDisk }: Parts): Project {
  let compiler = createPartialCompiler(Infinity);
  let withScripts = createPartialCompiler(0);
  let current: Compiled | undefined;
  let last: Compiled | undefined;
  let named: PartialResult['symbols'] | undefined;
  let found: readonly Diagnostic[] | undefined;

  const compiled = (): Compiled => (current ??= last = compileNow());
  const compileNow = (): Compiled => {
    const texts = sources();
    try {
      return { sources: texts, result: compiler.compile(texts) };
    } catch (error) {
      compiler = createPartialCompiler(Infinity); // its memory may be of half a change
      throw error;
    }
  };
  const forget = (): void => {
    current = undefined;
    named = undefined;
    found = undefined;
  };
  return {
    has,
    compiled,
    latest: () => last ?? compiled(),
    symbols: () => {
      if (named !== undefined) return named;
      const tests = scripts();
      if (tests.length === 0) return (named = compiled().result.symbols);
      try {
        return (named = withScripts.compile([...compiled().sources, ...tests]).symbols);
      } catch (error) {
        withScripts = createPartialCompiler(0);
        throw error;
      }
    },
    diagnostics: () => (found ??= allDiagnostics(compiled(), scripts())),
    files: () => [...sources(), ...scripts()],
    diskChanged: () => {
      forgetDisk();
      forget();
    },
    textChanged: forget,
  };
}

function allDiagnostics({ sources, result }: Compiled, scripts: readonly SourceFile[]): readonly Diagnostic[] {
  const { diagnostics, registry } = result;
  const failed = hasErrors(diagnostics);
  const ofFiles = failed
    ? diagnostics
    : sortedDiagnostics([...diagnostics, ...result.crossChecks()], sources, Infinity);
  // Without its schema a script is not run either; then only its own text is checked.
  const isOfText = ({ code }: Diagnostic): boolean => code.startsWith('E01');
  const ofScripts = scripts.flatMap((script) => unexpectedDiagnostics(script, checkScript(script, registry)));
  return [...ofFiles, ...(failed ? ofScripts.filter(isOfText) : ofScripts)];
}
