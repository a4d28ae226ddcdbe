/**
 * The compiler as one function over its stages: text, trees, expanded trees, catalog. Takes source files, gives a catalog and
 * every diagnostic; touches no file and runs nothing. The pipeline stops between stages, never inside one.
 */
import { changeRegistry } from './analyse/incremental/change-registry.ts';
import { checkStatement } from './analyse/check-statement.ts';
import { emptyRegistry } from './analyse/incremental/open-registry.ts';
import { noHistory, type Registry, type StoredHistory } from './analyse/environment/registry.ts';
import type { Catalog } from '../language/catalog/catalog.ts';
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import { hasErrors } from '../language/diagnostics/has-errors.ts';
import { placedDiagnostic } from '../language/diagnostics/placed.ts';
import { sortedDiagnostics, usualErrors } from '../language/diagnostics/sort.ts';
import type { SourceFile } from '../language/source/source-file.ts';
import { atOnce } from '../language/source/steps.ts';
import { isBlockStatement, isInspect, type Statement } from './syntax/ast.ts';
import { expandStatements } from './syntax/expand/expand-statements.ts';
import { headerHints } from './syntax/file-header.ts';
import { allLost, type LostBlocks } from './syntax/grammar/lost-blocks.ts';
import { parseScript } from './syntax/parse.ts';
import { createChangeParser } from './syntax/parse-changes.ts';

export interface CompileResult {
  /** Empty when there are errors. */
  readonly catalog: Catalog;
  readonly registry: Registry;
  /** In source order; at most 100 errors, unless asked for more. */
  readonly diagnostics: readonly Diagnostic[];
}

/** All files as one compilation: `check`, `build` and `dev` (docs/language.md#blocks). */
export function compileFiles(
  sources: readonly SourceFile[],
  history: StoredHistory = noHistory,
  mostErrors = usualErrors,
): CompileResult {
  const parsed = sources.map((source) => parseScript(source));
  const statements = parsed.flatMap((script) => script.statements.flatMap(({ statement }) => statement ?? []));
  const faults = parsed.flatMap((script) => [...script.diagnostics, ...headerHints(script.statements)]);
  const lost = allLost(parsed.flatMap((script) => script.statements.flatMap((statement) => statement.lost ?? [])));
  const { registry, diagnostics } = compileStatements(statements, emptyRegistry, history, { faults, lost, mostErrors });
  return { catalog: registry.catalog, registry, diagnostics: sortedDiagnostics(diagnostics, sources, mostErrors) };
}

/** Compiles mostly unchanged files repeatedly. */
export interface IncrementalCompiler {
  /** The result of `compileFiles`; unchanged blocks are the same objects as the last time. */
  readonly compile: (sources: readonly SourceFile[], history?: StoredHistory) => CompileResult;
}

/** For a process that watches: parses and checks only the differences from the last texts that compiled. */
export function createIncrementalCompiler(): IncrementalCompiler {
  const parser = createChangeParser();
  let last = emptyRegistry;
  return {
    compile: (sources, history = noHistory) => {
      const parsed = atOnce(parser.parse(sources));
      const isWhole = parsed !== undefined && !hasErrors(parsed.diagnostics);
      const result = isWhole ? compileStatements(parsed.statements, last, history) : undefined;
      // Errors are reported in the same way as by `compileFiles`.
      if (!isWhole || result === undefined || hasErrors(result.diagnostics)) return compileFiles(sources, history);
      last = result.registry;
      const found = [...parsed.diagnostics, ...result.diagnostics];
      const diagnostics = found.map((diagnostic) => placedDiagnostic(diagnostic, parsed.placed));
      return { catalog: last.catalog, registry: last, diagnostics: sortedDiagnostics(diagnostics, sources) };
    },
  };
}

/** Errors that are known before anything is checked. */
interface Broken {
  readonly faults: readonly Diagnostic[];
  readonly lost: LostBlocks;
  readonly mostErrors: number;
}

const nothingBroken: Broken = { faults: [], lost: allLost([]), mostErrors: usualErrors };

/** Checks against the results in `before` for the same trees. With errors, the empty registry. */
function compileStatements(
  statements: readonly Statement[],
  before: Registry,
  history: StoredHistory,
  { faults, lost, mostErrors }: Broken = nothingBroken,
): { readonly registry: Registry; readonly diagnostics: readonly Diagnostic[] } {
  const expanded = expandStatements(statements, lost);
  const change = changeRegistry(before, {
    put: expanded.blocks,
    drop: [],
    mode: 'files',
    forward: [],
    history,
    instances: expanded.instances,
    lost: expanded.lost,
    mostErrors,
  });
  const diagnostics = [...faults, ...expanded.diagnostics, ...change.diagnostics];
  if (hasErrors(diagnostics)) return { registry: emptyRegistry, diagnostics };
  return { registry: change.registry, diagnostics: [...diagnostics, ...checkOthers(statements, change.registry)] };
}

/** Diagnostics of the statements that create no block, against a registry that compiles. */
export function checkOthers(statements: readonly Statement[], registry: Registry): readonly Diagnostic[] {
  const others = statements.filter((statement) => !isBlockStatement(statement) && statement.kind !== 'ApplyTemplate');
  const tables = sessionTables(others);
  return others.flatMap((statement) => checkStatement(registry, statement, tables));
}

/** Names, in lower case, of the tables that a script creates while it runs: their content is not known here. */
export function sessionTables(statements: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of statements) {
    if (statement.kind === 'CreateTable') names.add(statement.name.text.toLowerCase());
    if (!isInspect(statement)) continue;
    const target = statement.target.name.text.toLowerCase();
    names.add(target).add(`${target}__branches`);
  }
  return names;
}
