/**
 * The compiler as one function over its stages: text, trees, expanded trees, catalog. Takes source files, gives a catalog and
 * every diagnostic; touches no file and runs nothing. The pipeline stops between stages, never inside one.
 */
import { changeRegistry } from './analyse/incremental/change-registry.ts';
import { checkStatement } from './analyse/check-statement.ts';
import { emptyRegistry } from './analyse/incremental/open-registry.ts';
import { noHistory, type Registry, type StoredHistory } from './analyse/incremental/registry.ts';
import type { Catalog } from '../language/catalog/catalog.ts';
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import { hasErrors } from '../language/diagnostics/has-errors.ts';
import { sortedDiagnostics } from '../language/diagnostics/sort.ts';
import type { SourceFile } from '../language/source/source-file.ts';
import type { Span } from '../language/source/span.ts';
import {
  isBlockStatement,
  type ApplyTemplate,
  type BlockStatement,
  type CreateTemplate,
  type Statement,
} from './syntax/ast.ts';
import { expandApplications, type TemplateInstance } from './syntax/expand/expand-applications.ts';
import { allLost, type LostBlocks } from './syntax/grammar/lost-blocks.ts';
import { parseScript } from './syntax/parse.ts';
import { createChangeParser } from './syntax/parse-changes.ts';

export interface CompileResult {
  /** Empty when there are errors. */
  readonly catalog: Catalog;
  readonly registry: Registry;
  /** At most 100 errors, in source order. */
  readonly diagnostics: readonly Diagnostic[];
}

/** All files as one compilation: `check`, `build` and `dev` (docs/language.md#blocks). */
export function compileFiles(sources: readonly SourceFile[], history: StoredHistory = noHistory): CompileResult {
  const parsed = sources.map((source) => parseScript(source));
  const statements = parsed.flatMap((script) => script.statements.flatMap(({ statement }) => statement ?? []));
  const faults = parsed.flatMap((script) => script.diagnostics);
  const lost = allLost(parsed.flatMap((script) => script.statements.flatMap((statement) => statement.lost ?? [])));
  const { registry, diagnostics } = compileStatements(statements, emptyRegistry, history, { faults, lost });
  return { catalog: registry.catalog, registry, diagnostics: sortedDiagnostics(diagnostics, sources) };
}

/** Compiles mostly unchanged files repeatedly. */
export interface CompileSession {
  /** The result of `compileFiles`; unchanged blocks are the same objects as the last time. */
  readonly compile: (sources: readonly SourceFile[], history?: StoredHistory) => CompileResult;
}

/** For a process that watches: parses and checks only the differences from the last texts that compiled. */
export function createCompileSession(): CompileSession {
  const parser = createChangeParser();
  let last = emptyRegistry;
  return {
    compile: (sources, history = noHistory) => {
      const statements = parser.parse(sources);
      const result = statements === undefined ? undefined : compileStatements(statements, last, history);
      // Errors are reported in the same way as by `compileFiles`.
      if (result === undefined || hasErrors(result.diagnostics)) return compileFiles(sources, history);
      last = result.registry;
      const diagnostics = result.diagnostics.map((diagnostic) => placedDiagnostic(diagnostic, parser.currentSpan));
      return { catalog: last.catalog, registry: last, diagnostics: sortedDiagnostics(diagnostics, sources) };
    },
  };
}

/** Errors that are known before anything is checked. */
interface Broken {
  readonly faults: readonly Diagnostic[];
  readonly lost: LostBlocks;
}

const nothingBroken: Broken = { faults: [], lost: allLost([]) };

/** Checks against the results in `before` for the same trees. With errors, the empty registry. */
function compileStatements(
  statements: readonly Statement[],
  before: Registry,
  history: StoredHistory,
  { faults, lost }: Broken = nothingBroken,
): { readonly registry: Registry; readonly diagnostics: readonly Diagnostic[] } {
  const expanded = expand(statements, lost);
  const change = changeRegistry(before, {
    put: expanded.blocks,
    drop: [],
    mode: 'files',
    forward: [],
    history,
    instances: expanded.instances,
    lost: expanded.lost,
  });
  const diagnostics = [...faults, ...expanded.diagnostics, ...change.diagnostics];
  if (hasErrors(diagnostics)) return { registry: emptyRegistry, diagnostics };
  const others = statements.filter((statement) => !isBlockStatement(statement) && statement.kind !== 'ApplyTemplate');
  const tables = sessionTables(others);
  const checked = others.flatMap((statement) => checkStatement(change.registry, statement, tables));
  return { registry: change.registry, diagnostics: [...diagnostics, ...checked] };
}

/** Names, in lower case, of the tables that a script creates while it runs: their content is not known here. */
function sessionTables(statements: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of statements) {
    if (statement.kind === 'CreateTable') names.add(statement.name.text.toLowerCase());
    if (statement.kind !== 'InspectDecision' && statement.kind !== 'InspectProjection') continue;
    const target = statement.target.name.text.toLowerCase();
    names.add(target).add(`${target}__branches`);
  }
  return names;
}

/** Blocks in the order of the text, each APPLY replaced by its expansion. */
function expand(
  statements: readonly Statement[],
  lost: LostBlocks,
): {
  readonly blocks: readonly BlockStatement[];
  readonly instances: readonly TemplateInstance[];
  readonly diagnostics: readonly Diagnostic[];
  readonly lost: LostBlocks;
} {
  const templates = new Map<string, CreateTemplate>();
  for (const statement of statements)
    if (statement.kind === 'CreateTemplate' && (statement.orReplace || !templates.has(statement.name.text)))
      templates.set(statement.name.text, statement);
  const broken = new Set(lost.named.flatMap(({ kind, name }) => (kind === 'template' ? [name] : [])));
  const find = (name: string): CreateTemplate | 'broken' | undefined =>
    templates.get(name) ?? (broken.has(name) ? 'broken' : undefined);
  let others = lost.others;
  const diagnostics: Diagnostic[] = [];
  const instances: TemplateInstance[] = [];
  const applied = (statement: ApplyTemplate): readonly BlockStatement[] => {
    const expansion = expandApplications(statement, find, templates.keys());
    diagnostics.push(...expansion.diagnostics);
    instances.push(...expansion.instances);
    others ||= !expansion.whole;
    return expansion.statements.filter(isBlockStatement);
  };
  const blocks = statements.flatMap((statement): readonly BlockStatement[] => {
    if (isBlockStatement(statement)) return [statement];
    return statement.kind === 'ApplyTemplate' ? applied(statement) : [];
  });
  return { blocks, instances, diagnostics, lost: { ...lost, others } };
}

function placedDiagnostic(diagnostic: Diagnostic, placed: (span: Span) => Span): Diagnostic {
  const { span, related, fix } = diagnostic;
  return {
    ...diagnostic,
    span: placed(span),
    related: related.map((each) => ({ ...each, span: placed(each.span) })),
    ...(fix === undefined ? {} : { fix: { ...fix, span: placed(fix.span) } }),
  };
}
