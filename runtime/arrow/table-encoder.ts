import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import { AsyncByteQueue } from 'apache-arrow/io/stream';
import type { Column } from '../../language/contract/query.ts';
import type { Row } from '../store/store.ts';
import { columnFiller } from './column-filler.ts';
import { oneRowEncoder } from './one-row.ts';
import type { BatchParts } from './record-batch.ts';
import type { Type } from '../../language/values/type.ts';

/** The most rows that one record batch carries (docs/http.md#forms-of-an-answer). */
export const batchRows = 8192;

/** Writes batches of one set of columns; made once for that set. */
export interface TableEncoder {
  /** The first message of a stream; its length is a multiple of 8. */
  readonly schema: Uint8Array;
  /** At most `batchRows` rows. */
  readonly parts: (rows: readonly Row[]) => BatchParts;
  /** A whole stream of one row, where that is written in a shorter way. */
  readonly oneRow: ((row: Row) => Uint8Array) | undefined;
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
  const fillers = columns.map((column) => columnFiller(column.type));
  const schema = schemaMessage(columns);
  return {
    schema,
    oneRow: oneRowEncoder(columns, schema),
    parts: (rows) => {
      const parts: BatchParts = { nodes: [], buffers: [] };
      fillers.forEach((fill, at) => {
        fill(
          rows.map((row) => row[at] ?? null),
          parts,
        );
      });
      return parts;
    },
  };
}

/** Collects the output of a writer, without a promise for each chunk. */
class ByteSink extends AsyncByteQueue {
  readonly pieces: Uint8Array[] = [];
  override write(chunk: Uint8Array): void {
    if (chunk.byteLength > 0) this.pieces.push(chunk);
  }
}

/** By the library: schemas use every kind of type, and are written once. */
function schemaMessage(columns: readonly Column[]): Uint8Array {
  const sink = new ByteSink();
  new RecordBatchStreamWriter().reset(sink, arrowSchema(columns));
  return Buffer.concat(sink.pieces);
}

/**
 * The Arrow schema of a result. A sensitive column is always nullable, because the mask of a type that cannot hold
 * `****` is NULL.
 */
function arrowSchema(columns: readonly Column[]): Schema {
  return new Schema(
    columns.map((column) => new Field(column.name, arrowType(column.type), column.nullable || column.sensitive)),
  );
}

/** The Arrow type of a language type (docs/language.md#types). Texts are plain Utf8, never dictionaries. */
function arrowType(type: Type): DataType {
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'INTERVAL':
    case 'JSON':
    case 'NULL':
      return new Utf8();
    case 'INT':
      return new Int32();
    case 'BIGINT':
      return new Int64();
    case 'DECIMAL':
      return new Decimal(type.scale, type.precision, 128);
    case 'DOUBLE':
      return new Float64();
    case 'BOOLEAN':
      return new Bool();
    case 'TIMESTAMP':
      return new TimestampMicrosecond('UTC');
    case 'WALL':
      return new TimestampMicrosecond(null);
    case 'DATE':
      return new DateDay();
    case 'LIST':
      return new List(new Field('item', arrowType(type.of), true));
    case 'STRUCT':
      return new Struct(type.fields.map((field) => new Field(field.name, arrowType(field.type), true)));
  }
}
