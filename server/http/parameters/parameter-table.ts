/**
 * The query parameters and filter operators of reads. Parser, OpenAPI, the documentation's route table and the notes of `build` are made
 * from this table. A route lists what it takes; a column is a parameter of every route that takes `filters`.
 */
import type { Column } from '../../../language/contract/query.ts';
import type { Filter } from '../../../language/contract/selection.ts';
import type { Type } from '../../../language/values/type.ts';

export interface NamedParameter {
  readonly takes: 'number' | 'position' | 'flag' | 'order' | 'columns' | 'tag' | 'moment';
  readonly summary: string;
}

export const namedParameters = {
  limit: { takes: 'number', summary: 'maximum number of rows' },
  offset: { takes: 'number', summary: 'rows to skip' },
  after: {
    takes: 'position',
    summary: 'only events past this global position; for a stream also end, which means from now on',
  },
  since: { takes: 'moment', summary: 'only events from this ISO 8601 time on' },
  until: { takes: 'number', summary: 'only events up to this global position; a stream ends there' },
  follow: { takes: 'flag', summary: 'true: the answer goes on with each new event (docs/http.md#following-events)' },
  heartbeat: { takes: 'number', summary: 'of a stream: seconds without an event until a mark is sent, from 1 to 60' },
  names: { takes: 'flag', summary: 'of text/event-stream: true gives each event the name of its type' },
  tag: { takes: 'tag', summary: 'only events with this tag, as field:value; of several tags all' },
  order: {
    takes: 'order',
    summary:
      'columns to sort by, separated by commas, each with .asc or .desc and .nullsfirst or .nullslast if needed; a name may be in double quotes',
  },
  select: {
    takes: 'columns',
    summary: 'columns of the answer in their order, separated by commas; a name may be in double quotes',
  },
  explain: {
    takes: 'flag',
    summary: 'of a command: true shows the parts of each guard that rejected it, with their values',
  },
  as_of: {
    takes: 'moment',
    summary: 'the answer as of a moment: a global position, or an ISO 8601 time',
  },
} as const satisfies Readonly<Record<string, NamedParameter>>;

export type ParameterName = keyof typeof namedParameters;

/** Inputs of a route: parameters by name, `filters` by column, and `count` for `Prefer: count=exact`. */
export type QueryPart = ParameterName | 'filters' | 'count';

const page = ['limit', 'offset'] as const;
const following = ['follow', 'heartbeat', 'names'] as const;

/** The parts that the tables of routes share. */
export const takes = {
  page,
  /** The registry, which has a past. */
  registry: [...page, 'as_of'],
  rows: [...page, 'order', 'select', 'as_of', 'filters', 'count'],
  events: [...page, 'after', 'until', 'order', 'select', 'as_of', ...following, 'tag', 'filters', 'count'],
  /** The events of all aggregates have only the order of the log. */
  allEvents: ['limit', 'after', 'until', 'select', ...following, 'tag', 'filters'],
  /** Only in the order of the log. */
  commands: [...page, 'select', 'as_of', 'filters'],
  /** A stream has one state, so there is nothing to order. */
  oneState: [...page, 'select', 'as_of', 'filters', 'count'],
} as const satisfies Readonly<Record<string, readonly QueryPart[]>>;

/** An operator of `?column[operator]=value`; `test` is that of `Filter`. */
export interface FilterOperator {
  readonly test: Exclude<Filter['test'], 'has'>;
  readonly summary: string;
  readonly fits: (type: Type) => boolean;
  /** The types that fit, in words. */
  readonly columns: string;
}

const scalars = 'every type but JSON, lists and structs';
const ordered = 'every type but BOOLEAN, JSON, lists and structs';

const isText = ({ kind }: Type): boolean => kind === 'STRING' || kind === 'UUID';
/** Values of the other types have several spellings. */
const isScalar = ({ kind }: Type): boolean => kind !== 'JSON' && kind !== 'LIST' && kind !== 'STRUCT';
const isOrdered = (type: Type): boolean => isScalar(type) && type.kind !== 'BOOLEAN';

/** Columns that may be compared with several values by giving the parameter several times. */
export const repeatable: readonly string[] = ['event_type'];

/** `?column=value`. */
export const equality: FilterOperator = {
  test: 'equal',
  summary: 'equal to the value',
  fits: isScalar,
  columns: scalars,
};

export const filterOperators = {
  lt: { test: 'less', summary: 'less than the value', fits: isOrdered, columns: ordered },
  lte: { test: 'less_equal', summary: 'at most the value', fits: isOrdered, columns: ordered },
  gt: { test: 'greater', summary: 'greater than the value', fits: isOrdered, columns: ordered },
  gte: { test: 'greater_equal', summary: 'at least the value', fits: isOrdered, columns: ordered },
  ne: { test: 'not_equal', summary: 'not equal to the value', fits: isScalar, columns: scalars },
  in: {
    test: 'in',
    summary: 'equal to one of several values, separated by commas; a value may be in double quotes',
    fits: isScalar,
    columns: scalars,
  },
  like: {
    test: 'like',
    summary: 'matching a pattern: % for any text, _ for one character, a backslash before either for itself',
    fits: isText,
    columns: 'STRING, UUID',
  },
  null: { test: 'is_null', summary: 'true: is NULL; false: is not NULL', fits: () => true, columns: 'every type' },
} as const satisfies Readonly<Record<string, FilterOperator>>;

export type OperatorName = keyof typeof filterOperators;

export const operatorNames = Object.keys(filterOperators) as readonly OperatorName[];

/** The most values of one `in`. */
export const mostListed = 1000;

/** Whether rows can be sorted by a column. */
export function canOrder({ type, sensitive }: Pick<Column, 'type' | 'sensitive'>): boolean {
  return isScalar(type) && !sensitive;
}

/** The parameters by name among the parts, in their order. */
export function namesIn(parts: readonly QueryPart[]): readonly ParameterName[] {
  return parts.filter((part): part is ParameterName => isNamed(part));
}

export function isNamed(name: string): name is ParameterName {
  return Object.hasOwn(namedParameters, name);
}

/** The filters on a column, as parameters: `price`, `price[lt]`, …; none on a sensitive column. */
export function filtersOn(
  column: Pick<Column, 'name' | 'type' | 'sensitive'>,
  parts: readonly QueryPart[],
): readonly { readonly parameter: string; readonly operator: FilterOperator }[] {
  if (column.sensitive || !parts.includes('filters')) return [];
  const name = nameOf(column, parts);
  return [
    { parameter: name, operator: equality },
    ...operatorNames.map((each) => ({ parameter: `${name}[${each}]`, operator: filterOperators[each] })),
  ].filter(({ operator }) => operator.fits(column.type));
}

/** A column as a parameter: with a leading point if it has the name of another parameter. */
export function nameOf({ name }: Pick<Column, 'name'>, parts: readonly QueryPart[]): string {
  return isShadowed(name, parts) || name.startsWith('.') ? `.${name}` : name;
}

/** Whether a parameter has the name of this column, in any case: `LIMIT` is neither `limit` nor a column. */
export function isShadowed(column: string, parts: readonly QueryPart[]): boolean {
  const lower = column.toLowerCase();
  return namesIn(parts).some((name) => name === lower);
}
