import { makeData, RecordBatch, RecordBatchStreamWriter, Struct, type Schema } from 'apache-arrow';
import { AsyncByteQueue } from 'apache-arrow/io/stream';
import type { Column } from '../contract/query.ts';
import type { Row } from '../store/store.ts';
import { arrowSchema } from './arrow-schema.ts';
import { columnFiller } from './column-filler.ts';

/** The most rows that one record batch carries (http-details.md section 1). */
export const batchRows = 8192;

/** What a set of columns needs to be written, made once for that set. */
export interface TableEncoder {
  readonly schema: Schema;
  /** At most `batchRows` rows. */
  readonly batch: (rows: readonly Row[]) => RecordBatch;
  /** A stream whose schema message stands in the sink already. */
  readonly open: () => BatchStream;
}

/** The bytes of one Arrow stream, taken piece by piece. Only `finish` writes the end mark. */
export interface BatchStream {
  readonly write: (batch: RecordBatch) => void;
  readonly finish: () => void;
  /** The bytes written since the last call. */
  readonly take: () => Uint8Array;
}

const encoders = new WeakMap<readonly Column[], TableEncoder>();

/** The encoder of a set of columns; the same array gives the same encoder. */
export function tableEncoder(columns: readonly Column[]): TableEncoder {
  const known = encoders.get(columns);
  if (known !== undefined) return known;
  const made = createTableEncoder(columns);
  encoders.set(columns, made);
  return made;
}

function createTableEncoder(columns: readonly Column[]): TableEncoder {
  const schema = arrowSchema(columns);
  const type = new Struct(schema.fields);
  const fillers = columns.map((column) => columnFiller(column.type));
  const message = schemaMessage(schema);
  return {
    schema,
    batch: (rows) => {
      const children = fillers.map((fill, at) => fill(rows.map((row) => row[at] ?? null)));
      return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
    },
    open: () => openStream(schema, message),
  };
}

/** Collects what a writer writes, without a promise a chunk. */
class ByteSink extends AsyncByteQueue {
  pieces: Uint8Array[] = [];
  override write(chunk: Uint8Array): void {
    if (chunk.byteLength > 0) this.pieces.push(chunk);
  }
}

/** Writes a schema message that was encoded before instead of encoding it anew for each answer. */
class PreparedWriter extends RecordBatchStreamWriter {
  readonly #message: Uint8Array;
  constructor(message: Uint8Array) {
    super();
    this.#message = message;
  }
  protected override _writeSchema(): this {
    return this._write(this.#message);
  }
}

function schemaMessage(schema: Schema): Uint8Array {
  const sink = new ByteSink();
  new RecordBatchStreamWriter().reset(sink, schema);
  return Buffer.concat(sink.pieces);
}

function openStream(schema: Schema, message: Uint8Array): BatchStream {
  const sink = new ByteSink();
  const writer = new PreparedWriter(message);
  // Without this a stream of no batches would be no bytes at all instead of an empty table.
  writer.reset(sink, schema);
  return {
    write: (batch) => writer.write(batch),
    finish: () => void writer.finish(),
    take: () => Buffer.concat(sink.pieces.splice(0)),
  };
}
