/** Reads by chance of every relation of a domain, and the rows that a caller gets. */
import type { Chance } from '../crash/chance.ts';
import { literal, pick, pools, type Columns } from './condition.ts';
import type { Aggregate, Projection, TestDomain } from './domain.ts';
import { admits, everyRow, isClear, rowOf, seesStream, stateColumns, streamIds, type Everything } from './history.ts';
import type { Asker, Cell, Cells, Served } from './served.ts';

/** A path, and what a caller is shown of its rows. */
export interface Source {
  readonly path: string;
  /** Columns that filters and `order` may name. */
  readonly columns: Columns;
  /** Columns without which `select` is refused. */
  readonly needed: readonly string[];
  readonly hasOrder: boolean;
  readonly hasOffset: boolean;
  readonly hasPast: boolean;
  readonly hasCount: boolean;
  /** The stream whose state is at the path. */
  readonly stream: string | undefined;
  readonly sees: (row: Cells, asker: Asker, all: Everything) => boolean;
  /** Whether a row has its SENSITIVE values as they are. */
  readonly clear: (row: Cells, asker: Asker, all: Everything) => boolean;
  /** Whether CLEAR is among its clauses: whose row counts for the past is not promised. */
  readonly hasClear: boolean;
}

const eventColumns: Columns = { event_type: 'STRING', stream_id: 'STRING', seq: 'INT', global_position: 'INT' };
const commandColumns: Columns = { stream_id: 'STRING', outcome: 'STRING' };
const all = { needed: [], hasOrder: true, hasOffset: true, hasPast: true, hasCount: true, stream: undefined } as const;

/** Sources of one kind are alternatives: each list is asked equally often. */
function ofAggregate(aggregate: Aggregate): readonly (readonly Source[])[] {
  const { name, clear } = aggregate;
  const path = `/api/aggregates/${name}`;
  const by = (column: string): Pick<Source, 'sees' | 'clear' | 'hasClear'> => ({
    sees: (row, asker, every) => seesStream(aggregate, row[column] ?? '', asker, every),
    clear: (row, asker, every) => isClear(aggregate, every.states.get(name)?.get(row[column] ?? ''), asker, every),
    hasClear: clear !== undefined,
  });
  const { secret: _, ...columns } = stateColumns(aggregate);
  const one = { ...all, hasOrder: false, hasOffset: false };
  const each = streamIds.map((id) => [id, encodeURIComponent(id)] as const);
  return [
    [
      { path, columns, ...all, ...by('aggregate_id') },
      { path: `${path}/state`, columns, ...all, ...by('aggregate_id') },
    ],
    [{ path: `${path}/events`, columns: eventColumns, ...all, ...by('stream_id') }],
    [
      {
        path: `${path}/commands`,
        columns: commandColumns,
        ...all,
        hasOrder: false,
        hasCount: false,
        ...by('stream_id'),
      },
    ],
    each.map(([id, part]) => ({ path: `${path}/${part}`, columns, ...one, stream: id, ...by('aggregate_id') })),
    each.map(([, part]) => ({ path: `${path}/events/${part}`, columns: eventColumns, ...one, ...by('stream_id') })),
  ];
}

function ofProjection(projection: Projection): Source {
  const { secret: _, ...columns } = projection.columns;
  return {
    path: `/api/projections/${projection.name}/query`,
    columns,
    ...all,
    sees: (row, asker, every) => admits(projection.visible, rowOf(row, projection.columns), asker, every),
    clear: (row, asker, every) => isClear(projection, rowOf(row, projection.columns), asker, every),
    hasClear: projection.clear !== undefined,
  };
}

/** Events of all aggregates; `Member` has no clause. */
function ofLog(domain: TestDomain): Source {
  const of = (row: Cells): Aggregate | undefined => domain.aggregates.find(({ name }) => name === row['stream_type']);
  return {
    path: '/api/events',
    columns: eventColumns,
    ...all,
    needed: ['global_position'],
    hasOrder: false,
    hasOffset: false,
    hasPast: false,
    hasCount: false,
    sees: (row, asker, every) => {
      const aggregate = of(row);
      return aggregate === undefined || seesStream(aggregate, row['stream_id'] ?? '', asker, every);
    },
    clear: (row, asker, every) => {
      const aggregate = of(row);
      const state = every.states.get(row['stream_type'] ?? '')?.get(row['stream_id'] ?? '');
      return aggregate === undefined || isClear(aggregate, state, asker, every);
    },
    hasClear: false,
  };
}

export const sourcesOf = (domain: TestDomain): readonly (readonly Source[])[] => [
  ...domain.aggregates.flatMap(ofAggregate),
  ...domain.projections.map((projection) => [ofProjection(projection)]),
  [ofLog(domain)],
];

export interface Read {
  readonly source: Source;
  /** Filters, order and moment: what a caller with all rows is asked for as well. */
  readonly shared: URLSearchParams;
  readonly select: readonly string[] | undefined;
  readonly limit: number | undefined;
  readonly offset: number;
  readonly isPast: boolean;
}

function someFilter(chance: Chance, columns: Columns): readonly [name: string, value: string] {
  const name = pick(chance, Object.keys(columns));
  const kind = columns[name] ?? 'STRING';
  const value = pick(chance, pools[kind]);
  const text = typeof value === 'bigint' ? literal(value, kind) : String(value);
  const operator = pick(chance, kind === 'BOOLEAN' ? ['', '[ne]'] : ['', '[ne]', '[lt]', '[gte]', '[in]']);
  return chance.below(4) === 0
    ? [`${name}[null]`, pick(chance, ['true', 'false'])]
    : [name + operator, operator === '[in]' ? `"${text}"` : text];
}

/** A read of one of some sources, in a log of at least `last` events. */
export function someRead(chance: Chance, sources: readonly Source[], last: number): Read {
  const source = pick(chance, sources);
  const shared = new URLSearchParams();
  const flip = (): boolean => chance.below(2) === 0;
  if (flip()) shared.set(...someFilter(chance, source.columns));
  const isPast = source.hasPast && chance.below(4) === 0;
  if (isPast) shared.set('as_of', String(1 + chance.below(last)));
  if (source.hasOrder && flip())
    shared.set('order', `${pick(chance, Object.keys(source.columns))}.${pick(chance, ['asc', 'desc'])}`);
  if (/\/events$/.test(source.path) && chance.below(3) === 0) shared.set('after', String(chance.below(last)));
  return {
    source,
    shared,
    select: flip() ? undefined : [...new Set([pick(chance, Object.keys(source.columns)), ...source.needed])],
    // In a past without a row nothing says whether the row was left out.
    limit: flip() || (isPast && source.stream !== undefined) ? undefined : chance.below(4),
    offset: source.hasOffset && flip() ? chance.below(3) : 0,
    isPast,
  };
}

export function pathOf({ source, shared, select, limit, offset }: Read): string {
  const whole = new URLSearchParams(shared);
  if (select !== undefined) whole.set('select', select.join(','));
  if (limit !== undefined) whole.set('limit', String(limit));
  if (offset > 0) whole.set('offset', String(offset));
  return `${source.path}?${whole.toString()}`;
}

export interface Expected {
  readonly rows: readonly Cells[];
  /** Without `limit` and `offset`. */
  readonly total: number;
  /** Whether the caller sees the stream of a path that names one. */
  readonly isMissing: boolean;
}

const masked = (row: Cells): Cells => {
  const hide = (value: Cell | undefined): Cell => (value === null || value === undefined ? null : '****');
  if (row['secret'] !== undefined) return { ...row, secret: hide(row['secret']) };
  const data = row['data'];
  if (data === undefined || data === null) return row;
  const leaves = JSON.parse(data) as Readonly<Record<string, Cell>>; // of a payload with plain fields
  return 'secret' in leaves ? { ...row, data: JSON.stringify({ ...leaves, secret: hide(leaves['secret']) }) } : row;
};

/** Rows in which nothing tells the SENSITIVE value. */
export const unsaid = (row: Cells): Cells => masked({ ...row, ...(row['secret'] === undefined ? {} : { secret: '' }) });

export function expectedRows(
  read: Read,
  everyone: readonly Cells[] | undefined,
  asker: Asker,
  every: Everything,
): Expected {
  const { source, select, limit, offset } = read;
  const seen = (everyone ?? []).filter((row) => source.sees(row, asker, every));
  const shown = seen.map((row) => (source.clear(row, asker, every) ? row : masked(row)));
  const page = shown.slice(offset, limit === undefined ? undefined : offset + limit);
  const rows = select === undefined ? page : page.map((row) => chosen(row, select));
  const isHidden = source.stream !== undefined && !source.sees({ aggregate_id: source.stream }, asker, every);
  return { rows, total: seen.length, isMissing: everyone === undefined || isHidden };
}

const chosen = (row: Cells, names: readonly string[]): Cells =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));

/** All rows of a read, to which every caller's are compared; kept while nothing is written. */
export function rowsForAll(served: Served): (read: Read) => Promise<readonly Cells[] | undefined> {
  const kept = new Map<string, Promise<readonly Cells[] | undefined>>();
  return ({ source, shared }) => {
    const path = `${source.path}?${shared.toString()}`;
    const found = kept.get(path) ?? everyRow(served, path);
    kept.set(path, found);
    return found;
  };
}
