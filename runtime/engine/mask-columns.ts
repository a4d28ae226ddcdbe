import type { ColumnBatch, ColumnBytes } from '../../language/contract/column-bytes.ts';
import type { Column } from '../../language/contract/query.ts';
import { hasTextMask, textMask } from '../../language/values/mask.ts';

const mask = Buffer.from(textMask);

/** Columns without `sensitive:read`: equal to `maskValue` for each value. None of them is a STRUCT. */
export function maskColumns(batch: ColumnBatch, columns: readonly Column[]): ColumnBatch {
  if (!columns.some(({ sensitive }) => sensitive)) return batch;
  const shown = batch.columns.map((bytes, at) => {
    const column = columns[at];
    if (column?.sensitive !== true) return bytes;
    return hasTextMask(column.type) ? maskedTexts(bytes, batch.rows) : allNull(bytes, batch.rows);
  });
  return { rows: batch.rows, columns: shown };
}

function maskedTexts({ nulls, present }: ColumnBytes, rows: number): ColumnBytes {
  const ends = new Int32Array(rows + 1);
  let end = 0;
  for (let row = 0; row < rows; row++) {
    const isThere = nulls === 0 || ((present[row >> 3] ?? 0) >> (row & 7)) % 2 === 1;
    if (isThere) end += mask.length;
    ends[row + 1] = end;
  }
  return { nulls, present, buffers: [new Uint8Array(ends.buffer), Buffer.alloc(end, mask)] };
}

/** The values under NULLs are zeroed too. */
function allNull({ buffers }: ColumnBytes, rows: number): ColumnBytes {
  return {
    nulls: rows,
    present: new Uint8Array((rows + 7) >> 3),
    buffers: buffers.map(({ length }, at) => new Uint8Array(buffers.length > 1 && at > 0 ? 0 : length)),
  };
}
