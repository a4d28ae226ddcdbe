/**
 * Reads cells in SQLite's own memory, that of its WebAssembly module, without a call into it for each cell. The module
 * does not export the address of a row, so the offset of that address in a statement, and the distance of cells, are
 * found once by searching for a known row.
 */
import type { MemoryGuard } from './memory-guard.ts';

/** Cells by the index of their column. Each method throws when SQLite has the cell in another storage class. */
export interface RowReader {
  /** Moves to the current row of the statement. */
  readonly look: () => void;
  readonly isNull: (at: number) => boolean;
  /** An integer or a floating-point number; rounded past 2⁵³. */
  readonly number: (at: number) => number;
  /** The low 32 bits of an integer, signed. */
  readonly low: (at: number) => number;
  /** The high 32 bits of an integer. */
  readonly high: (at: number) => number;
  /** The number of UTF-8 bytes of a text. */
  readonly text: (at: number) => number;
  /** Copies the bytes of the text whose length was just read. */
  readonly copyText: (into: DataView, at: number) => void;
}

/** The offset in bytes of the row's address in a statement, and the distance between two cells. */
export interface RowLayout {
  readonly address: number;
  readonly stride: number;
}

/** Offsets in a cell, in bytes: a number of 64 bits is at 0, the parts of a text follow. */
const [textAddress, textLength, cellFlags] = [8, 12, 16];
/** Flags of a cell's content; it may be an integer and its text at once. */
const [isNothing, isText, isInteger, isReal, isWholeReal] = [0x01, 0x02, 0x04, 0x08, 0x20];
const isAnyNumber = isInteger | isReal | isWholeReal;

/** The row to search for: each storage class, and integers at both ends. */
export const knownRow = {
  sql: `SELECT 1234567890123, 'éa', NULL, -2.5, -9007199254740993 AS "last of a known row"`,
  low: 1912276171,
  high: 287,
};
const [largestAddress, largestStride] = [1024, 128];

/**
 * Finds the layout with a statement that is at the known row. Throws when cells have another layout than this module
 * reads.
 */
export function findLayout(memory: MemoryGuard, statement: number): RowLayout {
  const bytes = memory.bytes();
  const words = new Int32Array(bytes.buffer);
  for (let address = 0; address < largestAddress; address += 4) {
    const row = words[(statement + address) >> 2] ?? 0;
    if (row <= 0 || row % 8 !== 0 || words[row >> 2] !== knownRow.low || words[(row >> 2) + 1] !== knownRow.high)
      continue;
    for (let stride = 24; stride <= largestStride; stride += 8)
      if (holdsKnownRow(rowReader(memory, statement, { address, stride }))) return { address, stride };
  }
  throw new Error('SQLite keeps the cells of a row in another way');
}

function holdsKnownRow(cells: RowReader): boolean {
  try {
    cells.look();
    const text = new Uint8Array(cells.text(1));
    cells.copyText(new DataView(text.buffer), 0);
    return (
      cells.low(0) === knownRow.low &&
      cells.high(0) === knownRow.high &&
      Buffer.from(text).toString() === 'éa' &&
      [0, 1, 2, 3, 4].every((at) => cells.isNull(at) === (at === 2)) &&
      cells.number(3) === -2.5 &&
      cells.low(4) === -1 &&
      cells.high(4) === -2097153
    );
  } catch {
    return false; // not a row
  }
}

/** Reads the rows of a statement, given its handle. */
export function rowReader(memory: MemoryGuard, statement: number, { address, stride }: RowLayout): RowReader {
  let bytes = memory.bytes();
  let words = new Int32Array(bytes.buffer);
  let doubles = new Float64Array(bytes.buffer);
  let view = new DataView(bytes.buffer);
  let row = 0;
  let [start, length] = [0, 0];
  const flagsOf = (at: number): number => words[(row + at * stride + cellFlags) >> 2] ?? 0;
  const wrong = (at: number): never => {
    throw new TypeError(`SQLite holds column ${at} in the wrong storage class (flags ${flagsOf(at) & 0x3f})`);
  };
  const integerAt = (at: number): number => {
    if ((flagsOf(at) & isInteger) === 0) wrong(at);
    return (row + at * stride) >> 2;
  };
  return {
    look: () => {
      if (bytes.length === 0) {
        // Memory grew, so its old views are empty now.
        bytes = memory.bytes();
        words = new Int32Array(bytes.buffer);
        doubles = new Float64Array(bytes.buffer);
        view = new DataView(bytes.buffer);
      }
      row = words[(statement + address) >> 2] ?? 0;
    },
    isNull: (at) => (flagsOf(at) & isNothing) !== 0,
    number: (at) => {
      const place = row + at * stride;
      const flags = flagsOf(at);
      if ((flags & isReal) !== 0) return doubles[place >> 3] ?? 0;
      if ((flags & isAnyNumber) === 0) wrong(at);
      return (words[(place >> 2) + 1] ?? 0) * 2 ** 32 + ((words[place >> 2] ?? 0) >>> 0);
    },
    low: (at) => words[integerAt(at)] ?? 0,
    high: (at) => words[integerAt(at) + 1] ?? 0,
    text: (at) => {
      const flags = flagsOf(at);
      if ((flags & isText) === 0 || (flags & isAnyNumber) !== 0) wrong(at);
      const place = row + at * stride;
      start = words[(place + textAddress) >> 2] ?? 0;
      length = words[(place + textLength) >> 2] ?? 0;
      return length;
    },
    copyText: (into, at) => {
      if (length > 64) {
        // Long enough for a view and a native copy.
        new Uint8Array(into.buffer, into.byteOffset + at, length).set(bytes.subarray(start, start + length));
        return;
      }
      let offset = 0;
      for (; offset + 4 <= length; offset += 4) into.setInt32(at + offset, view.getInt32(start + offset));
      for (; offset < length; offset++) into.setUint8(at + offset, bytes[start + offset] ?? 0);
    },
  };
}
