/** Random filters, orders and columns over HTTP against the same SELECT in the console, and against an evaluation in JavaScript. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChance, seedOf } from '../crash/chance.ts';
import { startSample } from './sample-server.ts';

const test = suite('random filters');
const server = await startSample({ services: true });
test.after(() => server.stop());

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;
const chance = createChance(seedOf('filters'));

function pick<T>(items: readonly T[]): T {
  return items[chance.below(items.length)] as T; // no list here is empty
}

const columns = ['name', 'qty', 'price', 'ok'] as const;
const values: Readonly<Record<string, readonly Cell[]>> = {
  name: ['', 'a', 'b', 'a%', 'B_', "it's", 'x,y', null],
  qty: [-1, 0, 1, 2, 3, null],
  price: [0.5, 1.25, 10, null],
  ok: [true, false, null],
};
const relations = [
  { path: '/api/aggregates/Item', name: 'Reg."Item$Agg"', key: 'aggregate_id', own: 'aggregate_id' },
  { path: '/api/projections/Stock/query', name: 'Reg.Stock', key: 'item', own: 'qty DESC, item' },
] as const;

const lang = readFileSync(new URL('./items.schema', import.meta.url), 'utf8').replace(/^--.*\n/, '');
assert.is((await server.post('/api/lang/create', { lang })).status, 201);
for (let at = 0; at < 40; at++) {
  const row = Object.fromEntries(columns.map((column) => [column, pick(values[column] ?? [])]));
  await server.post('/api/aggregates/Item/execute/AddItem', { id: `i${at}`, ...row });
}

const symbols = { '': '=', lt: '<', lte: '<=', gt: '>', gte: '>=', ne: '<>' } as const;
type Operator = keyof typeof symbols;
const holds: Readonly<Record<Operator, (one: Cell, other: Cell) => boolean>> = {
  '': (one, other) => one === other,
  lt: (one, other) => compare(one, other) < 0,
  lte: (one, other) => compare(one, other) <= 0,
  gt: (one, other) => compare(one, other) > 0,
  gte: (one, other) => compare(one, other) >= 0,
  ne: (one, other) => one !== other,
};

function compare(one: Cell, other: Cell): number {
  return one === other ? 0 : (one ?? 0) < (other ?? 0) ? -1 : 1;
}

function literal(value: Cell): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

interface Filter {
  readonly parameter: readonly [name: string, value: string];
  readonly sql: string;
  readonly keeps: (row: Row) => boolean;
}

function randomFilter(column: string): Filter {
  const some = (): Exclude<Cell, null> => pick((values[column] ?? []).filter((value) => value !== null));
  const kind = pick(['compare', 'compare', 'in', 'null'] as const);
  if (kind === 'null') {
    const isNull = pick([true, false]);
    return {
      parameter: [`${column}[null]`, String(isNull)],
      sql: `${column} IS ${isNull ? '' : 'NOT '}NULL`,
      keeps: (row) => (row[column] === null) === isNull,
    };
  }
  if (kind === 'in') {
    const list = [some(), some()];
    return {
      parameter: [`${column}[in]`, list.map((value) => `"${String(value)}"`).join(',')],
      sql: `${column} IN (${list.map(literal).join(', ')})`,
      keeps: (row) => list.includes(row[column] as Exclude<Cell, null>),
    };
  }
  const operator = pick(column === 'ok' ? (['', 'ne'] as const) : (Object.keys(symbols) as Operator[]));
  const value = some();
  return {
    parameter: [operator === '' ? column : `${column}[${operator}]`, String(value)],
    sql: `${column} ${symbols[operator]} ${literal(value)}`,
    keeps: (row) => row[column] !== null && holds[operator](row[column] ?? null, value),
  };
}

async function rowsOf(answer: Promise<Response>): Promise<readonly Row[]> {
  const response = await answer;
  const body = (await response.json()) as readonly Row[];
  assert.is(response.status, 200, JSON.stringify(body));
  return body;
}

for (const { path, name, key, own } of relations) {
  test(`random reads of ${name}`, async () => {
    const all = await rowsOf(server.get(path, { Accept: 'application/json' }));
    assert.is(all.length, 40);
    for (let run = 0; run < 60; run++) {
      const filters = columns.filter(() => pick([true, false, false])).map(randomFilter);
      const sorted = pick(columns);
      const direction = pick(['asc', 'desc'] as const);
      const limit = pick([3, 10, 100]);
      const query = new URLSearchParams();
      for (const { parameter } of filters) query.set(...parameter);
      query.set('order', `${sorted}.${direction}`);
      query.set('select', `${key},${sorted}`);
      query.set('limit', String(limit));
      const read = server.get(`${path}?${query.toString()}`, { Accept: 'application/json', Prefer: 'count=exact' });
      const total = Number((await read).headers.get('schemac-total'));
      const found = await rowsOf(read);
      const where = filters.length === 0 ? '' : ` WHERE ${filters.map(({ sql }) => sql).join(' AND ')}`;
      const rest = sorted === 'qty' ? key : own;
      const sql = `SELECT ${key}, ${sorted} FROM ${name}${where} ORDER BY ${sorted} ${direction}, ${rest} LIMIT ${limit}`;
      assert.equal(found, await rowsOf(server.post('/api/query', { sql })), sql);
      const kept = all.filter((row) => filters.every(({ keeps }) => keeps(row)));
      assert.is(total, kept.length, sql);
      const ids = new Set(kept.map((row) => row[key]));
      assert.ok(found.length === Math.min(limit, kept.length) && found.every((row) => ids.has(row[key] ?? null)), sql);
      const keys = found.map((row) => row[sorted] ?? null);
      const place = (value: Cell): number => (value === null ? 1 : 0);
      const sign = direction === 'asc' ? 1 : -1;
      const isSorted = keys.slice(1).every((value, at) => {
        const before = keys[at] ?? null;
        const nulls = place(before) - place(value);
        return sign * (nulls === 0 ? (value === null ? 0 : compare(before, value)) : nulls) <= 0;
      });
      assert.ok(isSorted, `${sql}: ${JSON.stringify(keys)}`);
    }
  });
}

test.run();
