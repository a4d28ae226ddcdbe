/** The recorded commands of an aggregate for HTTP (docs/http.md#recorded-commands): filtered while the log is read, so that no more than the answer is held. */
import type { Catalog } from '../../../compiler/index.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Filter } from '../../../language/contract/selection.ts';
import { fail } from '../../../language/failure/failure.ts';
import { compareValues } from '../../../language/values/compare.ts';
import { like } from '../../../language/values/like.ts';
import type { Value } from '../../../language/values/type.ts';
import { rowBytes } from '../../../language/values/value-bytes.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import { raw } from '../../../runtime/engine/raw.ts';
import { rejectionText } from '../../../runtime/engine/rejection.ts';
import { storedRejection } from '../../../runtime/engine/repeated.ts';
import { entriesUntil } from '../../../runtime/store/past/entries-until.ts';
import type { Row } from '../../../runtime/store/store.ts';
import type { Moment } from '../../../runtime/store/past/moment.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { commandColumns, commandRows } from '../../registry/recorded-commands.ts';
import type { Caller } from '../caller.ts';
import type { ResultBudget } from '../inspect/asked.ts';
import { shownRejection, shownTable, type Shown } from '../shown.ts';

/** The recorded commands of an aggregate. */
export type RecordedCommands = (
  domain: Domain,
  aggregate: string,
) => Promise<{
  /** The hidden ones last. */
  readonly columns: readonly Column[];
  /** In the order of the log. */
  readonly read: (asked: CommandsAsked) => Promise<Shown<Table>>;
}>;
export interface CommandsAsked {
  readonly filters: readonly Filter[];
  readonly select: readonly string[];
  readonly caller: Caller;
  readonly limit?: number;
  readonly offset?: number;
  /** The moment of the past that they are asked as of. */
  readonly until?: Moment;
  readonly budget: ResultBudget;
}
export function createRecordedCommands(
  engine: Engine,
  catalogOf: (domain: Domain) => Promise<Catalog>,
): RecordedCommands {
  return async (domain, aggregate) => {
    const catalog = await catalogOf(domain);
    const columns = commandColumns(catalog, aggregate);
    return {
      columns,
      read: async (asked) => {
        const { store } = engine;
        const { until } = asked;
        const { schema } = store;
        const log = until === undefined ? store : { schema, read: (from: number) => entriesUntil(store, until, from) };
        const all = commandRows(log, catalog, aggregate, firstEntry(asked));
        const rows = await chosenRows(readablePages(all, columns, domain, asked), columns, asked);
        const indexes = asked.select.map((name) => columns.findIndex((column) => column.name === name));
        const table = {
          columns: indexes.flatMap((index) => columns[index] ?? []),
          rows: rows.map((row) => indexes.map((index) => row[index] ?? null)),
        };
        return shownTable(raw(table), asked.caller);
      },
    };
  };
}

/** The rows with rejections as the caller may read them, also where a filter compares them. */
async function* readablePages(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly Column[],
  domain: Domain,
  { caller }: CommandsAsked,
): AsyncGenerator<readonly Row[]> {
  const [rejection, outcome] = ['rejection', 'outcome'].map((name) => columns.findIndex((one) => one.name === name));
  const readable = (text: string): string => {
    const stored = storedRejection(text);
    const shown = shownRejection(stored, { caller, domain });
    return shown === stored ? text : rejectionText(shown, 'as given');
  };
  for await (const page of pages)
    yield page.map((row) => {
      if (row[outcome ?? 0] !== 'rejected') return row;
      return row.map((value, at) => (at === rejection && typeof value === 'string' ? readable(value) : value));
    });
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
  let skipped = 0;
  let bytes = 0;
  for await (const page of pages) {
    if (rows.length >= limit) break;
    for (const row of page) {
      if (!filters.every((filter) => holds(filter, columns, row))) continue;
      if (skipped < offset) {
        skipped += 1;
        continue;
      }
      bytes += rowBytes(row);
      if (bytes > budget.bytes) throw fail('R0301', { what: 'bytes', limit: String(budget.bytes) });
      rows.push(row);
      if (rows.length >= limit) break;
    }
    if (rows.length >= limit) break;
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
    case 'equal':
      return order(filter.value) === 0;
    case 'not_equal':
      return order(filter.value) !== 0;
    case 'less':
      return order(filter.value) < 0;
    case 'less_equal':
      return order(filter.value) <= 0;
    case 'greater':
      return order(filter.value) > 0;
    case 'greater_equal':
      return order(filter.value) >= 0;
    default:
      return filter satisfies never;
  }
}
