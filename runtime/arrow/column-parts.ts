import type { ColumnBatch, ColumnBytes } from '../../language/contract/column-bytes.ts';
import type { Column } from '../../language/contract/query.ts';
import type { BatchParts } from './record-batch.ts';

/**
 * The parts of a batch from columns that are already bytes. A STRUCT is a BOOLEAN that says whether it exists, followed
 * by its fields.
 */
export function columnParts(columns: readonly Column[], { rows, columns: flat }: ColumnBatch): BatchParts {
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
