/**
 * Takes results in the values of `values/type.ts`, gives the bytes of Arrow IPC streams. Reads no Arrow, ever (a reader of
 * hostile bytes hangs), and knows neither HTTP nor stores.
 */
import type { Column } from '../contract/query.ts';
import type { Row } from '../store/store.ts';
import { batchRows, tableEncoder } from './table-encoder.ts';

/** A whole result as one Arrow IPC stream; without rows it still carries the schema. */
export function encodeTable(table: { readonly columns: readonly Column[]; readonly rows: readonly Row[] }): Uint8Array {
  const encoder = tableEncoder(table.columns);
  const stream = encoder.open();
  for (let from = 0; from < table.rows.length; from += batchRows) {
    stream.write(encoder.batch(table.rows.slice(from, from + batchRows)));
  }
  stream.finish();
  return stream.take();
}
