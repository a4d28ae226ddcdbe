import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { changed } from '../room/pulled.ts';
import type { Shown } from '../shown.ts';
import { eventPages, type EventRange } from './event-pages.ts';
import { leavesOf, readBytes, readRows, shownColumns } from './page-forms.ts';
import { named, readResult } from './read.ts';
import type { Reader } from './reader.ts';

/** Which events are asked for, up to the position `until`. */
export type EventsAsked = Pick<Selection, 'filters' | 'after' | 'limit' | 'offset' | 'order'> & {
  readonly until: bigint;
  /** The columns of the answer; all shown ones if absent. */
  readonly select?: readonly string[];
};

/** Events as one table, or in batches, the first of which are already read. */
export type EventsRead =
  | { readonly kind: 'table'; readonly table: Shown<Table> }
  | { readonly kind: 'batches'; readonly columns: readonly Column[]; readonly batches: AsyncIterable<readonly Row[]> }
  /** Rows by column; `whole` if all batches are already read. */
  | {
      readonly kind: 'columns';
      readonly columns: readonly Column[];
      readonly batches: AsyncIterable<ColumnBatch>;
      readonly whole: boolean;
    };

/** Events by position are read page by page, however many. Any other order needs all of them, within the budget of a result. */
export async function readEvents(
  reader: Reader,
  aggregate: AggregateDefinition,
  { select, ...asked }: EventsAsked,
  byColumn: boolean,
): Promise<EventsRead> {
  const columns = columnsOf(aggregate, select);
  const [first] = asked.order;
  if (first === undefined || first.column === 'global_position')
    return readPages(reader, aggregate, columns, { ...asked, backwards: first?.direction === 'DESC' }, byColumn);
  const names = columns.map(({ name }) => name);
  const rows = readResult(reader, { ...asked, relation: `${aggregate.name}$Events`, columns: names });
  return { kind: 'table', table: await named(`aggregate '${aggregate.name}'`, rows) };
}

function columnsOf(aggregate: AggregateDefinition, select: readonly string[] | undefined): readonly Column[] {
  if (select === undefined) return shownColumns(aggregate);
  return select.flatMap((name) => aggregate.eventColumns.filter((column) => column.name === name));
}

/**
 * The first pages are read before the answer begins, so that an early failure still gets its status; an answer that ends with the first
 * page is sent whole.
 */
async function readPages(
  reader: Reader,
  aggregate: AggregateDefinition,
  columns: readonly Column[],
  range: EventRange,
  byColumn: boolean,
): Promise<EventsRead> {
  // Pages continue after the position at the end of their last row.
  const drops = columns.at(-1)?.name !== 'global_position';
  const read = drops ? [...columns, ...columnsOf(aggregate, ['global_position'])] : columns;
  const leaves = byColumn ? leavesOf(read) : undefined;
  if (leaves !== undefined) {
    const pages = eventPages(reader, aggregate, leaves, range, readBytes(drops));
    const begun = await takeTwo(pages);
    const whole = begun.length === 1;
    return { kind: 'columns', columns, batches: changed(pages, (batch: ColumnBatch) => batch, begun), whole };
  }
  const names = read.map(({ name }) => name);
  const pages = eventPages(reader, aggregate, names, range, readRows(drops));
  const begun = await takeTwo(pages);
  const [first] = begun;
  if (first === undefined) throw new Error('the first page of events always comes');
  if (begun.length === 1) return { kind: 'table', table: first };
  return { kind: 'batches', columns: first.columns, batches: changed(pages, (page: Table) => page.rows, begun) };
}

async function takeTwo<T>(pages: AsyncIterator<T>): Promise<T[]> {
  const first = await pages.next();
  if (first.done === true) return [];
  const second = await pages.next();
  return second.done === true ? [first.value] : [first.value, second.value];
}
