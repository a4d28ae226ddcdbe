import type { Column } from '../contract/query.ts';
import type { Row } from '../store/store.ts';
import { slices } from './encode-table.ts';
import { endMark, recordBatchBytes, writeRecordBatch } from './record-batch.ts';
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
  const source = batches[Symbol.asyncIterator]();
  let before: Uint8Array | undefined = schema;
  let ended = false;
  /** What was not sent yet, and these rows. */
  const piece = (rows: readonly Row[]): Uint8Array => {
    const pieces = before === undefined ? [] : [before];
    before = undefined;
    for (const some of slices(rows)) {
      const batch = parts(some);
      const bytes = Buffer.allocUnsafe(recordBatchBytes(batch));
      writeRecordBatch(bytes, 0, some.length, batch);
      pieces.push(bytes);
    }
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces); // the length is looked at
  };
  const iterator: AsyncIterableIterator<Uint8Array> = {
    next: async () => {
      while (!ended) {
        const step = await source.next();
        if (step.done === true) {
          ended = true;
          return { done: false, value: Buffer.concat([piece([]), endMark]) };
        }
        if (step.value.length > 0) return { done: false, value: piece(step.value) };
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
