/**
 * Takes results in the values of `values/type.ts`, gives the bytes of Arrow IPC streams. Never reads Arrow (a reader of
 * hostile bytes can hang), and knows neither HTTP nor stores.
 */
import type { Column } from '../../language/contract/query.ts';
import type { Row } from '../store/store.ts';
import { endMark, recordBatchBytes, writeRecordBatch } from './record-batch.ts';
import { batchRows, tableEncoder } from './table-encoder.ts';

/** A whole result as one Arrow IPC stream, which has its schema even without rows. */
export function encodeTable(table: { readonly columns: readonly Column[]; readonly rows: readonly Row[] }): Uint8Array {
  const { schema, parts, oneRow } = tableEncoder(table.columns);
  const [first] = table.rows;
  if (oneRow !== undefined && table.rows.length === 1 && first !== undefined) return oneRow(first);
  const batches = slices(table.rows).map((rows) => ({ rows: rows.length, parts: parts(rows) }));
  let bytes = schema.length + endMark.length;
  for (const batch of batches) bytes += recordBatchBytes(batch.parts);
  const stream = Buffer.allocUnsafe(bytes);
  stream.set(schema);
  let at = schema.length;
  for (const batch of batches) at = writeRecordBatch(stream, at, batch.rows, batch.parts);
  stream.set(endMark, at);
  return stream;
}

/** Rows in pieces of one batch. */
export function slices(rows: readonly Row[]): readonly (readonly Row[])[] {
  if (rows.length === 0) return [];
  if (rows.length <= batchRows) return [rows];
  const count = Math.ceil(rows.length / batchRows);
  return Array.from({ length: count }, (_, index) => rows.slice(index * batchRows, (index + 1) * batchRows));
}
