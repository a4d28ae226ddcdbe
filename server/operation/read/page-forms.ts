/** The two forms in which events are read: rows of values, and bytes by column. */
import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { reshaped, type Shown } from '../shown.ts';
import type { ReadPage } from './event-pages.ts';
import { readColumns, readSelection } from './read.ts';

type WithEvents = Pick<AggregateDefinition, 'eventColumns'>;

const shown = new WeakMap<WithEvents, readonly Column[]>();

/** The columns of an answer with events, in order; the same array for the same aggregate. */
export function shownColumns(aggregate: WithEvents): readonly Column[] {
  const known = shown.get(aggregate);
  if (known !== undefined) return known;
  const { eventColumns } = aggregate;
  const position = eventColumns.filter(({ name }) => name === 'global_position');
  const columns = [...eventColumns.filter(({ hidden }) => hidden !== true), ...position];
  shown.set(aggregate, columns);
  return columns;
}

/** The selection that reads these columns as bytes, with each leaf of a STRUCT as a column. Undefined if a column has no such form. */
export function leavesOf(columns: readonly Column[]): readonly string[] | undefined {
  const plain = columns.every(
    ({ type }) => type.kind !== 'LIST' && (type.kind !== 'STRUCT' || type.fields.every((field) => isPlain(field.type))),
  );
  if (!plain) return undefined;
  return columns.flatMap(({ name, type }) =>
    type.kind === 'STRUCT' ? [`${name} IS NOT NULL`, ...type.fields.map((field) => `${name}.${field.name}`)] : [name],
  );
}

function isPlain({ kind }: Column['type']): boolean {
  return kind !== 'LIST' && kind !== 'STRUCT';
}

/** Reads rows whose last column is the position, which is left out where the caller did not ask for it. */
export function readRows(drops: boolean): ReadPage<Shown<Table>> {
  return async (reader, selection, limits) => {
    let bytes = 0;
    const takes = (told: number): void => void (bytes = told);
    const table = await readSelection(reader, selection, { ...limits, takes });
    const last = (table.rows.at(-1)?.at(-1) ?? 0n) as bigint;
    return { content: drops ? reshaped(table, withoutPosition) : table, rows: table.rows.length, last, bytes };
  };
}

function withoutPosition({ columns, rows }: Table): Table {
  return { columns: columns.slice(0, -1), rows: rows.map((row) => row.slice(0, -1)) };
}

/** Reads a page by column. */
export function readBytes(drops: boolean): ReadPage<Shown<ColumnBatch>> {
  return async (reader, selection, limits) => {
    const batch = await readColumns(reader, selection, limits);
    const bytes = batch.columns.reduce(
      (sum, { present, buffers }) => buffers.reduce((all, { length }) => all + length, sum + present.length),
      0,
    );
    const content = drops
      ? reshaped(batch, ({ rows, columns }: ColumnBatch) => ({ rows, columns: columns.slice(0, -1) }))
      : batch;
    return { content, rows: batch.rows, last: lastInteger(batch), bytes };
  };
}

function lastInteger({ rows, columns }: ColumnBatch): bigint {
  const bytes = columns.at(-1)?.buffers[0];
  if (bytes === undefined || rows === 0) return 0n;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(8 * (rows - 1), true);
}
