/** The two forms in which events are read: rows of values, and bytes by column. */
import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { reshaped, type Shown } from '../../operation/shown.ts';
import type { ReadPage } from './event-pages.ts';
import { pulled } from '../../operation/room/pulled.ts';
import { readColumns, readSelection } from './selection.ts';

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

export const readRows: ReadPage<Shown<Table>> = async (call, selection, limits) => {
  let bytes = 0;
  const takes = (told: number): void => void (bytes = told);
  const table = await readSelection(call, selection, { ...limits, takes });
  const last = (table.rows.at(-1)?.at(-1) ?? 0n) as bigint; // the last column is a position
  return { content: table, rows: table.rows.length, last, bytes };
};

/** The pages without the position at the end of their rows, which a caller did not ask for. */
export function withoutPosition(tables: AsyncIterableIterator<Shown<Table>>): AsyncIterableIterator<Shown<Table>> {
  return changed(tables, ({ columns, rows }) => ({
    columns: columns.slice(0, -1),
    rows: rows.map((row) => row.slice(0, -1)),
  }));
}

/** The same by column. */
export function withoutPositions(
  batches: AsyncIterableIterator<Shown<ColumnBatch>>,
): AsyncIterableIterator<Shown<ColumnBatch>> {
  return changed(batches, ({ rows, columns }) => ({ rows, columns: columns.slice(0, -1) }));
}

function changed<T extends object>(
  pages: AsyncIterableIterator<Shown<T>>,
  change: (page: T) => T,
): AsyncIterableIterator<Shown<T>> {
  return pulled(
    async () => {
      const step = await pages.next();
      return step.done === true ? undefined : reshaped(step.value, change);
    },
    async () => {
      await pages.return?.();
    },
  );
}

export const readBytes: ReadPage<Shown<ColumnBatch>> = async (call, selection, limits) => {
  const batch = await readColumns(call, selection, limits);
  const bytes = batch.columns.reduce(
    (sum, { present, buffers }) => buffers.reduce((all, { length }) => all + length, sum + present.length),
    0,
  );
  return { content: batch, rows: batch.rows, last: lastInteger(batch), bytes };
};

function lastInteger({ rows, columns }: ColumnBatch): bigint {
  const bytes = columns.at(-1)?.buffers[0];
  if (bytes === undefined || rows === 0) return 0n;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(8 * (rows - 1), true);
}
