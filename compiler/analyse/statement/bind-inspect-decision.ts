import { typeName } from '../../../language/values/type.ts';
import type { CommandBlock } from '../../../language/catalog/block.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { canCast } from '../../functions/cast.ts';
import { isText } from '../../functions/typing.ts';
import type { InspectDecision } from '../../syntax/ast.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';
import type { Binding } from '../query/binding.ts';
import { keptOrder } from '../query/kept-order.ts';
import { aggregateOfCommands, resolveRelation, type ResolvedRelation } from '../query/resolve-relation.ts';
import { emptyScope, type ScopeColumn } from '../query/scope.ts';
import type { BindScope, Bound, BoundInspectDecision, Registry } from '../environment/registry.ts';
import { hasMarkedLeaf } from '../sensitive/mark.ts';
import { callerBinding } from './bind-query.ts';
import { boundWith } from './bound.ts';
import { bindInspectChoice, chosenEntries, chosenRows, type InspectChoice } from './inspect-choice.ts';
import { reportMissing } from '../block/missing-arguments.ts';
import { checkInspectStore, checkSource, sessionTarget } from './inspect-names.ts';

/**
 * INSPECT DECISION (docs/language.md#inspections): the source read as commands. Columns map to fields by name when one bears the name of a
 * field, else by position. Values come in as stored; results are masked, as for an executed command.
 */
export function bindInspectDecision(
  registry: Registry,
  statement: InspectDecision,
  scope: BindScope,
): Bound<BoundInspectDecision> {
  return boundWith((report) => {
    const binding = callerBinding(registry, scope, report, { sensitivity: 'clear' });
    const { environment } = binding;
    const decision = environment.find('decision', statement.decision.text);
    if (decision.status !== 'found') reportUnknownBlock('decision', statement.decision, environment, report);
    checkInspectStore(statement.store, environment, report);
    const source = resolveRelation(statement.source, binding, emptyScope);
    if (!source.open) checkSource(statement.source, report);
    const target = sessionTarget(statement.target, report);
    if (decision.status !== 'found' || source.open || target === undefined) return undefined;
    const recorded = source.source.kind === 'session' ? aggregateOfCommands(source.source.table) : undefined;
    const isEach = statement.asOf?.unit === 'each';
    if (isEach !== (recorded !== undefined) || (isEach && recorded !== decision.block.aggregate)) {
      report(diagnose('E0913', statement.asOf?.span ?? statement.source.span, {}));
      return undefined;
    }
    const caller = callerBinding(registry, scope, report);
    const choice = bindInspectChoice(statement, source, caller);
    if (isEach) {
      const entries = chosenEntries(choice, decision.block.command, { source, statement, binding: caller });
      const each = entries === undefined ? 'all' : 'chosen';
      return { decision: decision.block.name, source: entries ?? noRows, fields: [], target, each };
    }
    const command = environment.find('command', decision.block.command);
    if (command.status !== 'found') return undefined;
    const pairs = mapColumns(command.block, source, statement, report);
    if (pairs === undefined) return undefined;
    checkPairs(pairs, command.block, statement, report);
    return {
      decision: decision.block.name,
      source: readColumns(pairs, source, choice, binding),
      fields: pairs.map((pair) => pair.field.name),
      target,
    };
  });
}

/** All recorded commands come from the log, not from a query. */
const noRows: BoundQuery = {
  columns: [],
  recursive: false,
  with: [],
  body: { kind: 'values', rows: [] },
  orderBy: [],
};

interface Pair {
  readonly field: CommandBlock['fields'][number];
  readonly column: ScopeColumn;
}

function mapColumns(
  command: CommandBlock,
  source: ResolvedRelation,
  statement: InspectDecision,
  report: Report,
): readonly Pair[] | undefined {
  const columns = source.columns.filter((column) => column.hidden !== true);
  const named = command.fields.flatMap((field): readonly Pair[] => {
    const column = source.columns.find((candidate) => candidate.name.toLowerCase() === field.name.toLowerCase());
    return column === undefined ? [] : [{ field, column }];
  });
  // A column is never read into a field of another name, which may be less secret, or the key.
  if (named.length > 0) {
    const given = new Set(named.map(({ field }) => field.name));
    return reportMissing(command, given, statement.source.span, report) ? undefined : named;
  }
  const missing = command.fields.find((field, index) => field.required && columns[index] === undefined);
  if (missing !== undefined) {
    const parameters = { decision: statement.decision.text, field: missing.name, columns: columns.length };
    report(diagnose('E0908', statement.source.span, parameters));
    return undefined;
  }
  return command.fields.flatMap((field, index): readonly Pair[] => {
    const column = columns[index];
    return column === undefined ? [] : [{ field, column }];
  });
}

/** Types that can never be read as the field's, and secrets that would become open values. */
function checkPairs(pairs: readonly Pair[], command: CommandBlock, statement: InspectDecision, report: Report): void {
  const { span } = statement.source;
  for (const { field, column } of pairs) {
    if (!canCast(column.type, field.type, 'assign') && !isText(column.type)) {
      const types = { type: typeName(field.type), given: typeName(column.type) };
      report(diagnose('E0907', span, { command: command.name, name: field.name, ...types }));
    }
    if ((column.sensitive || hasMarkedLeaf(column.type)) && !field.sensitive) {
      report(diagnose('E0701', span, { field: field.name, source: column.name }));
    }
  }
}

function readColumns(
  pairs: readonly Pair[],
  source: ResolvedRelation,
  choice: InspectChoice,
  binding: Binding,
): BoundQuery {
  const columns = pairs.map(({ column }) => column);
  const read = chosenRows(choice, source, columns);
  return {
    ...read,
    columns: read.columns.map((column, index) => ({ ...column, name: pairs[index]?.field.name ?? column.name })),
    orderBy: read.orderBy.length > 0 ? read.orderBy : keptOrder(read.body, binding.environment),
  };
}
