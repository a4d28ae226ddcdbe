/**
 * Finds the errors of a script over a registry without running it: each statement is checked against the blocks that
 * exist at its turn, as `test` and `run` do (docs/language.md#scripts). Values and outcomes are not known here.
 */
import { hasErrors } from '../language/diagnostics/has-errors.ts';
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import type { SourceFile } from '../language/source/source-file.ts';
import { mapInSteps, type Steps } from '../language/source/steps.ts';
import type { Span } from '../language/source/span.ts';
import { checkOutsideSession } from './analyse/check-statement.ts';
import { changeRegistry } from './analyse/incremental/change-registry.ts';
import { noHistory, type ChangeResult, type Registry, type RegistryChange } from './analyse/environment/registry.ts';
import { sessionTables } from './compile.ts';
import { isBlockStatement, type ApplyTemplate, type CreateTemplate, type Statement } from './syntax/ast.ts';
import { expandApplications, type ExpandedApplication } from './syntax/expand/expand-applications.ts';
import { parseInSteps } from './syntax/parse.ts';

export interface CheckedStatement {
  /** From its first token to its last, the `;` excluded. */
  readonly span: Span;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The statements of the script in order, each with its findings, in steps of one statement. Blocks of the script are in force behind their
 * statement only.
 */
export function* checkScriptInSteps(file: SourceFile, registry: Registry): Steps<readonly CheckedStatement[]> {
  const { statements } = yield* parseInSteps(file);
  const tables = sessionTables(statements.flatMap(({ statement }) => statement ?? []));
  let current = registry;
  return yield* mapInSteps(statements.entries(), ([index, { span, statement, diagnostics }]): CheckedStatement => {
    if (statement === undefined) return { span, diagnostics };
    const later = statements.slice(index + 1).flatMap((each) => each.statement ?? []);
    const change = changeOf(statement, current, later);
    if (change === undefined)
      return { span, diagnostics: [...diagnostics, ...checkOutsideSession(current, statement, tables)] };
    if (!hasErrors(change.diagnostics)) current = change.registry;
    return { span, diagnostics: [...diagnostics, ...change.diagnostics] };
  });
}

/** The registry behind a statement that changes it. */
function changeOf(
  statement: Statement,
  registry: Registry,
  later: readonly Statement[],
): Pick<ChangeResult, 'registry' | 'diagnostics'> | undefined {
  const change = (what: Partial<RegistryChange>): ChangeResult =>
    changeRegistry(registry, {
      put: [],
      drop: [],
      mode: 'script',
      forward: later.filter(isBlockStatement),
      history: noHistory,
      ...what,
    });
  if (isBlockStatement(statement)) return change({ put: [statement] });
  if (statement.kind === 'DropBlock')
    return change({ drop: [{ kind: statement.block, name: statement.name.text, span: statement.name.span }] });
  if (statement.kind !== 'ApplyTemplate') return undefined;
  const { statements, instances, diagnostics } = expanded(statement, registry);
  return hasErrors(diagnostics) ? { registry, diagnostics } : change({ put: statements, instances });
}

function expanded(statement: ApplyTemplate, registry: Registry): ExpandedApplication {
  const known = registry.catalog.blocks.template.map(({ name }) => name);
  const find = (name: string): CreateTemplate | undefined => {
    const tree = registry.tree('template', name);
    return tree?.kind === 'CreateTemplate' ? tree : undefined;
  };
  return expandApplications(statement, find, known);
}
