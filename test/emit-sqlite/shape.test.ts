/** Queries that SQLite would misread or refuse if printed naively, built by hand. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyCatalog, type Catalog } from '../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import type { BoundBody, BoundQuery } from '../../language/catalog/query.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import type { StructField, Value } from '../../language/values/type.ts';
import {
  argument,
  BIGINT,
  BOOLEAN,
  call,
  catalogOf,
  column,
  decimal,
  event,
  events,
  INT,
  literal,
  relation,
  select,
  STRING,
  TIMESTAMP,
} from './bound.ts';
import { openReadModel, type History } from './database.ts';

const one = literal(1, INT);
const two = literal(2, INT);
const none = literal(null, INT);

function rows(
  query: BoundQuery,
  catalog: Catalog = emptyCatalog,
  history: History = {},
  given: Readonly<Record<string, Value>> = {},
) {
  const model = openReadModel(createReadModelDefinition(catalog), history);
  try {
    return model.run(compileQuery(query, catalog), given);
  } finally {
    model.close();
  }
}

function values(...cells: readonly TypedExpression[]): BoundQuery {
  return { ...select(cells.slice(0, 1)), body: { kind: 'values', rows: cells.map((cell) => [cell]) } };
}
function combined(
  operator: 'UNION' | 'INTERSECT' | 'EXCEPT',
  all: boolean,
  left: BoundBody,
  right: BoundBody,
): BoundQuery {
  return {
    ...select([one]),
    body: { kind: 'set', operator, all, left, right },
    orderBy: [{ by: 'output', index: 0, direction: 'ASC', nulls: 'LAST' }],
  };
}
const scalar = (query: BoundQuery): TypedExpression => ({
  kind: 'scalar-query',
  query,
  type: INT,
  nullable: true,
  sensitive: false,
});
const count: TypedExpression = {
  kind: 'aggregate',
  function: 'COUNT',
  arguments: [],
  distinct: false,
  orderBy: [],
  type: BIGINT,
  nullable: false,
  sensitive: false,
};

test('a subquery with two rows fails as a value', () => {
  assert.throws(
    () => rows(select([scalar(values(one, two))])),
    (error: { code?: string }) => error.code === 'R0208',
  );
  assert.equal(rows(select([scalar(values(one))])), [[1]]);
  assert.equal(rows(select([scalar({ ...values(one, two), limit: one })])), [[1]]);
  assert.equal(rows(select([scalar({ ...values(one, two), limit: literal(0, INT) })])), [[null]]);
});

test('integers in GROUP BY and ORDER BY are values, not column numbers', () => {
  const from = { kind: 'derived', id: 0, query: values(one, two, none) } as const;
  assert.equal(rows(select([count], { from, groupBy: [literal(7, INT)], aggregated: true })), [[3n]]);
  const key = { by: 'expression', direction: 'ASC', nulls: 'LAST', expression: literal(9, INT) } as const;
  assert.equal(rows(select([column('a', INT)], { from }, { orderBy: [key] })).length, 3);
});

test('an aggregated query without GROUP BY makes one group of all rows', () => {
  const from = { kind: 'derived', id: 0, query: values(one, two) } as const;
  const nothing = { ...from, query: { ...values(one), limit: literal(0, INT) } };
  const some = call('equal', BOOLEAN, count, literal('2', BIGINT));
  assert.equal(rows(select([one], { from, aggregated: true, having: literal(true, BOOLEAN) })), [[1]]);
  assert.equal(rows(select([one], { from, aggregated: true, having: some })), [[1]]);
  assert.equal(rows(select([one], { from: nothing, aggregated: true, having: some })), []);
  assert.equal(rows(select([count], { from: nothing, aggregated: true })), [[0n]]);
  assert.equal(rows(select([count], { from: nothing, aggregated: true, having: some })), []);
});

test('LIMIT NULL is no limit, and OFFSET works without LIMIT', () => {
  assert.equal(rows({ ...values(one, two), limit: none, offset: none }), [[1], [2]]);
  assert.equal(rows({ ...values(one, two), offset: one }), [[2]]);
});

test('each side of a set operation keeps its own clauses', () => {
  const first = { kind: 'query', query: { ...values(two, one), limit: one } } as const;
  assert.equal(rows(combined('UNION', true, first, values(one).body)), [[1], [2]]);
  const right = combined('UNION', false, values(one).body, values(two).body).body;
  assert.equal(rows(combined('EXCEPT', false, values(one, two, none).body, right)), [[null]]);
});

test('INTERSECT ALL and EXCEPT ALL count equal rows', () => {
  const left = values(one, one, one, none, none, two).body;
  const right = values(one, one, none).body;
  assert.equal(rows(combined('INTERSECT', true, left, right)), [[1], [1], [null]]);
  assert.equal(rows(combined('EXCEPT', true, left, right)), [[1], [2], [null]]);
});

test('a compound of 1000 terms', () => {
  let body: BoundBody = values(one).body;
  for (let terms = 1; terms < 1000; terms++)
    body = { kind: 'set', operator: 'UNION', all: true, left: body, right: select([two]).body };
  assert.equal(
    rows(select([count], { from: { kind: 'derived', id: 0, query: { ...select([one]), body } }, aggregated: true })),
    [[1000n]],
  );
});

const deep: readonly (readonly [number, string, (inner: TypedExpression) => TypedExpression])[] = [
  [100, 'subqueries', (inner) => scalar(select([inner]))],
  [100, 'subqueries of several rows', (inner) => scalar(values(inner))],
  [
    100,
    'EXISTS',
    (inner) => ({ kind: 'exists', query: select([inner]), type: BOOLEAN, nullable: false, sensitive: false }),
  ],
  [
    100,
    'IN',
    (inner) => ({
      kind: 'in-query',
      operand: one,
      query: select([inner]),
      negated: false,
      type: INT,
      nullable: true,
      sensitive: false,
    }),
  ],
  [
    200,
    'CASE',
    (inner) => ({
      kind: 'case',
      branches: [{ when: literal(true, BOOLEAN), then: inner }],
      otherwise: two,
      type: INT,
      nullable: false,
      sensitive: false,
    }),
  ],
  [200, 'additions', (inner) => call('add', INT, inner, literal(0, INT))],
];
for (const [levels, name, wrap] of deep) {
  test(`${levels} levels of ${name}`, () => {
    let expression: TypedExpression = one;
    for (let level = 0; level < levels; level++) expression = wrap(expression);
    assert.equal(Number(rows(select([expression]))[0]?.[0]), 1);
  });
}

test('nested sums of subqueries are printed once for each level', () => {
  let expression: TypedExpression = literal('1', BIGINT);
  for (let level = 0; level < 30; level++) {
    const sum = {
      kind: 'aggregate',
      function: 'SUM',
      arguments: [expression],
      distinct: false,
      orderBy: [],
      type: BIGINT,
      nullable: true,
      sensitive: false,
    } as const;
    expression = { ...scalar(select([sum], { aggregated: true })), type: BIGINT };
  }
  assert.equal(rows(select([expression])), [[1n]]);
});

test('each parameter has one number and the storage class of its type', () => {
  const id = argument('id', STRING);
  const amount = argument('amount', decimal(12, 2));
  const query = select([id, amount, argument('rate', { kind: 'DOUBLE' }), id, argument('flag', BOOLEAN)]);
  const compiled = compileQuery(query, emptyCatalog);
  assert.equal(
    compiled.parameters.map((parameter) => parameter.name),
    ['id', 'amount', 'rate', 'flag'],
  );
  const given = { id: `x'"`, amount: 999999999999n, rate: 3, flag: true };
  assert.equal(rows(query, emptyCatalog, {}, given), [[`x'"`, 999999999999n, 3, `x'"`, true]]);
});

test('a column of a session table may have any name', () => {
  const name = `a"b'); --`;
  const model = openReadModel(createReadModelDefinition(emptyCatalog));
  model.table('s$1', { [name]: STRING }, [['x']]);
  const query = select([column(name, STRING)], { from: relation({ kind: 'session', table: 'T' }) });
  assert.equal(
    model.run(
      compileQuery(query, emptyCatalog, {
        tables: new Map([['T', { physical: 's$1', columns: query.columns.map((own) => ({ ...own, name })) }]]),
      }),
    ),
    [['x']],
  );
  model.close();
});

function fieldsOf({ blocks }: Catalog): readonly StructField[] {
  return (blocks.aggregate[0]?.payload ?? []).map(({ name, type, sensitive }) => ({
    name,
    type,
    ...(sensitive ? { sensitive: true } : {}),
  }));
}

const shop = catalogOf(
  'Shop',
  event('Sold', {
    n: INT,
    price: decimal(8, 2),
    total: BIGINT,
    at: TIMESTAMP,
    note: [STRING, 'SENSITIVE'],
    pin: [INT, 'SENSITIVE'],
  }),
  event('Closed', {}),
);
const history: History = {
  Shop: [
    {
      type: 'Sold',
      stream: 's1',
      data: { n: 2, price: '3.50', total: '7', at: '2026-01-01T00:00:00Z', note: 'hush', pin: 7 },
    },
    { type: 'Closed', stream: 's1', data: {} },
    { type: 'Sold', stream: 's2', data: { n: -1 } },
  ],
};
const data = (): TypedExpression => {
  const type = { kind: 'STRUCT', fields: fieldsOf(shop) } as const;
  return { ...column('data', STRING), type };
};

test("`data` holds exactly the event's own fields", () => {
  assert.equal(rows(select([data()], { from: events('Shop') }), shop, history), [
    [
      new Map<string, Value>([
        ['n', 2],
        ['price', 350n],
        ['total', 7n],
        ['at', 1767225600000000n],
        ['note', 'hush'],
        ['pin', 7],
      ]),
    ],
    [new Map<string, Value>()],
    [
      new Map<string, Value>([
        ['n', -1],
        ['price', null],
        ['total', null],
        ['at', null],
        ['note', null],
        ['pin', null],
      ]),
    ],
  ]);
});

test('a mask of `data` hides its leaves', () => {
  const masked: TypedExpression = { kind: 'mask', of: [data()], type: data().type, nullable: true, sensitive: true };
  const fields = (row: readonly Value[]): unknown => {
    const struct = row[0] as ReadonlyMap<string, Value>;
    return [struct.get('n'), struct.get('note'), struct.get('pin')];
  };
  const found = rows(select([masked], { from: events('Shop') }), shop, history).map(fields);
  assert.equal(found, [
    [2, '****', null],
    [undefined, undefined, undefined],
    [-1, null, null],
  ]);
});

test('`data` of an event with more fields than SQLite takes arguments', () => {
  const names = Array.from({ length: 900 }, (_, index) => `f${index}`);
  const wide = catalogOf('Wide', event('W', Object.fromEntries(names.map((name) => [name, INT]))));
  const type = { kind: 'STRUCT', fields: fieldsOf(wide) } as const;
  const stored = {
    Wide: [{ type: 'W', stream: 's', data: Object.fromEntries(names.map((name, index) => [name, index])) }],
  };
  const found = rows(select([{ ...column('data', STRING), type }], { from: events('Wide') }), wide, stored);
  assert.equal(found, [[new Map(names.map((name, index) => [name, index]))]]);
});

test('the constant stream_type is NULL where an outer join found no event', () => {
  const from = {
    kind: 'join',
    type: 'LEFT',
    left: { kind: 'derived', id: 1, query: values(one) },
    right: events('Shop'),
    on: call('equal', BOOLEAN, column('seq', BIGINT), literal('99', BIGINT)),
  } as const;
  assert.equal(rows(select([column('stream_type', STRING)], { from }), shop, history), [[null]]);
  assert.equal(rows(select([column('stream_type', STRING)], { from: events('Shop') }, { limit: one }), shop, history), [
    ['Shop'],
  ]);
});

test('fields of a STRUCT column of a session table are read from its JSON, and masked there', () => {
  const type = { kind: 'STRUCT', fields: fieldsOf(shop) } as const;
  const columns = [{ name: 'data', type, nullable: true, sensitive: true }];
  const model = openReadModel(createReadModelDefinition(emptyCatalog));
  const stored = new Map<string, Value>([
    ['n', 2],
    ['price', -5n],
    ['total', 2n ** 62n],
    ['at', 1767225600000001n],
    ['note', 'hush'],
    ['pin', null],
  ]);
  model.table('s$1', { data: type }, [[stored], [new Map()], [null]]);
  const masked: TypedExpression = { kind: 'mask', of: [data()], type, nullable: true, sensitive: true };
  const items = [...type.fields.map((field) => column(`data.${field.name}`, field.type)), masked];
  const query = compileQuery(select(items, { from: relation({ kind: 'session', table: 'T' }) }), emptyCatalog, {
    tables: new Map([['T', { physical: 's$1', columns }]]),
  });
  const hidden = new Map([...stored, ['note', '****']] as const);
  assert.equal(model.run(query), [
    [2, -5n, 2n ** 62n, 1767225600000001n, 'hush', null, hidden],
    [null, null, null, null, null, null, new Map()],
    [null, null, null, null, null, null, null],
  ]);
  model.close();
});

test('the relations of a query are listed, each once', () => {
  const from = {
    kind: 'join',
    type: 'CROSS',
    left: events('Shop', 0),
    right: {
      kind: 'join',
      type: 'CROSS',
      left: relation({ kind: 'state', aggregate: 'Shop' }, 1),
      right: events('Shop', 2),
    },
  } as const;
  const query = select(
    [scalar(select([count], { from: relation({ kind: 'meta', relation: 'meta_events' }, 3), aggregated: true }))],
    { from },
  );
  assert.equal(compileQuery(query, shop).reads, ['Shop$Agg', 'Shop$Events', 'meta_events']);
});

test.run();
