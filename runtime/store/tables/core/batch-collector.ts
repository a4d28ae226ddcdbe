/**
 * Collects results by column in reused memory, and gives each in a buffer of its own, which can be transferred to
 * another thread.
 */
import type { ColumnBatch, ColumnBytes } from '../../../../language/contract/column-bytes.ts';
import { fail } from '../../../../language/failure/failure.ts';
import type { Type } from '../../../../language/values/type.ts';
import type { QueryLimits } from '../../query.ts';
import { columnCollector, type ColumnCollector } from './column-collector.ts';
import type { RunnableQuery } from './query-runner.ts';
import type { Statement } from './engine.ts';

/**
 * Reads a bound statement to its end. `limits.rows` is the number of rows to reserve memory for; more of them fail with
 * R0301.
 */
export type BatchCollector = (statement: Statement, query: RunnableQuery, limits: QueryLimits) => ColumnBatch;

/** Collectors that are kept. Each has memory for 8,192 cells, in ordinary use 130 KB and less. */
const mostKept = 256;

/**
 * Keeps the memory of earlier queries for columns of the same type at the same place: a stream repeats its query, and one of several aggregates
 * alternates between queries whose first columns are the same.
 */
export function createBatchCollector(): BatchCollector {
  const kept = new Map<string, { readonly capacity: number; readonly collector: ColumnCollector }>();
  const collectorAt = (type: Type, at: number, capacity: number): ColumnCollector => {
    const key = `${type.kind} ${at}`;
    const known = kept.get(key);
    if (known !== undefined && known.capacity >= capacity) return known.collector;
    const collector = columnCollector(type, at, capacity);
    if (collector === undefined) throw new Error(`a ${type.kind} has no form as bytes`);
    kept.set(key, { capacity, collector });
    return collector;
  };
  return (statement, { columns }, limits) => {
    const { rows: capacity = 0 } = limits;
    if (kept.size > mostKept) kept.clear();
    const collectors = columns.map(({ type }, at) => collectorAt(type, at, capacity));
    return collect(statement, collectors, capacity, limits);
  };
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
