/** Collects one column of a result as bytes (`contract/column-bytes.ts`), straight from SQLite's memory. */
import type { ColumnBytes } from '../../contract/column-bytes.ts';
import type { Type } from '../../values/type.ts';
import type { CellReader } from './sqlite.ts';

export interface ColumnCollector {
  /** Takes the cell of the row at hand; gives how many bytes it takes. */
  readonly take: (cells: CellReader, row: number) => number;
  readonly finish: (rows: number) => ColumnBytes;
}

const none = new Uint8Array(0);

/** For up to so many rows of the column at `at`. Undefined for types that have no such form. */
export function columnCollector(type: Type, at: number, capacity: number): ColumnCollector | undefined {
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'JSON':
    case 'NULL':
      return textCollector(at, capacity);
    case 'INT':
    case 'DATE': {
      const values = new Int32Array(capacity);
      return numberCollector(at, capacity, values, 1, (cells, row) => (values[row] = cells.number(at)));
    }
    case 'DOUBLE': {
      const values = new Float64Array(capacity);
      // SQLite knows a negative zero, the language does not.
      return numberCollector(at, capacity, values, 1, (cells, row) => (values[row] = cells.number(at) + 0));
    }
    case 'BIGINT':
    case 'TIMESTAMP': {
      const words = new Int32Array(2 * capacity);
      return numberCollector(at, capacity, words, 2, (cells, row) => writeInteger(cells, at, words, 2 * row));
    }
    case 'DECIMAL': {
      const words = new Int32Array(4 * capacity);
      return numberCollector(at, capacity, words, 4, (cells, row) => {
        writeInteger(cells, at, words, 4 * row);
        words[4 * row + 2] = words[4 * row + 3] = (words[4 * row + 1] ?? 0) >> 31;
      });
    }
    case 'BOOLEAN':
      return booleanCollector(at, capacity);
    case 'LIST':
    case 'STRUCT':
      return undefined;
  }
}

interface Presence {
  readonly isNull: (row: number) => void;
  readonly finish: (rows: number) => Pick<ColumnBytes, 'nulls' | 'present'>;
}

function createPresence(capacity: number): Presence {
  let absent: Uint8Array | undefined;
  let nulls = 0;
  return {
    isNull: (row) => {
      absent ??= new Uint8Array((capacity + 7) >> 3);
      absent[row >> 3] = (absent[row >> 3] ?? 0) | (1 << (row & 7));
      nulls += 1;
    },
    finish: (rows) => ({
      nulls,
      present: absent === undefined ? none : absent.slice(0, (rows + 7) >> 3).map((bits) => ~bits),
    }),
  };
}

function numberCollector(
  at: number,
  capacity: number,
  values: Int32Array | Float64Array,
  perRow: number,
  write: (cells: CellReader, row: number) => void,
): ColumnCollector {
  const presence = createPresence(capacity);
  const bytes = perRow * values.BYTES_PER_ELEMENT;
  return {
    take: (cells, row) => {
      if (cells.isNull(at)) presence.isNull(row);
      else write(cells, row);
      return bytes;
    },
    finish: (rows) => ({
      ...presence.finish(rows),
      buffers: [new Uint8Array(values.buffer.slice(0, rows * bytes))],
    }),
  };
}

/** 64 bits in two words, the low one first. */
function writeInteger(cells: CellReader, at: number, words: Int32Array, place: number): void {
  const value = cells.number(at);
  if (Number.isSafeInteger(value)) {
    words[place] = value;
    words[place + 1] = Math.floor(value / 2 ** 32);
    return;
  }
  const exact = cells.integer(at);
  words[place] = Number(BigInt.asIntN(32, exact));
  words[place + 1] = Number(BigInt.asIntN(32, exact >> 32n));
}

function booleanCollector(at: number, capacity: number): ColumnCollector {
  const presence = createPresence(capacity);
  const bits = new Uint8Array((capacity + 7) >> 3);
  return {
    take: (cells, row) => {
      if (cells.isNull(at)) presence.isNull(row);
      else if (cells.number(at) !== 0) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
      return 1;
    },
    finish: (rows) => ({ ...presence.finish(rows), buffers: [bits.slice(0, (rows + 7) >> 3)] }),
  };
}

function textCollector(at: number, capacity: number): ColumnCollector {
  const presence = createPresence(capacity);
  const ends = new Int32Array(capacity + 1);
  let bytes = new Uint8Array(16 * capacity);
  let end = 0;
  return {
    take: (cells, row) => {
      let length = 0;
      if (cells.isNull(at)) presence.isNull(row);
      else {
        length = cells.text(at);
        if (end + length > bytes.length) {
          const larger = new Uint8Array(Math.max(2 * bytes.length, end + length));
          larger.set(bytes.subarray(0, end));
          bytes = larger;
        }
        cells.copyText(bytes, end);
        end += length;
      }
      ends[row + 1] = end;
      return 4 + length;
    },
    finish: (rows) => ({
      ...presence.finish(rows),
      buffers: [new Uint8Array(ends.buffer.slice(0, 4 * (rows + 1))), bytes.slice(0, end)],
    }),
  };
}
