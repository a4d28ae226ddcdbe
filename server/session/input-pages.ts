import type { BoundInspectDecision, BoundQuery, SortKey, TypedExpression } from '../../compiler/index.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import type { Row } from '../../runtime/store/store.ts';
import { toJsonValue } from '../../language/values/json-value.ts';
import type { JsonObject } from '../../language/values/json.ts';
import type { Type } from '../../language/values/type.ts';
import type { StatementContext } from './context.ts';
import { placeQuery } from './place-query.ts';
import { stoppable } from './evaluate.ts';

const whole: Type = { kind: 'BIGINT' };
const boolean: Type = { kind: 'BOOLEAN' };
const pageRows = 500;

/** The source of an inspection as commands, page by page: `JsonObject`s, like arguments over HTTP. */
export async function* inputPages(
  context: StatementContext,
  inspect: BoundInspectDecision,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  for await (const { columns, rows } of sourcePages(context, inspect.source))
    yield rows.map((row) => commandOf(inspect, columns, row));
}

/** The rows of a query page by page, in order of their positions if they have any; these are then the last column. */
export async function* sourcePages(
  context: StatementContext,
  source: BoundQuery,
): AsyncGenerator<Table, void, undefined> {
  const paged = byPosition(context, source);
  const placed = await placeQuery(context, paged ?? source);
  const { engine } = placed.place;
  try {
    if (paged === undefined) {
      yield unmasked(await engine.query(placed.query, [], stoppable(context)));
      return;
    }
    for (let after = 0n; ;) {
      const { columns, rows } = unmasked(await engine.query(placed.query, [after], stoppable(context)));
      if (rows.length > 0) yield { columns, rows };
      if (rows.length < pageRows) return;
      after = rows.at(-1)?.at(-1) as bigint; // the last column is the position
    }
  } finally {
    await placed.done();
  }
}

function commandOf({ fields }: BoundInspectDecision, columns: readonly Column[], row: Row): JsonObject {
  return new Map(fields.map((field, index) => [field, toJsonValue(row[index] ?? null, typeAt(columns, index))]));
}

function typeAt(columns: readonly Column[], index: number): Type {
  const column = columns[index];
  if (column === undefined) throw new Error(`an inspection's source has no column ${index}`);
  return column.type;
}

/** The query of one page after a position, with the position as its last column; undefined if the rows have no position column of the system. */
function byPosition(context: StatementContext, query: BoundQuery): BoundQuery | undefined {
  const { body } = query;
  if (body.kind !== 'select' || body.from?.kind !== 'relation' || query.orderBy.length > 0 || query.limit !== undefined)
    return undefined;
  const { id, source } = body.from;
  if (source.kind === 'session' && !hasOwnPositions(context, source.table)) return undefined;
  if (source.kind !== 'session' && source.kind !== 'events') return undefined;
  const facts = { type: whole, nullable: false, sensitive: false } as const;
  const position: TypedExpression = { kind: 'column', relation: id, column: 'global_position', ...facts };
  const after: TypedExpression = { kind: 'argument', name: 'after', ...facts };
  const call = (name: string, ...given: readonly TypedExpression[]): TypedExpression => ({
    kind: 'call',
    function: name,
    arguments: given,
    type: boolean,
    nullable: given.some(({ nullable }) => nullable),
    sensitive: false,
  });
  const later = call('greater', position, after);
  const where = body.where === undefined ? later : call('and', later, body.where);
  const key: SortKey = { by: 'expression', expression: position, direction: 'ASC', nulls: 'LAST' };
  return {
    ...query,
    columns: [...query.columns, { name: 'global_position', ...facts }],
    body: { ...body, items: [...body.items, position], where },
    orderBy: [key],
    limit: { kind: 'literal', value: String(pageRows), ...facts },
  };
}

/** The rows of a table are numbered, unless a column has that name. */
function hasOwnPositions(context: StatementContext, name: string): boolean {
  const columns = context.tables.find(name)?.columns ?? [];
  return columns.every((column) => column.name.toLowerCase() !== 'global_position' || column.hidden === true);
}
