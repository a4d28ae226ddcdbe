/** Collects one column of a result as bytes (`contract/column-bytes.ts`), straight from SQLite's memory. */
import type { ColumnBytes } from '../../../../language/contract/column-bytes.ts';
import type { Type } from '../../../../language/values/type.ts';
import type { RowReader } from './row-memory.ts';

/** Can be used for any number of results, one after the other. */
export interface ColumnCollector {
  /** Reads the cell of the current row; gives its bytes. */
  readonly take: (cells: RowReader, row: number) => number;
  /** The first `rows` cells; views of memory that the next result overwrites. */
  readonly collected: (rows: number) => ColumnBytes;
  /** Drops all cells. */
  readonly clear: () => void;
}

const none = new Uint8Array(0);

/** A collector for at most `capacity` rows of the column at `at`. Undefined for types without a form as bytes. */
export function columnCollector(type: Type, at: number, capacity: number): ColumnCollector | undefined {
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'INTERVAL':
    case 'JSON':
    case 'NULL':
      return textCollector(at, capacity);
    case 'INT':
    case 'DATE': {
      const values = new Int32Array(capacity);
      return numberCollector(at, capacity, values, 1, (cells, row) => {
        values[row] = cells.low(at);
      });
    }
    case 'DOUBLE': {
      const values = new Float64Array(capacity);
      return numberCollector(at, capacity, values, 1, (cells, row) => {
        // SQLite has a negative zero, the language does not.
        values[row] = cells.number(at) + 0;
      });
    }
    case 'BIGINT':
    case 'WALL':
    case 'TIMESTAMP': {
      const words = new Int32Array(2 * capacity);
      return numberCollector(at, capacity, words, 2, (cells, row) => {
        words[2 * row] = cells.low(at);
        words[2 * row + 1] = cells.high(at);
      });
    }
    case 'DECIMAL': {
      const words = new Int32Array(4 * capacity);
      return numberCollector(at, capacity, words, 4, (cells, row) => {
        const high = cells.high(at);
        words[4 * row] = cells.low(at);
        words[4 * row + 1] = high;
        words[4 * row + 2] = words[4 * row + 3] = high >> 31;
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
  readonly collected: (rows: number) => Pick<ColumnBytes, 'nulls' | 'present'>;
  readonly clear: () => void;
}

function createPresence(capacity: number): Presence {
  const present = new Uint8Array((capacity + 7) >> 3).fill(0xff);
  let nulls = 0;
  return {
    isNull: (row) => {
      present[row >> 3] = (present[row >> 3] ?? 0) & ~(1 << (row & 7));
      nulls += 1;
    },
    collected: (rows) => ({ nulls, present: nulls === 0 ? none : present.subarray(0, (rows + 7) >> 3) }),
    clear: () => {
      if (nulls > 0) present.fill(0xff);
      nulls = 0;
    },
  };
}

/** The value under a NULL is 0. */
function numberCollector(
  at: number,
  capacity: number,
  values: Int32Array | Float64Array,
  perRow: number,
  write: (cells: RowReader, row: number) => void,
): ColumnCollector {
  const { isNull, collected, clear } = createPresence(capacity);
  const bytes = new Uint8Array(values.buffer);
  const rowBytes = perRow * values.BYTES_PER_ELEMENT;
  return {
    take: (cells, row) => {
      if (!cells.isNull(at)) write(cells, row);
      else {
        isNull(row);
        for (let place = perRow * row; place < perRow * (row + 1); place++) values[place] = 0;
      }
      return rowBytes;
    },
    collected: (rows) => ({ ...collected(rows), buffers: [bytes.subarray(0, rows * rowBytes)] }),
    clear,
  };
}

function booleanCollector(at: number, capacity: number): ColumnCollector {
  const { isNull, collected, clear } = createPresence(capacity);
  const bits = new Uint8Array((capacity + 7) >> 3);
  return {
    take: (cells, row) => {
      if (cells.isNull(at)) isNull(row);
      else if (cells.number(at) !== 0) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
      return 1;
    },
    collected: (rows) => ({ ...collected(rows), buffers: [bits.subarray(0, (rows + 7) >> 3)] }),
    clear: () => {
      clear();
      bits.fill(0);
    },
  };
}

/** Maximum size of a text buffer that is kept for the next result. */
const keptTextBytes = 1024 * 1024;

function textCollector(at: number, capacity: number): ColumnCollector {
  const { isNull, collected, clear } = createPresence(capacity);
  const ends = new Int32Array(capacity + 1);
  const endBytes = new Uint8Array(ends.buffer);
  let bytes = new DataView(new ArrayBuffer(16 * capacity));
  let end = 0;
  const makeRoom = (length: number): void => {
    const larger = new Uint8Array(Math.max(2 * bytes.byteLength, length));
    larger.set(new Uint8Array(bytes.buffer, 0, end));
    bytes = new DataView(larger.buffer);
  };
  return {
    take: (cells, row) => {
      let length = 0;
      if (cells.isNull(at)) isNull(row);
      else {
        length = cells.text(at);
        if (end + length > bytes.byteLength) makeRoom(end + length);
        cells.copyText(bytes, end);
        end += length;
      }
      ends[row + 1] = end;
      return 4 + length;
    },
    collected: (rows) => ({
      ...collected(rows),
      buffers: [endBytes.subarray(0, 4 * (rows + 1)), new Uint8Array(bytes.buffer, 0, end)],
    }),
    clear: () => {
      clear();
      end = 0;
      if (bytes.byteLength > keptTextBytes) bytes = new DataView(new ArrayBuffer(16 * capacity));
    },
  };
}
