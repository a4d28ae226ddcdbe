import type { Column } from '../contract/query.ts';
import type { Row } from '../store/store.ts';
import { batchRows, tableEncoder } from './table-encoder.ts';

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
  const encoder = tableEncoder(columns);
  const stream = encoder.open();
  const source = batches[Symbol.asyncIterator]();
  let ended = false;
  const iterator: AsyncIterableIterator<Uint8Array> = {
    next: async () => {
      if (ended) return { done: true, value: undefined };
      const step = await source.next();
      if (step.done === true) {
        ended = true;
        stream.finish();
        return { done: false, value: stream.take() };
      }
      const rows = step.value;
      for (let from = 0; from < rows.length; from += batchRows) {
        stream.write(encoder.batch(rows.length <= batchRows ? rows : rows.slice(from, from + batchRows)));
      }
      return { done: false, value: stream.take() };
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
