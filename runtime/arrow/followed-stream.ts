/**
 * The parts of an Arrow IPC stream that continues for long: its schema, rows as they come, and marks. A mark is a record batch without rows
 * whose metadata has a position.
 */
import { BufferRegion, FieldNode, Message, RecordBatch } from 'apache-arrow/ipc/metadata/message';
import type { Column } from '../../language/contract/query.ts';
import type { Row } from '../store/store.ts';
import { slices } from './encode-table.ts';
import { endMark, recordBatchPieces } from './record-batch.ts';
import { tableEncoder } from './table-encoder.ts';

export interface FollowedArrow {
  readonly schema: (columns: readonly Column[]) => Uint8Array;
  /** The rows as record batches of at most 8,192. */
  readonly rows: (columns: readonly Column[], rows: readonly Row[]) => Uint8Array;
  /** An empty record batch with this metadata. */
  readonly mark: (columns: readonly Column[], metadata: ReadonlyMap<string, string>) => Uint8Array;
  readonly end: Uint8Array;
}

export const followedArrow: FollowedArrow = {
  schema: (columns) => tableEncoder(columns).schema,
  rows: (columns, rows) => {
    const { parts } = tableEncoder(columns);
    return Buffer.concat(slices(rows).flatMap((some) => recordBatchPieces(some.length, parts(some))));
  },
  mark: (columns, metadata) => {
    const { nodes, buffers } = tableEncoder(columns).parts([]);
    const batch = new RecordBatch(
      0,
      Array.from({ length: nodes.length / 2 }, () => new FieldNode(0, 0)),
      buffers.map(() => new BufferRegion(0, 0)),
      null,
      undefined,
      new Map(metadata),
    );
    const encoded = Message.encode(Message.from(batch, 0));
    const length = (encoded.length + alignment - 1) & ~(alignment - 1);
    const bytes = Buffer.alloc(prefix + length);
    bytes.writeUInt32LE(0xffffffff, 0);
    bytes.writeInt32LE(length, 4);
    bytes.set(encoded, prefix);
    return bytes;
  },
  end: endMark,
};

const prefix = 8;
const alignment = 8;
