/** Reads the recorded commands of an aggregate (docs/http.md#recorded-commands). They are filtered while the log is read, so memory holds only the answer. */
import type { Catalog } from '../../../compiler/index.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Comparison, Filter, Selection } from '../../../language/contract/selection.ts';
import { fail } from '../../../language/failure/failure.ts';
import { compareValues } from '../../../language/values/compare.ts';
import { like } from '../../../language/values/like.ts';
import type { Value } from '../../../language/values/type.ts';
import { rowBytes } from '../../../language/values/value-bytes.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { raw } from '../../../runtime/engine/raw.ts';
import { rejectionText } from '../../../runtime/engine/rejection.ts';
import { storedRejection } from '../../../runtime/engine/repeated.ts';
import { entriesUntil } from '../../../runtime/store/past/entries-until.ts';
import type { Moment } from '../../../runtime/store/journal/moment.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { commandColumns, commandRows } from '../../registry/recorded-commands.ts';
import type { Caller } from '../caller.ts';
import type { ResultBudget } from '../room/within-room.ts';
import { shownRejection, shownTable, type Shown } from '../shown.ts';

/** The recorded commands of an aggregate. */
export interface CommandsRelation {
  /** The hidden ones last. */
  readonly columns: readonly Column[];
  /** In the order of the log. */
  readonly read: (asked: CommandsAsked) => Promise<Shown<Table>>;
}

export interface CommandsAsked extends Pick<Selection, 'filters' | 'limit' | 'offset'> {
  readonly select: readonly string[];
  readonly caller: Caller;
  /** The moment of the past that they are asked as of. */
  readonly until?: Moment;
  readonly budget: ResultBudget;
  /** Chooses the streams whose commands the caller may see. */
  readonly visible: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

export function recordedCommands(
  { store }: Engine,
  domain: Domain,
  catalog: Catalog,
  aggregate: string,
): CommandsRelation {
  const columns = commandColumns(catalog, aggregate);
  return {
    columns,
    read: async (asked) => {
      const { until } = asked;
      const { log: whole } = store;
      const log = until === undefined ? whole : { ...whole, read: (from: number) => entriesUntil(whole, until, from) };
      const all = readablePages(commandRows(log, catalog, aggregate, firstEntry(asked)), columns, domain, asked);
      const rows = await chosenRows(all, columns, asked);
      const indexes = asked.select.map((name) => columns.findIndex((column) => column.name === name));
      const table = {
        columns: indexes.flatMap((index) => columns[index] ?? []),
        rows: rows.map((row) => indexes.map((index) => row[index] ?? null)),
      };
      return shownTable(raw(table), asked.caller);
    },
  };
}

/** The rows of visible streams, with rejections as the caller may read them, also where a filter compares them. */
async function* readablePages(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly Column[],
  domain: Domain,
  { caller, visible }: CommandsAsked,
): AsyncGenerator<readonly Row[]> {
  const [rejection, outcome, stream] = ['rejection', 'outcome', 'stream_id'].map((name) =>
    columns.findIndex((one) => one.name === name),
  );
  const streamOf = (row: Row): string => row[stream ?? 0] as string; // the column is a STRING
  const readable = (text: string): string => {
    const stored = storedRejection(text);
    const shown = shownRejection(stored, { caller, domain });
    return shown === stored ? text : rejectionText(shown, 'as given');
  };
  for await (const page of pages) {
    const seen = await visible([...new Set(page.map(streamOf))]);
    yield page
      .filter((row) => seen.has(streamOf(row)))
      .map((row) => {
        if (row[outcome ?? 0] !== 'rejected') return row;
        return row.map((value, at) => (at === rejection && typeof value === 'string' ? readable(value) : value));
      });
  }
}

/** The log is read from the first entry that a filter lets pass. */
function firstEntry({ filters }: CommandsAsked): number {
  const least = filters.map((filter) => {
    if (filter.column !== 'entry' || !('value' in filter) || typeof filter.value !== 'bigint') return 1;
    if (filter.test === 'greater') return Number(filter.value) + 1;
    return filter.test === 'greater_equal' || filter.test === 'equal' ? Number(filter.value) : 1;
  });
  return Math.max(1, ...least);
}

async function chosenRows(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly Column[],
  { filters, limit = Infinity, offset = 0, budget }: CommandsAsked,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const deadline = performance.now() + budget.milliseconds;
  let passed = 0;
  let bytes = 0;
  for await (const page of pages) {
    for (const row of page) {
      if (rows.length >= limit) break;
      if (!filters.every((filter) => holds(filter, columns, row))) continue;
      passed += 1;
      if (passed <= offset) continue;
      bytes += rowBytes(row);
      if (bytes > budget.bytes) throw fail('R0301', { what: 'bytes', limit: String(budget.bytes) });
      rows.push(row);
    }
    if (rows.length >= limit) break;
    if (budget.signal?.aborted === true) throw fail('R0303', {});
    if (performance.now() > deadline) throw fail('R0301', { what: 'time', limit: `${budget.milliseconds} ms` });
  }
  budget.takes(bytes);
  return rows;
}

/** With SQL's meaning: a comparison with NULL does not hold. */
function holds(filter: Filter, columns: readonly Column[], row: Row): boolean {
  const at = columns.findIndex(({ name }) => name === filter.column);
  const column = columns[at];
  const value = row[at] ?? null;
  if (column === undefined) return false;
  if (filter.test === 'is_null') return (value === null) === filter.holds;
  if (value === null) return false;
  const order = (other: Value): number => compareValues(value, column.type, other, column.type);
  switch (filter.test) {
    case 'in':
      return filter.values.some((other) => other !== null && order(other) === 0);
    case 'has':
      return Array.isArray(value) && value.includes(filter.value);
    case 'like':
      return typeof value === 'string' && typeof filter.value === 'string' && like(value, filter.value, '\\');
    default:
      return comparisons[filter.test](order(filter.value));
  }
}

/** By how a value compares with that of the filter. */
const comparisons: Readonly<Record<Exclude<Comparison, 'like'>, (order: number) => boolean>> = {
  equal: (order) => order === 0,
  not_equal: (order) => order !== 0,
  less: (order) => order < 0,
  less_equal: (order) => order <= 0,
  greater: (order) => order > 0,
  greater_equal: (order) => order >= 0,
};
