import type { ColumnBatch, ColumnBytes } from '../../language/contract/column-bytes.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Row } from '../store/store.ts';
import { slices } from './encode-table.ts';
import { type BatchParts, endMark, recordBatchPieces } from './record-batch.ts';
import { tableEncoder } from './table-encoder.ts';

/**
 * An Arrow IPC stream of rows. The next batch is read only after the bytes of the last one were taken, and the rows of
 * a batch are released once they are bytes (a generator would hold them while it waits), so a slow reader costs the
 * bytes of one batch. When the source fails, the stream fails before any end mark: the sender must then cut the
 * connection, because a stream cut between batches reads like a complete one.
 */
export function arrowStream(
  columns: readonly Column[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncIterableIterator<Uint8Array> {
  const { schema, parts } = tableEncoder(columns);
  return stream(schema, batches, (rows) => slices(rows).flatMap((some) => recordBatchPieces(some.length, parts(some))));
}

/** An Arrow IPC stream of rows that come by column, as bytes (`columnParts`), each batch of at most 8,192 rows. */
export function columnStream(
  columns: readonly Column[],
  batches: AsyncIterable<ColumnBatch>,
): AsyncIterableIterator<Uint8Array> {
  const { schema } = tableEncoder(columns);
  return stream(schema, batches, (batch) =>
    batch.rows === 0 ? [] : recordBatchPieces(batch.rows, columnParts(columns, batch)),
  );
}

function stream<T>(
  schema: Uint8Array,
  batches: AsyncIterable<T>,
  encode: (batch: T) => readonly Uint8Array[],
): AsyncIterableIterator<Uint8Array> {
  const source = batches[Symbol.asyncIterator]();
  /** Bytes that must be taken before the next batch is read. */
  const pieces: Uint8Array[] = [];
  let before: Uint8Array | undefined = schema;
  let ended = false;
  const iterator: AsyncIterableIterator<Uint8Array> = {
    next: async () => {
      for (;;) {
        const piece = pieces.shift();
        if (piece !== undefined) {
          const value = before === undefined ? piece : Buffer.concat([before, piece]);
          before = undefined;
          return { done: false, value };
        }
        if (ended) return { done: true, value: undefined };
        const step = await source.next();
        ended = step.done === true;
        pieces.push(...(step.done === true ? [endMark] : encode(step.value)));
      }
    },
    return: async () => {
      ended = true;
      pieces.length = 0;
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

/**
 * The parts of a batch from columns that are already bytes. A STRUCT is a BOOLEAN that says whether it exists, followed
 * by its fields.
 */
function columnParts(columns: readonly Column[], { rows, columns: flat }: ColumnBatch): BatchParts {
  const parts: BatchParts = { nodes: [], buffers: [] };
  let next = 0;
  const take = (): ColumnBytes => {
    const bytes = flat[next];
    if (bytes === undefined) throw new Error(`a batch has ${flat.length} columns, more were asked for`);
    next += 1;
    return bytes;
  };
  const add = ({ nulls, present, buffers }: ColumnBytes): void => {
    parts.nodes.push(rows, nulls);
    parts.buffers.push(present, ...buffers);
  };
  for (const { type } of columns) {
    if (type.kind !== 'STRUCT') add(take());
    else {
      const [isThere = new Uint8Array(0)] = take().buffers;
      add({ nulls: rows - countBits(isThere, rows), present: isThere, buffers: [] });
      for (let field = 0; field < type.fields.length; field++) add(take());
    }
  }
  return parts;
}

function countBits(bits: Uint8Array, rows: number): number {
  let count = 0;
  for (let row = 0; row < rows; row++) count += ((bits[row >> 3] ?? 0) >> (row & 7)) & 1;
  return count;
}
