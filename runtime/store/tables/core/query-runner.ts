/** Runs compiled queries on the read model: read-only, prepared once, decoded by the columns' types, within limits. */
import type { ColumnBatch } from '../../../../language/contract/column-bytes.ts';
import type { ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import { withShared } from './shared-views.ts';
import type { Column, CompiledQuery } from '../../../../language/contract/query.ts';
import { fail, Failure } from '../../../../language/failure/failure.ts';
import type { SqliteQuery } from '../../../../language/sqlite/query.ts';
import { fromSqlite, toSqlite } from '../../../../language/sqlite/value.ts';
import type { Type, Value } from '../../../../language/values/type.ts';
import { rowBytes } from '../../../../language/values/value-bytes.ts';
import { GivenBack, type QueryLimits, type Row } from '../../query.ts';
import { QueryFailure } from '../../query-failure.ts';
import { createBatchCollector } from './batch-collector.ts';
import type { Bound, Database, Statement } from './engine.ts';
import { findFailure } from './find-failure.ts';

/** The parts of a compiled query needed to run it. */
export interface RunnableQuery extends SqliteQuery {
  readonly parameters: readonly { readonly type: Type }[];
  readonly columns: readonly Pick<Column, 'type'>[];
}

const runnable = new WeakMap<CompiledQuery, RunnableQuery>();

/** The parts of a query that a thread needs: the SQL and the types. Names and places of columns stay here. */
export function runnableQuery(query: CompiledQuery): RunnableQuery {
  const known = runnable.get(query);
  if (known !== undefined) return known;
  const { sqlite, columns, parameters } = query;
  const made = {
    ...sqlite,
    parameters: parameters.map(({ type }) => ({ type })),
    columns: columns.map(({ type }) => ({ type })),
  };
  runnable.set(query, made);
  return made;
}

/** The last rows of a query, after those that were given in batches, the bytes that all of them take, and the time that it took. */
export interface LastRows {
  readonly rows: readonly Row[];
  readonly bytes: number;
  readonly milliseconds: number;
}

/** Each query ends with an R0301 past a limit, with `GivenBack` past its patience, and with an R0303 once `isStopped`. */
export interface QueryRunner {
  /**
   * Passes rows in batches to `give`, except for the last ones, which it returns: a short result is one message between
   * threads.
   */
  readonly run: (
    query: RunnableQuery,
    parameters: readonly Value[],
    limits: QueryLimits,
    isStopped: () => boolean,
    give: (rows: readonly Row[]) => void,
  ) => LastRows;
  /**
   * Gives all rows by column, as bytes. The columns have plain types: no LIST, no STRUCT. `limits.rows` is the number
   * of rows to reserve memory for, and cannot be exceeded.
   */
  readonly columns: (
    query: RunnableQuery,
    parameters: readonly Value[],
    limits: QueryLimits,
    isStopped: () => boolean,
  ) => ColumnBatch;
  /** Drops prepared statements, after a change of tables. */
  readonly clear: () => void;
}

/** Steps of SQLite between two checks: some microseconds, and of a query with patience a row or two, which may take milliseconds each. */
const [steps, patientSteps] = [1_000, 32];
const keptStatements = 256;
/** Milliseconds that the search for a failure may take in any case. */
const leastSearch = 40;
/** Values that are sent at once, and their bytes: the receiving thread has other work in between. */
const batchCells = 4096;
const batchBytes = 256 * 1024;
/**
 * A row is written in one piece, as values, as text and as bytes at the same time. Rows up to this size count once; the
 * excess of the largest row beyond it counts three times more.
 */
const ordinaryRow = 1024 * 1024;
const copiesOfLargest = 3;

export function createQueryRunner(database: Database, definition: () => ReadModelDefinition | undefined): QueryRunner {
  const statements = new Map<string, Statement>();
  const collectBatch = createBatchCollector();

  /** The most recently used is last. */
  const statementOf = (sql: string): Statement => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    if (statements.size > keptStatements) {
      for (const [oldest, unused] of statements) {
        unused.free();
        statements.delete(oldest);
        break;
      }
    }
    return statement;
  };

  const reading = <T>(
    query: RunnableQuery,
    parameters: readonly Value[],
    limits: QueryLimits,
    isStopped: () => boolean,
    read: (statement: Statement) => T,
  ): T => {
    const bounded = (statement: Statement): T =>
      database.interrupting(mayGoOn(limits, isStopped), limits.patience === undefined ? steps : patientSteps, () =>
        read(statement),
      );
    // The search for a failure runs the query twice more, within the time of the query.
    const searching = (took: number): (() => void) => {
      const { milliseconds: most = Infinity } = limits;
      return mayGoOn({ milliseconds: Math.min(Math.max(leastSearch, 2 * took), most - took) }, isStopped);
    };
    database.memoryBudget(limits.memory);
    try {
      if (query.shared === undefined) return readFrom(query, parameters, searching, bounded);
      return withShared(database, definition(), query.shared, () => readFrom(query, parameters, searching, bounded));
    } catch (error) {
      throw spentMemory(error, limits) ?? error;
    } finally {
      database.memoryBudget(undefined);
    }
  };

  const readFrom = <T>(
    query: RunnableQuery,
    parameters: readonly Value[],
    searching: (milliseconds: number) => () => void,
    read: (statement: Statement) => T,
  ): T => {
    database.readOnly();
    const statement = statementOf(query.sql);
    const values = query.parameters.map(({ type }, index) => toSqlite(parameters[index] ?? null, type));
    const begun = performance.now();
    try {
      statement.bind(values);
      return read(statement);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'schema') throw error;
      const mayGoOn = searching(performance.now() - begun);
      throw new QueryFailure(error, findFailure(database, query, values, { failure: error, mayGoOn, steps }));
    } finally {
      statement.reset();
    }
  };

  return {
    run: (query, parameters, limits, isStopped, give) =>
      reading(query, parameters, limits, isStopped, (statement) => collect(statement, query.columns, limits, give)),
    columns: (query, parameters, limits, isStopped) =>
      reading(query, parameters, limits, isStopped, (statement) => collectBatch(statement, query, limits)),
    clear: () => {
      for (const statement of statements.values()) statement.free();
      statements.clear();
    },
  };
}

/** Throws once a query, which begins now, is to end. */
function mayGoOn(limits: QueryLimits, isStopped: () => boolean): () => void {
  const begun = performance.now();
  const { milliseconds = Infinity, patience = Infinity } = limits;
  return () => {
    if (isStopped()) throw fail('R0303', {});
    const took = performance.now() - begun;
    if (took > milliseconds) throw overTime(limits);
    if (took > patience) throw new GivenBack();
  };
}

function collect(
  statement: Statement,
  columns: RunnableQuery['columns'],
  limits: QueryLimits,
  give: (rows: readonly Row[]) => void,
): LastRows {
  const batchRows = Math.ceil(batchCells / Math.max(1, columns.length));
  const begun = performance.now();
  const deadline = begun + (limits.milliseconds ?? Infinity);
  const { rows: mostRows = Infinity, bytes: mostBytes = Infinity } = limits;
  let batch: Row[] = [];
  let batched = 0;
  let count = 0;
  let bytes = 0;
  let largest = ordinaryRow;
  const total = (): number => bytes + copiesOfLargest * (largest - ordinaryRow);
  while (statement.step()) {
    count += 1;
    if (count > mostRows) throw fail('R0301', { what: 'rows', limit: String(mostRows) });
    const cells = statement.row();
    const row = columns.map(({ type }, index) => fromSqlite(cells[index], type));
    const size = rowBytes(row);
    bytes += size;
    batched += size;
    if (size > largest) largest = size;
    if (total() > mostBytes) throw fail('R0301', { what: 'bytes', limit: String(mostBytes) });
    batch.push(row);
    if (batch.length < batchRows && batched < batchBytes) continue;
    give(batch);
    batch = [];
    batched = 0;
  }
  const ended = performance.now();
  if (ended > deadline) throw overTime(limits);
  return { rows: batch, bytes: total(), milliseconds: ended - begun };
}

/** SQLite's out-of-memory error, as the limit that caused it. */
function spentMemory(error: unknown, { memory }: QueryLimits): Error | undefined {
  if (memory === undefined || !(error instanceof Failure) || error.code !== 'R0301') return undefined;
  if (!error.message.includes('memory')) return undefined;
  return overMemory(memory);
}

export function overMemory(bytes: number): Error {
  return fail('R0301', { what: 'memory', limit: `${Math.round(bytes / 2 ** 20)} MiB` });
}

export function overTime(limits: QueryLimits): Error {
  return fail('R0301', { what: 'time', limit: `${limits.milliseconds ?? 0} ms` });
}

/** Cells of a row as bound values of SQLite. */
export function boundRow(row: Row, types: readonly Type[]): readonly Bound[] {
  return types.map((type, index) => toSqlite(row[index] ?? null, type));
}
