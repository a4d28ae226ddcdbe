/**
 * Finds the expression and the cell that a query failed at. Runs the query again, around functions that note how far a row came, with calls
 * that note their place in the text: nothing is paid for it unless a query fails. Of a query that computes its rows before it gives them, such as
 * one that groups, no cell is found.
 */
import { Failure } from '../../../../language/failure/failure.ts';
import { sqliteCall } from '../../../../language/sqlite/call.ts';
import { notedPlace, withNotes } from '../../../../language/sqlite/placed-calls.ts';
import { seenCells } from '../../../../language/sqlite/seen-cells.ts';
import type { FailedAt } from '../../query-failure.ts';
import type { Bound, Database, Statement } from './engine.ts';
import { isFatal } from './failed-reply.ts';
import type { RunnableQuery } from './query-runner.ts';

interface Search {
  readonly failure: Failure;
  /** Throws once the search has taken too long. */
  readonly mayGoOn: () => void;
  /** Steps of SQLite between two calls of it. */
  readonly steps: number;
}

export function findFailure(
  database: Pick<Database, 'prepare' | 'interrupting'>,
  { sql, columns }: RunnableQuery,
  values: readonly Bound[],
  { failure, mayGoOn, steps }: Search,
): FailedAt {
  const failsAgain = (text: string): boolean => {
    const error = failureOf(database, text, values, (run) => database.interrupting(mayGoOn, steps, run));
    return error instanceof Failure && error.code === failure.code && error.message === failure.message;
  };
  const noting = withNotes(sql);
  const cells = columns.map((_, at) => sqliteCall('cellSeen', `c${at}`));
  seenCells.clear();
  notedPlace.clear();
  // Rows in the order in which they are computed: an ORDER BY of its own makes SQLite leave out that of the query, unless that has a LIMIT.
  const byCell = `SELECT ${[sqliteCall('rowBegins'), ...cells].join(', ')} FROM (${withoutPage(noting)}) ORDER BY NULL`;
  const failsByCell = failsAgain(byCell);
  const before = failsByCell ? seenCells.ofRow() : undefined;
  const isFound = before !== undefined && before.length < columns.length;
  if (!failsByCell) notedPlace.clear();
  const place = failsByCell || (noting !== sql && failsAgain(noting)) ? notedPlace.get() : undefined;
  return { ...(isFound && { before }), ...(place !== undefined && { place }) };
}

/** The error that running the text ends with, if it does. */
function failureOf(
  database: Pick<Database, 'prepare'>,
  text: string,
  values: readonly Bound[],
  bounded: (run: () => void) => void,
): unknown {
  let statement: Statement | undefined;
  try {
    const made = (statement = database.prepare(text));
    made.bind(values);
    bounded(() => {
      while (made.step());
    });
    return undefined;
  } catch (error) {
    if (isFatal(error)) throw error;
    // Any other error than that of the query is one of the search, such as columns with names of their own.
    return error;
  } finally {
    statement?.free();
  }
}

function withoutPage(sql: string): string {
  return sql.replace(/ LIMIT [^()]+$/, '');
}
