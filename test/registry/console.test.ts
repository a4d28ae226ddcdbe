/** Console queries while the registry changes: each is answered on one registry. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '../../runtime/engine/engine.ts';
import { anyone } from '../../server/operation/caller.ts';
import { defaultQueryLimits, type QueryLimits } from '../../server/operation/query/query-limits.ts';
import { createQuery } from '../../server/operation/query/query.ts';
import { TextRefused } from '../../server/operation/text-refused.ts';
import { emptyRegistry } from '../../compiler/index.ts';
import { placeNow } from '../../server/place/place.ts';
import { createSampleEngine } from '../http/sample-engine.ts';
import type { WithinRoom } from '../../server/operation/room/within-room.ts';
import { createStandings } from '../../runtime/delivery/standing.ts';

const test = suite('console and registry');
const { engine, services, close } = await createSampleEngine(false);
test.after(() => close());

/** Each is put in force after a query was compiled. */
const changes: string[] = [];
const overtaken: Engine = {
  ...engine,
  query: async (...given) => {
    const change = changes.shift();
    if (change !== undefined) await services.create(change);
    return engine.query(...given);
  },
};
const consoleOn = (own: Engine, limits: Partial<QueryLimits>): ReturnType<typeof createQuery> =>
  createQuery(own, (domain) => placeNow(own, domain, () => emptyRegistry), { ...defaultQueryLimits, ...limits });
const answers = consoleOn(overtaken, { consoleQueries: 30 });

/** Queries that have room now. */
let lent = 0;
const within: WithinRoom = async (read) => {
  lent += 1;
  try {
    return await read({ bytes: 1_000_000, takes: () => undefined });
  } finally {
    lent -= 1;
  }
};

/** The columns of the answer, or its error. */
async function told(sql: string, by = answers): Promise<string> {
  try {
    const { table } = await by({ sql, parameters: [] }, anyone, within, createStandings({ engine: overtaken }));
    return table.columns.map(({ name }) => name).join(', ');
  } catch (error) {
    if (error instanceof TextRefused) return error.message;
    throw error;
  }
}

const fleet = (columns: string): string =>
  `CREATE OR REPLACE PROJECTION Fleet AS SELECT ${columns} FROM Reg."Bike$Agg"`;

test('a query during changes is answered on the registry of the last one', async () => {
  changes.push(fleet('model, 1 AS doors'), fleet('model, 1 AS wheels, 2 AS doors'));
  assert.equal([await told('SELECT * FROM Reg.Fleet'), changes], ['model, wheels, doors', []]);
});

test('queries about the present do not wait for the tables of the past, which are computed before room is lent', async () => {
  const lentMeanwhile: number[] = [];
  let build: () => void = () => undefined;
  const built = new Promise<void>((resolve) => (build = resolve));
  const past: Engine['store']['past'] = async (...given) => {
    lentMeanwhile.push(lent);
    await built;
    return engine.store.past(...given);
  };
  const slowly = { ...engine, store: { ...engine.store, past } };
  const one = consoleOn(slowly, { consoleMilliseconds: 60_000, consoleQueries: 1 });
  const then = told('SELECT COUNT(*) AS bikes FROM Reg."Bike$Agg" AS OF POSITION 0', one);
  assert.is(await told('SELECT 1 AS present', one), 'present');
  build();
  assert.equal([await then, lentMeanwhile], ['bikes', [0]]);
});

test('a query that a change makes invalid is refused on the new registry', async () => {
  changes.push(fleet('model AS kind'));
  assert.equal(
    [await told('SELECT model FROM Reg.Fleet'), changes],
    ["1:8 there is no column 'model' here; there is kind (E0203)", []],
  );
});

test('each query during concurrent changes sees one registry', async () => {
  await services.create(fleet('0 AS a0, COUNT(*) AS b0'));
  const creating = [1, 2, 3, 4, 5].map((at) => services.create(fleet(`${at} AS a${at}, ${at} AS b${at}`)));
  const seen = await Promise.all(Array.from({ length: 30 }, () => told('SELECT * FROM Reg.Fleet')));
  await Promise.all(creating);
  for (const columns of seen) assert.match(columns, /^a(\d), b\1$/);
});

test.run();
