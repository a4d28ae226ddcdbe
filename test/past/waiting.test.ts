/** Questions about more moments than are shown at once: who waits, who stops waiting, and what happens when tables cannot be built. */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { randomBytes } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { createMemoryJournal } from '../../runtime/store/journal/memory-journal.ts';
import type { Moment } from '../../runtime/store/journal/moment.ts';
import type { PastOptions, Store } from '../../runtime/store/store.ts';
import { emptyRegistry } from '../../compiler/index.ts';
import { openPlace } from '../../server/place/open-place.ts';
import { placeNow } from '../../server/place/place.ts';
import { openSession } from '../../server/session/open-session.ts';
import { run } from './past-history.ts';

const journal = createMemoryJournal(randomBytes(32).toString('hex'));
/** Reading the log fails as long as it is set. */
let trouble: Error | undefined;
const store = await openMemoryStore({
  shared: {
    ...journal,
    async *read(from, to) {
      if (trouble !== undefined) throw trouble;
      yield* journal.read(from, to);
    },
  },
});
const session = await openSession({ store, version: '0.0.0' });
await run(
  session,
  `CREATE AGGREGATE Cup (cup_id STRING KEY);
   CREATE COMMAND Pour (cup_id STRING);
   CREATE EVENT Poured (cup_id STRING);
   CREATE DECISION PourIt FOR Cup ON COMMAND Pour EMIT AS SELECT EVENT Poured (cup_id := :cup_id);
   CREATE PROJECTION Cups AS SELECT COUNT(*) AS n FROM Reg."Cup$Events";`,
);
const pour = (cup: number): Promise<unknown> => run(session, `EXECUTE Pour(cup_id := '${cup}');`);
const cups = 33;
for (let cup = 1; cup <= cups; cup++) await pour(cup);

const { engine } = session;
const moments = await Promise.all(Array.from({ length: cups + 1 }, (_, position) => store.log.moment({ position })));
function momentAt(position: number): Moment {
  const moment = moments[position];
  if (moment === undefined) throw new Error(`there is no event ${position}`);
  return moment;
}
const open = (position: number, options: PastOptions = {}): Promise<Store> =>
  store.past(momentAt(position), engine.domain().readModel, options);

/** The number of events that a question about a moment counts. */
async function eventsAt(position: number): Promise<unknown> {
  const domain = engine.domain();
  const [poured] = domain.projections;
  if (poured === undefined) throw new Error('the schema has a projection');
  const now = placeNow(engine, domain, () => emptyRegistry);
  const past = await openPlace(now, { moment: momentAt(position) });
  try {
    return unmasked(await past.engine.query(poured.query, [], { compiledFor: domain.readModel })).rows[0]?.[0];
  } finally {
    await past.close();
  }
}

/** Its message, or what it gives. */
function told(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'answered',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

test('64 questions wait while two moments are shown, a cancelled one gives its place away, and all are answered', async () => {
  const [one, other] = [await open(1), await open(2)];
  const first = new AbortController();
  const cancelled = told(open(3, { signal: first.signal }));
  const waiting = Array.from({ length: 63 }, (_, at) => open(3 + (at % 3)));
  const closing = waiting.map((asked) => told(asked.then((past) => past.close())));
  await new Promise((resume) => setImmediate(resume));
  assert.is(await told(open(4)), 'too many questions about the past are waiting (64); try again in a moment');
  first.abort();
  assert.is(await cancelled, 'the statement was stopped');
  assert.is(await told(open(4, { milliseconds: 1 })), 'the query exceeded its time budget of 1 ms');
  const late = told(open(4).then((past) => past.close()));
  await one.close();
  assert.equal([...(await Promise.all(closing)), await late], Array<string>(64).fill('answered'));
  await other.close();
});

test('a failure to build the tables is told to all that wait for them, and the next question has them built again', async () => {
  trouble = new Error('the log is away');
  assert.equal(await Promise.all([8, 8, 9, 10].map((at) => told(open(at)))), Array<string>(4).fill('the log is away'));
  trouble = undefined;
  assert.equal(await Promise.all([8, 9, 10].map(eventsAt)), [8n, 9n, 10n]);
});

test('32 callers at 32 moments, while commands continue, each have their own', async () => {
  const positions = Array.from({ length: 32 }, (_, at) => ((at * 13) % 32) + 1);
  const asked = Promise.all(positions.map(eventsAt));
  for (let cup = cups + 1; cup < cups + 6; cup++) await pour(cup);
  assert.equal(await asked, positions.map(BigInt));
});

test('questions that wait when the store closes are refused', async () => {
  await Promise.all([open(1), open(2)]);
  const waiting = told(open(3));
  await session.close();
  assert.is(await waiting, 'the read models of the past are closed');
});

test.run();
