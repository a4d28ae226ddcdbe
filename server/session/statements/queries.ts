import {
  bindTable,
  parseQuery,
  type BoundQuery,
  type CreateTable,
  type DropTable,
  type QueryStatement,
} from '../../../compiler/index.ts';
import { fail } from '../../../language/failure/failure.ts';
import { unmasked } from '../../../runtime/engine/unmasked.ts';
import { bind } from '../../operation/bind/bind.ts';
import { operator } from '../../operation/caller.ts';
import { shownTable } from '../../operation/shown.ts';
import type { StatementContext } from '../context.ts';
import type { StatementResult } from '../outcome.ts';
import { evaluateInside, evaluateQuery, stoppable, withBound } from '../evaluate.ts';
import { dropRecorded } from '../keep-inspection.ts';
import { thenOrNow } from '../as-of.ts';
import { clearedFor, placeQuery } from '../place-query.ts';
import { bindScope } from '../scope.ts';
import type { SessionTable } from '../tables.ts';

/** A SELECT on its own. */
export async function runQuery(context: StatementContext, statement: QueryStatement): Promise<StatementResult> {
  const bound = bind(context.reg.registry(), statement.query, bindScope(context));
  return withBound(context, bound, (query) =>
    thenOrNow(context, query, async (placed, asOf) => {
      const cleared = clearedFor(placed.context, placed.query);
      const table = shownTable(await evaluateQuery(placed.context, cleared, placed.instant), operator);
      return { kind: 'select', table, ...asOf };
    }),
  );
}

/** CREATE TABLE … AS VALUES / AS SELECT. */
export async function runCreateTable(context: StatementContext, statement: CreateTable): Promise<StatementResult> {
  const replaced = context.tables.find(statement.name.text) !== undefined;
  const bound = bindTable(context.reg.registry(), statement, bindScope(context));
  return withBound(context, bound, (query) =>
    thenOrNow(context, query, async (placed) => {
      await putRows(placed.context, statement.name.text, placed.query, placed.instant);
      return { kind: 'create', block: 'table', name: statement.name.text, change: replaced ? 'replaced' : 'created' };
    }),
  );
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

/** The number of rows of a relation of the session or the registry, by its name's parts. */
export async function countRows(context: StatementContext, names: readonly string[]): Promise<number> {
  const { rows } = await evaluateInside(context, queryOf(context, 'COUNT(*)', names));
  return Number(rows[0]?.[0] ?? 0);
}

/** A query over a relation of the session or the registry, by its name's parts. */
export function queryOf(context: StatementContext, items: 'COUNT(*)' | '*', names: readonly string[]): BoundQuery {
  const text = `SELECT ${items} FROM ${names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')}`;
  const parsed = parseQuery({ name: 'own', text });
  const query = parsed.outcome === 'query' ? parsed.query : undefined;
  const bound = query === undefined ? undefined : bind(context.reg.registry(), query, bindScope(context));
  if (bound?.value === undefined) throw new Error(`${text} does not compile`);
  return bound.value;
}

/** Makes a table from a query's rows, without holding them here if they come from the session's own store. */
export async function putRows(
  context: StatementContext,
  name: string,
  query: BoundQuery,
  instant?: bigint,
): Promise<SessionTable> {
  const placed = await placeQuery(context, query);
  try {
    if (placed.place === context.own)
      return await context.tables.putQuery(name, placed.query, stoppable(context, instant));
    const { columns, rows } = unmasked(await placed.place.engine.query(placed.query, [], stoppable(context, instant)));
    return await context.tables.put(name, columns, rows);
  } finally {
    await placed.done();
  }
}
