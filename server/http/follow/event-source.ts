import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import type { Filter } from '../../../language/contract/selection.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { QueryOptions } from '../../../runtime/store/store.ts';
import { writeJson } from '../../../language/values/json-write.ts';
import type { Value } from '../../../language/values/type.ts';
import { may, rightsKey } from '../../operation/caller.ts';
import { leavesOf, shownColumns } from '../../operation/read/page-forms.ts';
import { readColumns, readSelection } from '../../operation/read/read.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import type { Call } from '../pipeline/route.ts';
import type { Interest } from './log-tail.ts';

/** The events that a stream follows: of one aggregate or one of its streams, or of all aggregates that the caller may read. */
export interface EventSource {
  /** The part of the key that distinguishes this source among shared pages. */
  readonly key: string;
  /** The columns of its rows by a registry; undefined if the registry has no such aggregate. */
  readonly columns: (domain: Domain) => readonly Column[] | undefined;
  readonly interest: (domain: Domain) => Interest;
  /** All its events past one position and up to another, in the order of the log. */
  readonly read: (call: Call, range: PositionRange, options: QueryOptions) => Promise<Table>;
  /** The same by column, for each aggregate; undefined if a column has no form as bytes. */
  readonly readColumns: (
    call: Call,
    range: PositionRange,
    options: QueryOptions,
  ) => Promise<readonly EventColumns[]> | undefined;
}

/** Events of one aggregate by column. */
export interface EventColumns {
  readonly aggregate: AggregateDefinition;
  /** Those that are shown. */
  readonly columns: readonly Column[];
  /** A STRUCT is a BOOLEAN and its fields (`leavesOf`); behind all, the type and the position of each event. */
  readonly batch: ColumnBatch;
}

export interface PositionRange {
  readonly after: bigint;
  readonly until: bigint;
}

type Restriction = Pick<ReadParameters, 'filters' | 'select'>;

/** The events of one aggregate; a path may restrict them to one stream. */
export function aggregateSource(
  name: string,
  { filters, select }: Restriction,
  streamId: string | undefined,
): EventSource {
  const aggregateIn = (domain: Domain): AggregateDefinition | undefined =>
    domain.aggregates.find((aggregate) => aggregate.name === name);
  const interest: Interest = {
    aggregates: new Set([name]),
    ...(streamId === undefined ? {} : { streamId }),
    ...typesOf(filters),
  };
  const all: readonly Filter[] =
    streamId === undefined ? filters : [{ column: 'stream_id', test: 'equal', value: streamId }, ...filters];
  const columns = madeOnce((domain: Domain): readonly Column[] | undefined => {
    const aggregate = aggregateIn(domain);
    return aggregate === undefined ? undefined : selected(shownColumns(aggregate), aggregate.eventColumns, select);
  });
  return {
    key: keyOf(['one', name, all, select]),
    columns,
    interest: () => interest,
    read: (call, range, options) =>
      readSelection(
        call,
        {
          relation: `${name}$Events`,
          columns: (columns(call.domain) ?? []).map((column) => column.name),
          filters: all,
          ...range,
          order: [],
        },
        options,
      ),
    readColumns: (call, range, options) => {
      const aggregate = aggregateIn(call.domain);
      const shown = columns(call.domain);
      if (aggregate === undefined || shown === undefined) return undefined;
      const leaves = leavesOf(shown);
      if (leaves === undefined) return undefined;
      return columnsOf(call, { aggregate, columns: shown, leaves, filters: all, range }, options).then((part) => [
        part,
      ]);
    },
  };
}

/** The events of all aggregates that the caller may read; `data` is JSON, since payloads of aggregates have no type in common. */
export function allSource(call: Call, { filters, select }: Restriction): EventSource {
  const columns = madeOnce((domain: Domain) => selected(logColumns(domain), logColumns(domain), select));
  return {
    key: keyOf(['all', rightsKey(call.caller), filters, select]),
    columns,
    interest: madeOnce((domain: Domain) => {
      const readable = readableAggregates(call, domain).map(({ name }) => name);
      return { aggregates: new Set(readable), ...typesOf(filters) };
    }),
    read: async (reading, range, options) => {
      const { domain } = reading;
      const shown = columns(domain);
      const names = shown.map(({ name }) => name);
      const parts = await Promise.all(
        readableAggregates(reading, domain).map(({ name }) =>
          readSelection(reading, { relation: `${name}$Events`, columns: names, filters, ...range, order: [] }, options),
        ),
      );
      const at = positionColumn(shown);
      const rows = parts.flatMap((part) => withJsonData(part)).sort((one, other) => byPosition(one[at], other[at]));
      return { columns: shown, rows };
    },
    readColumns: (reading, range, options) => {
      const { domain } = reading;
      const parts = readableAggregates(reading, domain).map((aggregate) => {
        const own = selected(shownColumns(aggregate), aggregate.eventColumns, select);
        return { aggregate, columns: own, leaves: leavesOf(own), filters, range };
      });
      const plain = parts.flatMap(({ leaves, ...part }) => (leaves === undefined ? [] : [{ ...part, leaves }]));
      if (plain.length < parts.length) return undefined;
      return Promise.all(plain.map((part) => columnsOf(reading, part, options)));
    },
  };
}

async function columnsOf(
  call: Call,
  {
    aggregate,
    columns,
    leaves,
    filters,
    range,
  }: Omit<EventColumns, 'batch'> & {
    readonly leaves: readonly string[];
    readonly filters: readonly Filter[];
    readonly range: PositionRange;
  },
  options: QueryOptions,
): Promise<EventColumns> {
  const selection = {
    ...{
      relation: `${aggregate.name}$Events`,
      columns: [...leaves, 'event_type', 'global_position'],
      filters,
      ...range,
    },
    ...{ limit: Number(range.until - range.after), order: [] },
  };
  return { aggregate, columns, batch: await readColumns(call, selection, options) };
}

export function readableAggregates({ caller }: Call, domain: Domain): readonly AggregateDefinition[] {
  return domain.aggregates.filter(({ name }) => may(caller, `read:${name}$Events`));
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

function byPosition(one: Value | undefined, other: Value | undefined): number {
  return Number(one ?? 0n) - Number(other ?? 0n);
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
