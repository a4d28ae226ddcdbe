import {
  bindQuery,
  bindTable,
  parseQuery,
  type BoundQuery,
  type Bound,
  type CreateTable,
  type DropTable,
  type QueryStatement,
} from '../../../compiler/index.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { fail } from '../../../language/failure/failure.ts';
import type { QueryOptions } from '../../../runtime/store/store.ts';
import type { StatementContext } from '../context.ts';
import type { StatementResult } from '../outcome.ts';
import { errorOf } from '../problems.ts';
import { dropRecorded } from '../keep-inspection.ts';
import { placeQuery } from '../place-query.ts';
import { bindScope } from '../scope.ts';
import type { SessionTable } from '../tables.ts';

/** A SELECT on its own. */
export async function runQuery(context: StatementContext, statement: QueryStatement): Promise<StatementResult> {
  await context.live.adopt();
  const bound = bindQuery(context.reg.registry, statement.query, bindScope(context));
  return withBound(context, bound, async (query) => ({
    kind: 'select',
    table: await evaluateQuery(context, query, false),
  }));
}

/** CREATE TABLE … AS VALUES / AS SELECT. */
export async function runCreateTable(context: StatementContext, statement: CreateTable): Promise<StatementResult> {
  await context.live.adopt();
  const replaced = context.tables.find(statement.name.text) !== undefined;
  const bound = bindTable(context.reg.registry, statement, bindScope(context));
  return withBound(context, bound, async (query) => {
    await putRows(context, statement.name.text, query);
    return { kind: 'create', block: 'table', name: statement.name.text, change: replaced ? 'replaced' : 'created' };
  });
}

/** DROP TABLE; a table recorded by an inspection is removed from the store too (docs/language.md#session-tables). */
export async function runDropTable(context: StatementContext, statement: DropTable): Promise<StatementResult> {
  const table = context.tables.find(statement.name.text);
  if (table === undefined)
    throw fail('R0106', {
      kind: 'table',
      name: statement.name.text,
      known: context.tables.all().map(({ name }) => name),
    });
  if (table.recorded) await dropRecorded(context, table.name);
  await context.tables.drop(table.name);
  return { kind: 'drop', block: 'table', name: statement.name.text };
}

/** Reports the diagnostics of binding, and continues with its value if it is complete. */
export async function withBound<T>(
  context: StatementContext,
  bound: Bound<T>,
  next: (value: T) => Promise<StatementResult>,
): Promise<StatementResult> {
  for (const diagnostic of bound.diagnostics) if (diagnostic.severity !== 'error') context.warn(diagnostic);
  return bound.value === undefined ? errorOf(bound.diagnostics) : next(bound.value);
}

/** Runs a bound query on the durable state; `cleared` only for rows that stay inside (they keep their columns' marks). */
export async function evaluateQuery(context: StatementContext, query: BoundQuery, cleared: boolean): Promise<Table> {
  const placed = await placeQuery(context, query);
  try {
    return await placed.place.engine.query(placed.query, [], { cleared, ...stoppable(context) });
  } finally {
    await placed.done();
  }
}

/** A query that ends with its statement. */
export function stoppable({ signal }: StatementContext): QueryOptions {
  return signal === undefined ? {} : { signal };
}

/** The number of rows of a relation of the session or the registry, by its name's parts. */
export async function countRows(context: StatementContext, names: readonly string[]): Promise<number> {
  const { rows } = await evaluateQuery(context, queryOf(context, 'COUNT(*)', names), true);
  return Number(rows[0]?.[0] ?? 0);
}

/** A query over a relation of the session or the registry, by its name's parts. */
export function queryOf(context: StatementContext, items: 'COUNT(*)' | '*', names: readonly string[]): BoundQuery {
  const text = `SELECT ${items} FROM ${names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')}`;
  const parsed = parseQuery({ name: 'own', text });
  const query = parsed.outcome === 'query' ? parsed.query : undefined;
  const bound = query === undefined ? undefined : bindQuery(context.reg.registry, query, bindScope(context));
  if (bound?.value === undefined) throw new Error(`${text} does not compile`);
  return bound.value;
}

/** Makes a table from a query's rows, without holding them here if they come from the session's own store. */
export async function putRows(context: StatementContext, name: string, query: BoundQuery): Promise<SessionTable> {
  const placed = await placeQuery(context, query);
  try {
    if (placed.place === context.own) return await context.tables.putQuery(name, placed.query, stoppable(context));
    const { columns, rows } = await placed.place.engine.query(placed.query, [], {
      cleared: true,
      ...stoppable(context),
    });
    return await context.tables.put(name, columns, rows);
  } finally {
    await placed.done();
  }
}
