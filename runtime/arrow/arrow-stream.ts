import type { ColumnBatch } from '../contract/column-bytes.ts';
import type { Column } from '../contract/query.ts';
import type { Row } from '../store/store.ts';
import { columnParts } from './column-parts.ts';
import { slices } from './encode-table.ts';
import { endMark, recordBatchBytes, writeRecordBatch, type BatchParts } from './record-batch.ts';
import { tableEncoder } from './table-encoder.ts';

/**
 * An Arrow IPC stream of rows as they are read: the next batch is asked for only when the last one's bytes were taken, and its
 * rows are let go once they are bytes (a generator would hold them while it waits), so that a slow reader costs the bytes of one
 * batch. When the source fails, so does the stream, before any end mark: whoever sends the bytes must then cut the connection,
 * because a stream cut between batches reads like a whole one.
 */
export function arrowStream(
  columns: readonly Column[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncIterableIterator<Uint8Array> {
  const { schema, parts } = tableEncoder(columns);
  return stream(schema, batches, (rows) => slices(rows).map((some) => recordBatch(some.length, parts(some))));
}

/** The same of rows that come by column, as bytes (`column-parts.ts`), each batch of at most 8,192 rows. */
export function columnStream(
  columns: readonly Column[],
  batches: AsyncIterable<ColumnBatch>,
): AsyncIterableIterator<Uint8Array> {
  const { schema } = tableEncoder(columns);
  return stream(schema, batches, (batch) =>
    batch.rows === 0 ? [] : [recordBatch(batch.rows, columnParts(columns, batch))],
  );
}

function recordBatch(rows: number, parts: BatchParts): Uint8Array {
  const bytes = Buffer.allocUnsafe(recordBatchBytes(parts));
  writeRecordBatch(bytes, 0, rows, parts);
  return bytes;
}

function stream<T>(
  schema: Uint8Array,
  batches: AsyncIterable<T>,
  encode: (batch: T) => readonly Uint8Array[],
): AsyncIterableIterator<Uint8Array> {
  const source = batches[Symbol.asyncIterator]();
  let before: readonly Uint8Array[] = [schema];
  let ended = false;
  const iterator: AsyncIterableIterator<Uint8Array> = {
    next: async () => {
      while (!ended) {
        const step = await source.next();
        ended = step.done === true;
        const pieces = [...before, ...(step.done === true ? [endMark] : encode(step.value))];
        if (pieces.length === before.length) continue;
        before = [];
        return { done: false, value: pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces) }; // the length is looked at
      }
      return { done: true, value: undefined };
    },
    return: async () => {
      ended = true;
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}
