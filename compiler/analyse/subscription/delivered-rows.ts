import type { Column } from '../../../language/contract/query.ts';
import { conjunction } from '../../../language/catalog/map-expression.ts';
import { deliveredFacts, rangeParameters } from '../../../language/contract/subscription.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundBody, BoundQuery, BoundSelect } from '../../../language/catalog/query.ts';
import type { Type } from '../../../language/values/type.ts';
import type { ScopeColumn } from '../query/scope.ts';

const text: Type = { kind: 'STRING' };
const number: Type = { kind: 'BIGINT' };
const known = { nullable: false, sensitive: false } as const;

/** The names that KEY may use: the columns of the rows, and `stream_id`, unless a column has that name. */
export function keyColumns({ columns }: BoundQuery): readonly ScopeColumn[] {
  const own = columns.some(({ name }) => name.toLowerCase() === 'stream_id');
  const streamId: ScopeColumn = { name: 'stream_id', source: '$stream_id', type: text, ...known };
  return own ? columns : [...columns, streamId];
}

/**
 * The rows of the events after one position and up to another, in order: the facts of each event, the key of the row as a text, and the row's
 * own columns. `key` names them as columns of relation `id`.
 */
export function deliveredRows(query: BoundQuery, key: TypedExpression, id: number): BoundQuery {
  const facts = deliveredFacts.map(({ name, type }): Column => ({ name: `$${name}`, type, ...known }));
  const inner: BoundQuery = {
    ...query,
    columns: [...facts, ...query.columns],
    body: withFacts(query.body),
    orderBy: [],
  };
  const keyText: TypedExpression = {
    kind: 'cast',
    operand: key,
    mode: 'explicit',
    type: text,
    nullable: key.nullable,
    sensitive: false,
  };
  const items = facts.map((fact) => columnOf(fact, id));
  return {
    columns: [...facts, { name: '$key', type: text, nullable: true, sensitive: false }, ...query.columns],
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items: [...items, keyText, ...query.columns.map((column) => columnOf(column, id))],
      from: { kind: 'derived', id, query: inner },
      groupBy: [],
      aggregated: false,
    },
    orderBy: items.slice(0, 1).map((expression) => ({ by: 'expression', expression, direction: 'ASC', nulls: 'LAST' })),
  };
}

/** Each term with the facts of its events, restricted to the range. */
function withFacts(body: BoundBody): BoundBody {
  if (body.kind === 'set') return { ...body, left: withFacts(body.left), right: withFacts(body.right) };
  if (body.kind !== 'select' || body.from?.kind !== 'relation') return body;
  const { id } = body.from;
  const facts = deliveredFacts.map(({ source, type }) => columnOf({ name: source, type, ...known }, id));
  const position = columnOf({ name: 'global_position', type: number, ...known }, id);
  const bounds = [
    call('greater', position, argument(rangeParameters.after)),
    call('less_equal', position, argument(rangeParameters.until)),
  ];
  const where = conjunction([...bounds, ...(body.where === undefined ? [] : [body.where])]);
  const select: BoundSelect = { ...body, items: [...facts, ...body.items] };
  return where === undefined ? select : { ...select, where };
}

function columnOf({ name, type, nullable, sensitive }: Column, relation: number): TypedExpression {
  return { kind: 'column', relation, column: name, type, nullable, sensitive };
}

function argument(name: string): TypedExpression {
  return { kind: 'argument', name, type: number, ...known };
}

function call(name: 'greater' | 'less_equal', left: TypedExpression, right: TypedExpression): TypedExpression {
  return { kind: 'call', function: name, arguments: [left, right], type: { kind: 'BOOLEAN' }, ...known };
}
