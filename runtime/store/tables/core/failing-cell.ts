/**
 * Finds the cell that a query failed at, so that a failure names the row and the column. Runs the query once more around functions that note how
 * far a row came: nothing is paid for it unless a query fails. A query that computes its rows before it gives them, such as one that groups, is
 * not looked into.
 */
import { Failure } from '../../../../language/failure/failure.ts';
import { sqliteCall } from '../../../../language/sqlite/call.ts';
import { seenCells } from '../../../../language/sqlite/seen-cells.ts';
import type { FailedCell } from '../../failed-cell.ts';
import type { Bound, Database, Statement } from './engine.ts';
import { isFatal } from './failed-reply.ts';
import type { RunnableQuery } from './query-runner.ts';

/** Milliseconds that a search may take in any case. */
const leastMilliseconds = 20;

/** `failure`: of the query, which ran for `milliseconds` before it; the search may take as long again. */
export function failingCell(
  database: Pick<Database, 'prepare'>,
  { sql, columns }: RunnableQuery,
  values: readonly Bound[],
  { failure, milliseconds }: { readonly failure: Failure; readonly milliseconds: number },
): FailedCell | undefined {
  const cells = columns.map((_, at) => sqliteCall('cellSeen', `c${at}`));
  const noted = [sqliteCall('rowBegins'), ...cells].join(', ');
  const deadline = performance.now() + Math.max(leastMilliseconds, milliseconds);
  seenCells.clear();
  let statement: Statement | undefined;
  try {
    statement = database.prepare(`SELECT ${noted} FROM (${withoutPage(sql)}) ORDER BY NULL`);
    statement.bind(values);
    for (let rows = 1; statement.step(); rows += 1)
      if (rows % 64 === 0 && performance.now() > deadline) return undefined;
    return undefined;
  } catch (error) {
    if (isFatal(error)) throw error;
    // Any other error is one of the search, such as columns with names of their own: the failure stays as it was.
    const before = seenCells.ofRow();
    const isSame = error instanceof Failure && error.code === failure.code && error.message === failure.message;
    return isSame && before !== undefined && before.length < columns.length ? { before } : undefined;
  } finally {
    statement?.free();
  }
}

/** Rows in the order in which they are computed: an ORDER BY of its own makes SQLite leave out that of the query, unless that has a LIMIT. */
function withoutPage(sql: string): string {
  return sql.replace(/ LIMIT [^()]+$/, '');
}
