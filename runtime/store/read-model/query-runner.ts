/** Runs compiled queries on the read model: read-only, prepared once, decoded by the columns' types, within a budget. */
import type { ColumnBatch } from '../../contract/column-bytes.ts';
import type { ReadModelDefinition } from '../../contract/read-model.ts';
import { withShared } from './shared-views.ts';
import type { Column } from '../../contract/query.ts';
import { fail, Failure } from '../../failure/failure.ts';
import { fromSqlite, toSqlite } from '../../values/sqlite-value.ts';
import type { Type, Value } from '../../values/type.ts';
import type { QueryBudget, Row } from '../store.ts';
import { createBatchCollector } from './batch-collector.ts';
import type { Bound, Cell, Database, Statement } from './sqlite.ts';

export interface RunnableQuery {
  readonly sql: string;
  readonly parameters: readonly { readonly type: Type }[];
  readonly columns: readonly Pick<Column, 'type'>[];
  /** As `CompiledQuery.shared`. */
  readonly shared?: readonly string[];
}

export interface QueryRunner {
  /**
   * Gives rows in batches to `give`. Throws an R0301 past a budget; the time is looked at between rows only, so one long step is not
   * interrupted here.
   */
  readonly run: (
    query: RunnableQuery,
    parameters: readonly Value[],
    budget: QueryBudget,
    give: (rows: readonly Row[]) => void,
  ) => void;
  /**
   * Gives all rows by column, as bytes. The columns' types are plain ones: no LIST, no STRUCT. `budget.rows` says for how many rows room
   * is made, and is not passed.
   */
  readonly columns: (query: RunnableQuery, parameters: readonly Value[], budget: QueryBudget) => ColumnBatch;
  /** Forgets prepared statements: tables have changed. */
  readonly clear: () => void;
}

const keptStatements = 256;
/** Values that go over at once: the thread that takes them has other things to do in between. */
const batchCells = 4096;

export function createQueryRunner(database: Database, definition: () => ReadModelDefinition | undefined): QueryRunner {
  const statements = new Map<string, Statement>();
  const collectBatch = createBatchCollector();

  /** Most recently used last. */
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
    budget: QueryBudget,
    read: (statement: Statement) => T,
  ): T => {
    database.memoryBudget(budget.memory);
    try {
      if (query.shared === undefined) return readFrom(query, parameters, read);
      return withShared(database, definition(), query.shared, () => readFrom(query, parameters, read));
    } catch (error) {
      throw overMemory(error, budget) ?? error;
    } finally {
      database.memoryBudget(undefined);
    }
  };

  const readFrom = <T>(query: RunnableQuery, parameters: readonly Value[], read: (statement: Statement) => T): T => {
    database.readOnly(true);
    try {
      const statement = statementOf(query.sql);
      try {
        statement.bind(query.parameters.map(({ type }, index) => toSqlite(parameters[index] ?? null, type)));
        return read(statement);
      } finally {
        statement.reset();
      }
    } finally {
      database.readOnly(false);
    }
  };

  return {
    run: (query, parameters, budget, give) => {
      reading(query, parameters, budget, (statement) => collect(statement, query.columns, budget, give));
    },
    columns: (query, parameters, budget) =>
      reading(query, parameters, budget, (statement) => collectBatch(statement, query, budget)),
    clear: () => {
      for (const statement of statements.values()) statement.free();
      statements.clear();
    },
  };
}

function collect(
  statement: Statement,
  columns: RunnableQuery['columns'],
  budget: QueryBudget,
  give: (rows: readonly Row[]) => void,
): void {
  const sizes = columns.map(({ type }) => leastSize(type));
  const batchRows = Math.ceil(batchCells / Math.max(1, columns.length));
  const deadline = budget.milliseconds === undefined ? Infinity : performance.now() + budget.milliseconds;
  let batch: Row[] = [];
  let count = 0;
  let bytes = 0;
  while (statement.step()) {
    count += 1;
    if (budget.rows !== undefined && count > budget.rows)
      throw fail('R0301', { what: 'rows', limit: String(budget.rows) });
    const cells = statement.row();
    if (budget.bytes !== undefined) {
      for (let at = 0; at < cells.length; at++) bytes += sizeOf(cells[at], sizes[at] ?? 0);
      if (bytes > budget.bytes) throw fail('R0301', { what: 'bytes', limit: String(budget.bytes) });
    }
    if (count % 64 === 0 && performance.now() > deadline) throw overTime(budget);
    batch.push(columns.map(({ type }, index) => fromSqlite(cells[index], type)));
    if (batch.length === batchRows) {
      give(batch);
      batch = [];
    }
  }
  if (performance.now() > deadline) throw overTime(budget);
  if (batch.length > 0) give(batch);
}

/** What SQLite says when it gets no more memory, in the words of the budget that stopped it. */
function overMemory(error: unknown, { memory }: QueryBudget): Error | undefined {
  if (memory === undefined || !(error instanceof Failure) || error.code !== 'R0301') return undefined;
  if (!error.message.includes('memory')) return undefined;
  return fail('R0301', { what: 'memory', limit: `${Math.round(memory / 2 ** 20)} MiB` });
}

export function overTime(budget: QueryBudget): Error {
  return fail('R0301', { what: 'time', limit: `${budget.milliseconds ?? 0} ms` });
}

/** About what the cell takes, in memory or as text, whichever is more. */
function sizeOf(cell: Cell | undefined, least: number): number {
  return typeof cell === 'string' ? least + cell.length : least;
}

function leastSize(type: Type): number {
  switch (type.kind) {
    case 'TIMESTAMP':
      return 32;
    case 'STRUCT':
      return 16 + type.fields.reduce((sum, field) => sum + field.name.length + leastSize(field.type), 0);
    default:
      return 16;
  }
}

/** Cells of a row as SQLite takes them. */
export function boundRow(row: Row, types: readonly Type[]): readonly Bound[] {
  return types.map((type, index) => toSqlite(row[index] ?? null, type));
}
