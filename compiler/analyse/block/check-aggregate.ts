import { typeName, type Type } from '../../../language/values/type.ts';
import type { AggregateBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { AggregateField, CreateAggregate } from '../../syntax/ast.ts';
import type { BlockContext } from '../environment/environment.ts';
import type { LiteralValue } from '../literal/literal-value.ts';
import { checkDuplicates, checkSafeName } from '../name/name-rules.ts';
import { bounds, checkBounds } from '../query/check-bounds.ts';
import { eventColumns } from '../query/event-columns.ts';
import { resolveFieldType } from '../type/resolve-type.ts';
import { defaultValue } from './default-value.ts';
import { landedPayload } from './landed-payload.ts';
import { announcedClauses } from './row-clauses.ts';
import { stateQuery } from './state-query.ts';

/** Number of fields at most; the relations of an aggregate add columns to them. */
const mostFields = bounds.columns - 64;

/** A declared field of the state with its type resolved. */
export interface StateField {
  readonly node: AggregateField;
  readonly name: string;
  readonly type: Type;
  readonly default?: LiteralValue;
}

/**
 * AGGREGATE (docs/language.md#aggregate): the common payload of its events, and the query behind `$Agg`. Undefined, without a report, when
 * an event of the aggregate has errors: those are reported at the event.
 */
export function checkAggregate(tree: CreateAggregate, context: BlockContext): AggregateBlock | undefined {
  const { report, environment } = context;
  const name = tree.name.text;
  const fields = stateFields(tree, context);
  const landed = landedPayload(name, tree.name.span, environment, report);
  for (const field of tree.fields) if (field.fold !== undefined) checkBounds(field.fold, report);
  if (landed === undefined) return undefined;
  const widest = Math.max(landed.payload.length, fields.length);
  if (widest > mostFields)
    report(diagnose('E0622', tree.name.span, { what: 'fields in one aggregate', limit: mostFields }));
  const relation = { name, payload: landed.payload, columns: eventColumns(landed.payload) };
  const state = stateQuery(relation, fields, environment, report);
  const key = fields.find((field) => field.node.key);
  return {
    kind: 'aggregate',
    name,
    text: context.text,
    // Decisions name the events of an aggregate; the aggregate itself names only types and functions.
    references: context.references().filter((name) => name.startsWith('enum:') || name.startsWith('function:')),
    fields: fields.map((field) => ({
      name: field.name,
      type: field.type,
      key: field.node.key,
      ...(field.default === undefined ? {} : { default: field.default }),
    })),
    events: landed.events,
    payload: relation.payload,
    eventColumns: relation.columns,
    state,
    initial: fields.flatMap((field) =>
      field.default === undefined || field.default === null ? [] : [{ column: field.name, value: field.default }],
    ),
    ...(key === undefined ? {} : { keyField: key.name }),
    ...announcedClauses(tree),
  };
}

function stateFields(tree: CreateAggregate, context: BlockContext): readonly StateField[] {
  const { report } = context;
  const owner = `aggregate '${tree.name.text}'`;
  const kept = checkDuplicates(
    tree.fields.map((field) => field.name),
    owner,
    report,
  );
  const [, ...moreKeys] = tree.fields.filter((field) => field.key);
  for (const second of moreKeys) report(diagnose('E0402', second.name.span, { owner, name: second.name.text }));
  return tree.fields.flatMap((node, index): readonly StateField[] => {
    checkSafeName(node.name, 'a field', report);
    const name = node.name.text;
    if (name.toLowerCase() === 'aggregate_id' && !node.key) report(diagnose('E0422', node.name.span, { name }));
    const type = resolveFieldType(node, context);
    if (type === undefined || !kept.has(index)) return [];
    if (node.key) checkKey(node, type, report);
    const value = node.default === undefined ? undefined : defaultValue(node.default, type, name, context);
    return [{ node, name, type, ...(value === undefined ? {} : { default: value }) }];
  });
}

const keyTypes: ReadonlySet<Type['kind']> = new Set(['STRING', 'UUID', 'INT', 'BIGINT']);

function checkKey(node: AggregateField, type: Type, report: Report): void {
  const name = node.name.text;
  if (!keyTypes.has(type.kind)) report(diagnose('E0403', node.type.span, { name, type: typeName(type) }));
  if (node.default !== undefined) report(diagnose('E0408', node.default.span, { name, other: 'DEFAULT' }));
  if (node.fold !== undefined) report(diagnose('E0408', node.fold.span, { name, other: 'AS' }));
}
