/**
 * Collects results by column in reused memory, and gives each in a buffer of its own, which can be transferred to
 * another thread.
 */
import type { ColumnBatch, ColumnBytes } from '../../../../language/contract/column-bytes.ts';
import { fail } from '../../../../language/failure/failure.ts';
import type { QueryLimits } from '../../store.ts';
import { columnCollector, type ColumnCollector } from './column-collector.ts';
import type { RunnableQuery } from './query-runner.ts';
import type { Statement } from './engine.ts';

/**
 * Reads a bound statement to its end. `limits.rows` is the number of rows to reserve memory for; more of them fail with
 * R0301.
 */
export type BatchCollector = (statement: Statement, query: RunnableQuery, limits: QueryLimits) => ColumnBatch;

/** Keeps the memory of the last query, because a stream repeats the same query. */
export function createBatchCollector(): BatchCollector {
  let kept: { readonly sql: string; readonly capacity: number; readonly collectors: readonly ColumnCollector[] } = {
    sql: '',
    capacity: 0,
    collectors: [],
  };
  return (statement, { sql, columns }, limits) => {
    const { rows: capacity = 0 } = limits;
    if (kept.sql !== sql || kept.capacity < capacity)
      kept = { sql, capacity, collectors: columns.map(({ type }, at) => collectorOf(type, at, capacity)) };
    return collect(statement, kept.collectors, capacity, limits);
  };
}

function collectorOf(type: RunnableQuery['columns'][number]['type'], at: number, capacity: number): ColumnCollector {
  const collector = columnCollector(type, at, capacity);
  if (collector === undefined) throw new Error(`a ${type.kind} has no form as bytes`);
  return collector;
}

function collect(
  statement: Statement,
  collectors: readonly ColumnCollector[],
  capacity: number,
  { bytes: most = Infinity }: QueryLimits,
): ColumnBatch {
  const cells = statement.cells();
  for (const { clear } of collectors) clear();
  let rows = 0;
  let bytes = 0;
  while (statement.step()) {
    if (rows === capacity) throw fail('R0301', { what: 'rows', limit: String(capacity) });
    cells.look();
    for (const { take } of collectors) bytes += take(cells, rows);
    if (bytes > most) throw fail('R0301', { what: 'bytes', limit: String(most) });
    rows += 1;
  }
  return { rows, columns: inOneBuffer(collectors.map(({ collected }) => collected(rows))) };
}

/** Copies the columns into one buffer as described in `ColumnBatch`. */
function inOneBuffer(columns: readonly ColumnBytes[]): readonly ColumnBytes[] {
  let size = 0;
  for (const { present, buffers } of columns)
    size = buffers.reduce((sum, { length }) => sum + padded(length), size + padded(present.length));
  const all = new ArrayBuffer(size);
  let at = 0;
  const put = (bytes: Uint8Array): Uint8Array => {
    const copy = new Uint8Array(all, at, bytes.length);
    copy.set(bytes);
    at += padded(bytes.length);
    return copy;
  };
  return columns.map(({ nulls, present, buffers }) => ({ nulls, present: put(present), buffers: buffers.map(put) }));
}

function padded(bytes: number): number {
  return (bytes + 7) & ~7;
}
