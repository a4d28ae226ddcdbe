/**
 * Folds as tables of the read model: read by index, shared, given up, kept over restarts and rebuilt after a change of
 * the schema.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openTestedStore } from '../kit/tested-engine.ts';
import type { Store } from '../../runtime/store/store.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { appendEvents, type Happened } from './append-events.ts';
import { ask, foldNames, keptTables, planOf, schemaOf, type Schema } from './fold-store.ts';

const rides = (price: string, more = ''): string => `
  CREATE AGGREGATE Bike;
  CREATE EVENT Rented (rider STRING TAG, price ${price}, n INT);
  CREATE COMMAND Rent (bike STRING, rider STRING, price ${price}, n INT);
  CREATE DECISION DoRent FOR Bike ON COMMAND Rent
    EMIT AS SELECT EVENT Rented (rider := :rider, price := :price, n := :n);
  ${more}`;

const fleet = `CREATE PROJECTION Fleet AS
  SELECT stream_id AS bike, COUNT(*) AS rides, SUM(data.price) AS total, LAST(data.rider) AS rider
  FROM Reg."Bike$Events" GROUP BY stream_id;`;
const riders = `CREATE PROJECTION Riders AS
  SELECT data.rider AS rider, MAX(data.n) AS most FROM Reg."Bike$Events" GROUP BY data.rider;`;
const all = `CREATE PROJECTION Total AS SELECT COUNT(*) AS rides, SUM(data.price) AS total FROM Reg."Bike$Events";`;

const ride = (stream: string, rider: string | null, price = '1.00', n = 1): Happened => ({
  type: 'Rented',
  stream,
  data: { ...(rider === null ? {} : { rider }), price, n },
});

async function withMemory<T>(schema: Schema, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openTestedStore();
  try {
    await store.tables.adopt(schema.definition);
    return await work(store);
  } finally {
    await store.close();
  }
}

const board = `CREATE PROJECTION Board AS
  WITH sale AS (SELECT data.rider AS rider, SUM(data.price) AS revenue FROM Reg."Bike$Events" GROUP BY data.rider)
  SELECT f.bike, f.rides, s.revenue FROM Reg.Fleet f LEFT JOIN sale s ON s.rider = f.rider;`;
const counted = `CREATE PROJECTION Counted AS SELECT a.aggregate_id AS bike,
  (SELECT COUNT(*) FROM Reg."Bike$Events" e WHERE e.stream_id = a.aggregate_id AND e.data.n > 1) AS long
  FROM Reg."Bike$Agg" a;`;

for (const [asked, search] of [
  [`SELECT * FROM Reg.Fleet WHERE bike = 'b1'`, 'SEARCH f$… USING PRIMARY KEY (k0=?)'],
  [`SELECT * FROM Reg."Bike$Agg" WHERE aggregate_id = 'b1'`, 'SEARCH f$… USING PRIMARY KEY (k0=?)'],
  [`SELECT * FROM Reg.Riders WHERE rider = 'Ann'`, 'SEARCH f$… USING INDEX i$… (k0=?)'],
  [
    `SELECT * FROM Reg.Board WHERE bike = 'b1'`,
    'SEARCH f$… USING PRIMARY KEY (k0=?)\nSEARCH f$… USING INDEX i$… (k0=?) LEFT-JOIN',
  ],
] as const) {
  test(`a lookup by key reads the index of the fold: ${asked}`, async () => {
    const schema = schemaOf(rides('DECIMAL(10,2)', fleet + riders + board));
    await withMemory(schema, async (store) => {
      const plan = await planOf(store, schema.compile(asked));
      const short = plan.replaceAll(/[fi]\$(f\$)?\w+_([0-9a-f]{16})(\$\d+)?/g, (name) => `${name.slice(0, 2)}…`);
      assert.equal(short, search);
    });
  });
}

test('no projection of folds reads the events', async () => {
  const schema = schemaOf(rides('DECIMAL(10,2)', fleet + riders + all + board + counted));
  await withMemory(schema, async (store) => {
    for (const name of ['Fleet', 'Riders', 'Total', 'Board', 'Counted', '"Bike$Agg"']) {
      const plan = await planOf(store, schema.compile(`SELECT * FROM Reg.${name}`));
      assert.not.match(plan, /\be\$|\br0\b/, name);
    }
  });
});

test('equal folds of different blocks are one table', () => {
  const twin = fleet.replace('Fleet', 'Twin').replace('AS rides', 'AS trips');
  const [table, ...others] = schemaOf(rides('DECIMAL(10,2)', fleet + twin)).definition.sqlite.folds ?? [];
  assert.equal(others, []);
  assert.is(table?.readings.length, 2); // and that of Bike$Agg
});

test('folds over the same events with the same key are one table, except those that may fail, and not without end', () => {
  const by = (name: string, items: string, key: string, where = ''): string =>
    `CREATE PROJECTION ${name} AS SELECT ${key} AS k, ${items} FROM Reg."Bike$Events" ${where} GROUP BY ${key};`;
  const many = (from: number): string =>
    Array.from({ length: 9 }, (_, index) => `COUNT(*) FILTER (WHERE data.n = ${from + index}) AS n${index}`).join(', ');
  const schema = schemaOf(
    rides(
      'DECIMAL(10,2)',
      [
        by('Count', 'COUNT(*) AS n', 'data.rider'),
        by('Most', 'COUNT(*) AS n, MAX(data.n) AS most', 'data.rider'),
        by('Odd', 'COUNT(*) AS n, SUM(100 / data.n) AS share', 'data.rider'),
        by('Some', 'COUNT(*) AS n', 'data.rider', 'WHERE data.n > 1'),
        by('Low', many(0), 'data.rider'),
        by('High', many(10), 'data.rider'),
      ].join('\n'),
    ),
  );
  const shown = (schema.definition.sqlite.folds ?? []).map(({ table, readings, columns }) => [
    table.replace(/_[0-9a-f]+$/, ''),
    readings.length,
    columns.filter(({ name }) => name.startsWith('s')).length,
  ]);
  assert.equal(shown, [
    ['f$Bike_by_stream_id', 1, 3], // Bike$Agg
    ['f$Bike_by_rider', 2, 10], // Count and High
    ['f$Bike_by_rider', 2, 11], // Low, which would make 19 of them, and Most
    ['f$Bike_by_rider', 1, 2], // Odd
    ['f$Bike_by_rider', 1, 1], // Some
  ]);
});

test('NULL is a key like any other, and without keys an empty relation gives one row', async () => {
  const schema = schemaOf(rides('DECIMAL(10,2)', riders + all + counted));
  await withMemory(schema, async (store) => {
    assert.is(await ask(store, schema, 'SELECT * FROM Reg.Total'), '[[0,null]]');
    await appendEvents(store, 'Bike', [ride('b1', null), ride('b1', 'Ann', '2.50', 3)]);
    assert.is(await ask(store, schema, 'SELECT * FROM Reg.Total'), '[[2,3.50]]');
    await appendEvents(store, 'Bike', [ride('b2', null, '0.10', 0)]);
    assert.is(await ask(store, schema, 'SELECT * FROM Reg.Riders ORDER BY rider NULLS FIRST'), '[[null,1],["Ann",3]]');
    assert.is(await ask(store, schema, 'SELECT most FROM Reg.Riders WHERE rider IS NULL'), '[[1]]');
    assert.is(await ask(store, schema, 'SELECT * FROM Reg.Counted ORDER BY bike'), '[["b1",1],["b2",0]]');
  });
});

test('an event that cannot be folded makes reads of that fold fail, and nothing else', async () => {
  const odd = `CREATE PROJECTION Odd AS SELECT stream_id AS bike, SUM(100 / data.n) AS share
    FROM Reg."Bike$Events" GROUP BY stream_id;`;
  const schema = schemaOf(rides('DECIMAL(10,2)', fleet + odd));
  await withMemory(schema, async (store) => {
    await appendEvents(store, 'Bike', [ride('b1', 'Ann', '1.00', 4), ride('b2', 'Ann', '1.00', 5)]);
    assert.is(await ask(store, schema, 'SELECT * FROM Reg.Odd ORDER BY bike'), '[["b1",25],["b2",20]]');
    assert.equal(await keptTables(store), foldNames(schema));
    await appendEvents(store, 'Bike', [ride('b1', 'Bob', '1.00', 0)]);
    assert.is(await ask(store, schema, 'SELECT * FROM Reg.Odd ORDER BY bike'), 'R0201');
    await appendEvents(store, 'Bike', [ride('b2', 'Cid', '1.00', 10)]);
    assert.is(await ask(store, schema, `SELECT * FROM Reg.Odd WHERE bike = 'b2'`), '[["b2",30]]', 'as a scan would');
    assert.is(await ask(store, schema, 'SELECT bike, rides FROM Reg.Fleet ORDER BY bike'), '[["b1",2],["b2",2]]');
    assert.is((await keptTables(store)).length, foldNames(schema).length - 1);
  });
});

test('events applied ahead and rolled back leave no trace, not even a failed fold', async () => {
  const odd = `CREATE PROJECTION Odd AS SELECT SUM(100 / data.n) AS share FROM Reg."Bike$Events";`;
  const schema = schemaOf(rides('DECIMAL(10,2)', odd));
  await withMemory(schema, async (store) => {
    await appendEvents(store, 'Bike', [ride('b1', 'Ann', '1.00', 4)]);
    const stop = new Error('taken back');
    const turned = store.turns.exclusively(async (turn) => {
      const [position, seq] = [turn.nextPosition(), (await turn.head('Bike', 'b1')) + 1];
      const event = {
        position,
        id: 'x',
        type: 'Rented',
        version: 1,
        streamType: 'Bike',
        streamId: 'b1',
        seq,
        data: '{"n":0}',
      };
      turn.append(
        { kind: 'command', command: 'Do', streamType: 'Bike', streamId: 'b1', events: [event] },
        1_800_000_000_000_000n,
      );
      await turn.query(schema.compile('SELECT * FROM Reg.Odd'), []).then(
        () => assert.unreachable('the turn sees the event that divides by zero'),
        () => undefined,
      );
      throw stop;
    });
    await turned.catch((error: unknown) => assert.is(error, stop));
    assert.is(await ask(store, schema, 'SELECT * FROM Reg.Odd'), '[[25]]');
    assert.equal(await keptTables(store), foldNames(schema));
    await appendEvents(store, 'Bike', [ride('b1', 'Ann', '1.00', 5)]);
    assert.is(await ask(store, schema, 'SELECT * FROM Reg.Odd'), '[[45]]');
  });
});

const questions = [
  'SELECT * FROM Reg.Fleet ORDER BY bike',
  'SELECT * FROM Reg.Riders ORDER BY rider',
  'SELECT * FROM Reg.Total',
  'SELECT * FROM Reg."Bike$Agg" ORDER BY aggregate_id',
];

/** Reads from the folds, and from a store without folds that reads the whole log. */
async function sameAsScan(store: Store, schema: Schema, history: readonly Happened[]): Promise<void> {
  const scanning = {
    ...schema,
    definition: { ...schema.definition, sqlite: { ...schema.definition.sqlite, folds: [] } },
  };
  const expected = await withMemory(scanning, async (other) => {
    await appendEvents(other, 'Bike', history);
    return Promise.all(questions.map((asked) => ask(other, schema, asked)));
  });
  assert.equal(await Promise.all(questions.map((asked) => ask(store, schema, asked))), expected);
}

const history = Array.from({ length: 60 }, (_, at) =>
  ride(`b${at % 7}`, at % 3 === 0 ? null : `r${at % 4}`, `${at}.25`, at),
);

test('folds are in the snapshot, and a start from it with the tail equals the scan', async () => {
  const directory = freshFolder();
  const schema = schemaOf(rides('DECIMAL(10,2)', fleet + riders + all));
  for (const [from, to] of [
    [0, 25],
    [25, 26],
    [26, 60],
  ] as const) {
    const store = await openEmbeddedStore({ directory, readModel: 'inline', fsync: false, snapshotEntries: 10 });
    await store.tables.adopt(schema.definition);
    if (from > 0) await sameAsScan(store, schema, history.slice(0, from));
    await appendEvents(store, 'Bike', history.slice(from, to));
    await sameAsScan(store, schema, history.slice(0, to));
    assert.equal(await keptTables(store), foldNames(schema));
    await store.close();
  }
});

test('a change of the schema builds new folds from history, keeps equal ones and drops the others', async () => {
  const plain = schemaOf(rides('DECIMAL(10,2)', fleet + riders + all));
  const steps = [
    plain,
    schemaOf(rides('DECIMAL(12,3)', fleet + riders + all)),
    schemaOf(rides('DECIMAL(12,3)', fleet + riders + all).replace('n INT);', 'n BIGINT, note STRING);')),
    schemaOf(
      rides('DECIMAL(12,3)', fleet + riders + all)
        .replace('STRING TAG', 'STRING')
        .replace('n INT);', 'n BIGINT);'),
    ),
  ];
  await withMemory(plain, async (store) => {
    for (const [index, schema] of steps.entries()) {
      await store.tables.adopt(schema.definition);
      await sameAsScan(store, schema, history.slice(0, index * 15));
      await appendEvents(store, 'Bike', history.slice(index * 15, (index + 1) * 15));
      await sameAsScan(store, schema, history.slice(0, (index + 1) * 15));
      assert.equal(await keptTables(store), foldNames(schema));
    }
    const fewer = schemaOf(rides('DECIMAL(12,3)'));
    await store.tables.adopt(fewer.definition);
    assert.equal(await keptTables(store), foldNames(fewer));
  });
});

test('a history that cannot be folded is found when the fold is built', async () => {
  const plain = schemaOf(rides('DECIMAL(10,2)'));
  const odd = schemaOf(
    rides('DECIMAL(10,2)', `${all} CREATE PROJECTION Odd AS SELECT SUM(100 / data.n) AS share FROM Reg."Bike$Events";`),
  );
  await withMemory(plain, async (store) => {
    await appendEvents(store, 'Bike', [ride('b1', 'Ann', '1.00', 0)]);
    await store.tables.adopt(odd.definition);
    assert.is(await ask(store, odd, 'SELECT * FROM Reg.Odd'), 'R0201');
    assert.is(await ask(store, odd, 'SELECT rides FROM Reg.Total'), '[[1]]');
  });
});

test.run();
