import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import type { Filter, Selection } from '../../../language/contract/selection.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { QueryOptions } from '../../../runtime/store/store.ts';
import { writeJson } from '../../../language/values/json-write.ts';
import type { Value } from '../../../language/values/type.ts';
import type { Caller } from '../caller.ts';
import { may, rightsKey } from '../rights.ts';
import { leavesOf, shownColumns } from '../read/page-forms.ts';
import { readColumns, readSelection } from '../read/read.ts';
import type { Reader } from '../read/reader.ts';
import type { Interest } from './log-tail.ts';

/** The events that a stream follows: of one aggregate or one of its streams, or of all aggregates that the caller may read. */
export interface EventSource {
  /** The part of the key that distinguishes this source among shared pages. */
  readonly key: string;
  /** The columns of its rows by a registry; undefined if the registry has no such aggregate. */
  readonly columns: (domain: Domain) => readonly Column[] | undefined;
  readonly interest: (domain: Domain) => Interest;
  /** The rights by which it reads. */
  readonly needs: (domain: Domain) => readonly string[];
  /** All its events past one position and up to another, in the order of the log. */
  readonly read: (reader: Reader, range: PositionRange, options: QueryOptions) => Promise<Table>;
  /** Reads a range by column, for each aggregate; undefined if a column has no form as bytes. */
  readonly readColumns: (
    reader: Reader,
    range: PositionRange,
    options: QueryOptions,
  ) => Promise<readonly EventColumns[]> | undefined;
}

/** Events of one aggregate by column. */
export interface EventColumns {
  readonly aggregate: AggregateDefinition;
  /** Columns that are shown. */
  readonly columns: readonly Column[];
  /** A STRUCT is a BOOLEAN and its fields (`leavesOf`); behind all, the type and the position of each event. */
  readonly batch: ColumnBatch;
}

export interface PositionRange {
  readonly after: bigint;
  readonly until: bigint;
}

export interface Restriction {
  readonly filters: readonly Filter[];
  /** The columns of its rows; all shown ones if absent. */
  readonly select?: readonly string[] | undefined;
}

/** The events of one aggregate; a path may restrict them to one stream. */
export function aggregateSource(
  name: string,
  { filters: asked, select }: Restriction,
  streamId: string | undefined,
): EventSource {
  const filters: readonly Filter[] =
    streamId === undefined ? asked : [{ column: 'stream_id', test: 'equal', value: streamId }, ...asked];
  const aggregates = ({ aggregates: all }: Domain): readonly AggregateDefinition[] =>
    all.filter((each) => each.name === name);
  return sourceOf(['one', name], aggregates, {
    ...{ filters, select, streamId },
    columns: (domain) => aggregates(domain).map((aggregate) => ownColumns(aggregate, select))[0],
    joined: ([only]) => only ?? { columns: [], rows: [] },
  });
}

/** The events of all aggregates that the caller may read; `data` is JSON, since payloads of aggregates have no type in common. */
export function allSource(caller: Caller, { filters, select }: Restriction): EventSource {
  return sourceOf(['all', rightsKey(caller)], (domain) => readableAggregates(caller, domain), {
    ...{ filters, select, streamId: undefined },
    columns: (domain) => selected(logColumns(domain), logColumns(domain), select),
    joined: (parts, columns) => {
      const at = positionColumn(columns);
      const rows = parts.flatMap(withJsonData).sort((one, other) => Number(one[at] ?? 0n) - Number(other[at] ?? 0n));
      return { columns, rows };
    },
  });
}

interface Sourced extends Restriction {
  readonly streamId: string | undefined;
  readonly columns: EventSource['columns'];
  /** A table with these columns of the events of all aggregates. */
  readonly joined: (parts: readonly Table[], columns: readonly Column[]) => Table;
}

function sourceOf(
  key: readonly string[],
  aggregatesIn: (domain: Domain) => readonly AggregateDefinition[],
  { filters, select, streamId, columns: columnsOf, joined }: Sourced,
): EventSource {
  const columns = madeOnce(columnsOf);
  const selection = ({ name }: AggregateDefinition, names: readonly string[], range: PositionRange): Selection => ({
    relation: `${name}$Events`,
    columns: names,
    filters,
    ...range,
    order: [],
  });
  return {
    key: keyOf([...key, filters, select]),
    columns,
    interest: madeOnce((domain: Domain) => ({
      aggregates: new Set(aggregatesIn(domain).map(({ name }) => name)),
      ...(streamId === undefined ? {} : { streamId }),
      ...typesOf(filters),
    })),
    needs: (domain) => aggregatesIn(domain).map(eventsRight),
    read: async (reader, range, options) => {
      const shown = columns(reader.domain) ?? [];
      const names = shown.map(({ name }) => name);
      const parts = aggregatesIn(reader.domain).map((each) =>
        readSelection(reader, selection(each, names, range), options),
      );
      return joined(await Promise.all(parts), shown);
    },
    readColumns: (reader, range, options) => {
      const parts = aggregatesIn(reader.domain).flatMap((aggregate) => {
        const own = ownColumns(aggregate, select);
        const leaves = leavesOf(own);
        return leaves === undefined ? [] : [{ aggregate, columns: own, leaves }];
      });
      if (parts.length < aggregatesIn(reader.domain).length) return undefined;
      const limit = Number(range.until - range.after);
      return Promise.all(
        parts.map(async ({ leaves, ...part }) => {
          const asked = selection(part.aggregate, [...leaves, 'event_type', 'global_position'], range);
          return { ...part, batch: await readColumns(reader, { ...asked, limit }, options) };
        }),
      );
    },
  };
}

export function readableAggregates(caller: Caller, { aggregates }: Domain): readonly AggregateDefinition[] {
  return aggregates.filter((aggregate) => may(caller, eventsRight(aggregate)));
}

function eventsRight({ name }: Pick<AggregateDefinition, 'name'>): string {
  return `read:${name}$Events`;
}

interface WithAggregates {
  readonly aggregates: readonly Pick<AggregateDefinition, 'eventColumns'>[];
}

/** The columns that the events of all aggregates have. */
export const logColumns = madeOnce(({ aggregates: [first] }: WithAggregates): readonly Column[] =>
  (first === undefined ? [] : shownColumns(first)).map((column): Column =>
    column.name === 'data' ? { name: 'data', type: { kind: 'JSON' }, nullable: true, sensitive: false } : column,
  ),
);

/** Makes something once for each registry: forms are prepared once for the same columns. */
function madeOnce<From extends object, T>(make: (from: From) => T): (from: From) => T {
  const known = new WeakMap<From, { readonly made: T }>();
  return (from) => {
    const before = known.get(from) ?? { made: make(from) };
    known.set(from, before);
    return before.made;
  };
}

/** The place of the position in rows of these columns. */
export function positionColumn(columns: readonly Column[]): number {
  return columns.findIndex(({ name }) => name === 'global_position');
}

function ownColumns(aggregate: AggregateDefinition, select: readonly string[] | undefined): readonly Column[] {
  return selected(shownColumns(aggregate), aggregate.eventColumns, select);
}

function selected(
  shown: readonly Column[],
  all: readonly Column[],
  select: readonly string[] | undefined,
): readonly Column[] {
  return select === undefined ? shown : select.flatMap((name) => all.filter((column) => column.name === name));
}

function withJsonData({ columns, rows }: Table): Table['rows'] {
  const at = columns.findIndex(({ name }) => name === 'data');
  const type = columns[at]?.type;
  if (type === undefined) return rows;
  return rows.map((row) =>
    row.map((value, place) => (place === at && value !== null ? writeJson(value, type) : value)),
  );
}

/** The types of events, if the filters say which. */
function typesOf(filters: readonly Filter[]): Pick<Interest, 'types'> {
  for (const filter of filters) {
    if (filter.column !== 'event_type') continue;
    if (filter.test === 'equal') return { types: new Set([textOf(filter.value)]) };
    if (filter.test === 'in') return { types: new Set(filter.values.map(textOf)) };
  }
  return {};
}

function textOf(value: Value): string {
  return typeof value === 'string' ? value : '';
}

function keyOf(parts: readonly unknown[]): string {
  return JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}
