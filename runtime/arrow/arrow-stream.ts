import type { Column } from '../contract/query.ts';
import type { Row } from '../store/store.ts';
import { batchRows, tableEncoder } from './table-encoder.ts';

/**
 * An Arrow IPC stream of rows as they are read: the next batch is asked for only when the last one's bytes were taken, so a
 * slow reader holds one batch in memory. When the source fails, so does the generator, before any end mark: whoever sends the
 * bytes must then cut the connection, because a stream cut between batches reads like a whole one.
 */
export async function* arrowStream(
  columns: readonly Column[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = tableEncoder(columns);
  const stream = encoder.open();
  for await (const rows of batches) {
    for (let from = 0; from < rows.length; from += batchRows) {
      stream.write(encoder.batch(from === 0 && rows.length <= batchRows ? rows : rows.slice(from, from + batchRows)));
      yield stream.take();
    }
  }
  stream.finish();
  yield stream.take();
}
