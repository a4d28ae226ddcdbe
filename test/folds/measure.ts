/**
 * Figures of folds on this machine: `node --conditions=schemac-source --import tsx test/folds/measure.ts [events] [streams]`.
 * Time to take events into the read model with and without folds, and to read one row of a projection after few and after many.
 */
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { StoredEvent } from '../../runtime/store/entry.ts';
import type { Store } from '../../runtime/store/store.ts';
import { schemaOf, type Schema } from './fold-store.ts';

const many = Number(process.argv[2] ?? 1_000_000);
const streams = Number(process.argv[3] ?? 1000);
const few = 1000;

const schema = schemaOf(`
  CREATE AGGREGATE Bike (rider STRING, rides BIGINT AS COUNT(*), price DECIMAL(10,2));
  CREATE EVENT Rented (rider STRING, price DECIMAL(10,2), n INT);
  CREATE COMMAND Rent (bike STRING, rider STRING, price DECIMAL(10,2), n INT);
  CREATE DECISION DoRent FOR Bike ON COMMAND Rent
    EMIT AS SELECT EVENT Rented (rider := :rider, price := :price, n := :n);
  CREATE PROJECTION Fleet AS SELECT stream_id AS bike, COUNT(*) AS rides, SUM(data.price) AS total, AVG(data.n) AS n,
    LAST(data.rider) AS rider FROM Reg."Bike$Events" GROUP BY stream_id;
  CREATE PROJECTION Riders AS SELECT data.rider AS rider, COUNT(*) AS rides, MAX(data.price) AS dearest
    FROM Reg."Bike$Events" WHERE event_type = 'Rented' GROUP BY data.rider;`);
const question = schema.compile(`SELECT * FROM Reg.Fleet WHERE bike = 'b7'`);
/** Finds a key that no index of the events has. */
const unindexed = schema.compile(`SELECT * FROM Reg.Riders WHERE rider = 'r7'`);
const scanning: Schema = withoutFolds(schema);

function withoutFolds({ definition, ...rest }: Schema): Schema {
  return { ...rest, definition: { ...definition, sqlite: { ...definition.sqlite, folds: [] } } };
}

/** Entries of 20 events; the read model takes them in as they come, 2000 entries at a time. */
async function fill(store: Store, from: number, to: number): Promise<void> {
  for (let at = from; at < to;) {
    await store.turns.exclusively(async (turn) => {
      const streamId = `b${(at / 20) % streams}`;
      const [position, head] = [turn.nextPosition(), await turn.head('Bike', streamId)];
      const events = Array.from({ length: 20 }, (_, index): StoredEvent => {
        const number = at + index;
        const data = `{"rider":"r${number % 97}","price":"${number % 1000}.25","n":${number % 50}}`;
        const place = { position: position + index, seq: head + 1 + index, streamType: 'Bike', streamId };
        return { ...place, id: `id-${number}`, type: 'Rented', version: 1, data };
      });
      turn.append({ kind: 'command', command: 'Rent', streamType: 'Bike', streamId, events }, BigInt(at + 1));
    });
    at += 20;
  }
  await store.tables.query(question, []);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Median milliseconds of one read. */
async function reading(store: Store, times: number, asked = question): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < times; round += 1) taken.push(await timed(() => store.tables.query(asked, [])));
  return taken.sort((a, b) => a - b)[times >> 1] ?? Number.NaN;
}

for (const [label, { definition }, times] of [
  ['with folds', schema, 2001],
  ['scanning', scanning, 7],
] as const) {
  const store = await openMemoryStore({ maxBytes: Infinity });
  await store.tables.adopt(definition);
  let milliseconds = await timed(() => fill(store, 0, few));
  await reading(store, times);
  const first = await reading(store, times);
  const firstUnindexed = await reading(store, times, unindexed);
  milliseconds += await timed(() => fill(store, few, many));
  const last = await reading(store, times);
  const lastUnindexed = await reading(store, times, unindexed);
  console.log(`${label}: ${many} events in ${(milliseconds / 1000).toFixed(1)} s`);
  for (const [what, before, after] of [
    ['its stream', first, last],
    ['another key', firstUnindexed, lastUnindexed],
  ] as const) {
    const figures = `after ${few} events ${before.toFixed(4)} ms, after ${many} ${after.toFixed(4)} ms`;
    console.log(`  one row by ${what}: ${figures}, ratio ${(after / before).toFixed(2)}`);
  }
  if (label === 'scanning') {
    const adopting = await timed(() => store.tables.adopt(schema.definition));
    console.log(
      `building ${schema.definition.sqlite.folds?.length ?? 0} folds from history: ${(adopting / 1000).toFixed(1)} s`,
    );
  }
  await store.close();
}
