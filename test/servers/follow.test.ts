/** Engines on one log that each of them appends to. */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createMemoryLog } from '../../runtime/store/journal/memory-journal.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { scanningDecisions } from '../../server/start/scanning-decisions.ts';
import { collect } from '../contract/accounts.ts';
import { domainOf } from '../kit/domain.ts';
import { engineOf, sent, tell } from '../kit/engine.ts';
import { severalEngines, type Server } from './several-engines.ts';

const schema = `
CREATE AGGREGATE Purse (purse_id STRING KEY, balance INT DEFAULT 0 AS SUM(CASE event_type WHEN 'Filled' THEN data.amount ELSE -data.amount END));
CREATE COMMAND Fill (purse_id STRING, amount INT);
CREATE COMMAND Pay (purse_id STRING, amount INT);
CREATE EVENT Filled (amount INT);
CREATE EVENT Paid (amount INT);
CREATE DECISION DoFill FOR Purse ON COMMAND Fill EMIT AS SELECT EVENT Filled (amount := :amount);
CREATE DECISION DoPay FOR Purse ON COMMAND Pay
STATE AS SELECT balance FROM Reg."Purse$Agg" WHERE aggregate_id = :purse_id
EMIT AS SELECT EVENT Paid (amount := :amount) WHERE balance >= :amount;
CREATE PROJECTION Total AS SELECT SUM(CASE event_type WHEN 'Filled' THEN data.amount ELSE -data.amount END) AS total FROM Reg."Purse$Events";
`;

const fill = ({ engine }: Server, purse: string, amount: number, commandId?: string): Promise<string> =>
  tell(engine, 'Fill', { purse_id: purse, amount }, commandId === undefined ? {} : { commandId });
const pay = ({ engine }: Server, purse: string, amount: number): Promise<string> =>
  tell(engine, 'Pay', { purse_id: purse, amount });

async function total({ domain, query }: Engine, local = false, shows?: (entry: number) => void): Promise<unknown> {
  const projection = domain().projections.find(({ name }) => name === 'Total');
  if (projection === undefined) throw new Error('the schema has a projection Total');
  const { rows } = unmasked(await query(projection.query, [], { local, ...(shows && { shows }) }));
  return rows[0]?.[0];
}

/** `AbortSignal.timeout` does not keep the process alive. */
function within(milliseconds: number): AbortSignal {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), milliseconds);
  return stop.signal;
}

/** The code of an expected failure. */
function codeOf(error: unknown): string {
  return error instanceof Failure ? error.code : String(error);
}

async function two(chance?: () => number): Promise<{ one: Server; other: Server; close: () => Promise<void> }> {
  const { add, close } = await severalEngines(schema, chance);
  return { one: await add(), other: await add(), close };
}

test('each server decides on what the others have appended, and reads it', async () => {
  const { one, other, close } = await two();
  assert.is(await fill(one, 'a', 10), 'emitted');
  assert.is(await total(other.engine), 10n);
  assert.is(await pay(other, 'a', 7), 'emitted');
  assert.is(await pay(one, 'a', 7), 'rejected');
  assert.is(await fill(one, 'a', 4), 'emitted');
  assert.is(await pay(other, 'a', 7), 'emitted');
  assert.equal([await total(one.engine), await total(other.engine)], [0n, 0n]);
  assert.equal(one.engine.store.turns.position(), other.engine.store.turns.position());
  await close();
});

test('a rejection that is not recorded is answered only after the log was asked for its end', async () => {
  const { one, other, close } = await two();
  await fill(one, 'a', 10);
  assert.is(await pay(other, 'a', 10), 'emitted');
  // This server may not have learned of it.
  const before = one.journal.asked.fresh;
  assert.is(await pay(one, 'a', 1), 'rejected');
  assert.ok(one.journal.asked.fresh + one.journal.asked.lock > before);
  await fill(other, 'a', 5);
  assert.is(await pay(one, 'a', 5), 'emitted');
  await close();
});

test('an id executed on one server is known on the other, and each stream has one order', async () => {
  const { one, other, close } = await two();
  assert.is(await fill(one, 'a', 10, 'first'), 'emitted');
  assert.is(await fill(other, 'a', 10, 'first'), 'replayed');
  assert.is(await fill(other, 'a', 11, 'first'), 'R0104');
  const at = { command: 'Fill', arguments: sent({ purse_id: 'a', amount: 1 }), expectedSeq: 1 };
  const outcomes = await Promise.all([
    tell(one.engine, at.command, { purse_id: 'a', amount: 1 }, { expectedSeq: 1 }),
    tell(other.engine, at.command, { purse_id: 'a', amount: 1 }, { expectedSeq: 1 }),
  ]);
  assert.equal([...outcomes].sort(), ['R0105', 'emitted']);
  await close();
});

test('servers that append at the same time all make progress, without a gap, and events of one stream count on', async () => {
  const { add, close } = await severalEngines(schema);
  const servers = await Promise.all([add(), add(), add()]);
  const shakes = { delay: 2, cutAfter: 0, cutBefore: 0, away: 0 };
  for (const { journal } of servers) journal.shake(shakes);
  const told = await Promise.all(
    servers.map(async (server, number) => {
      const outcomes: string[] = [];
      for (let at = 0; at < 20; at += 1) outcomes.push(await fill(server, 'hot', number + 1));
      return outcomes;
    }),
  );
  assert.equal([...new Set(told.flat())], ['emitted']);
  const entries = await collect(servers[0].engine.store.log.read(1));
  const seqs = entries.flatMap((entry) => (entry.kind === 'command' ? entry.events.map(({ seq }) => seq) : []));
  assert.equal(
    seqs,
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  const ids = entries.flatMap((entry) => (entry.kind === 'command' ? entry.events.map(({ id }) => id) : []));
  assert.equal(ids, [...ids].sort());
  for (const { engine } of servers) assert.is(await total(engine), 120n);
  await close();
});

test('a batch that is behind, and one decided on top of it, are decided again before either is answered', async () => {
  const { one, other, close } = await two(() => 1);
  await fill(one, 'a', 10);
  await total(other.engine);
  one.journal.shake({ delay: 20, cutAfter: 0, cutBefore: 0, away: 0 });
  const first = pay(one, 'a', 6);
  await new Promise((resolve) => setTimeout(resolve, 2));
  const onTop = fill(one, 'b', 1);
  assert.is(await pay(other, 'a', 6), 'emitted');
  assert.equal([await first, await onTop], ['rejected', 'emitted']);
  assert.is(await total(other.engine), 5n);
  await close();
});

test('a local read asks nobody, and shows which entry it has', async () => {
  const { one, other, close } = await two();
  await fill(one, 'a', 10);
  await total(other.engine);
  const { fresh } = other.journal.asked;
  assert.is(await total(other.engine, true), 10n);
  assert.is(other.journal.asked.fresh, fresh);
  let shown = 0;
  await total(other.engine, false, (entry) => (shown = entry));
  assert.is(shown, 1);
  await close();
});

test('a follower takes in what others append without being asked', async () => {
  const { one, other, close } = await two();
  await fill(one, 'a', 10);
  await other.engine.store.turns.reach(1, within(2000));
  assert.is(await total(other.engine, true), 10n);
  const late = other.engine.store.turns.reach(2, within(2000));
  await fill(one, 'a', 10);
  await late;
  const code = await other.engine.store.turns.reach(9, within(20)).catch(codeOf);
  assert.is(code, 'R0303');
  await close();
});

test('while the log is away a command is refused and may be sent again, and afterwards everything continues', async () => {
  const { one, other, close } = await two();
  await fill(one, 'a', 10);
  await total(other.engine);
  other.journal.goAway();
  assert.is(await pay(other, 'a', 20), 'R0413');
  assert.is(await total(other.engine).catch(codeOf), 'R0413');
  assert.is(await total(other.engine, true), 10n);
  assert.is(await pay(one, 'a', 3), 'emitted');
  other.journal.comeBack();
  assert.is(await pay(other, 'a', 7), 'emitted');
  assert.is(await total(one.engine), 0n);
  await close();
});

test('reads that wait share one question for the end', async () => {
  const { one, close } = await two();
  await fill(one, 'a', 10);
  one.journal.shake({ delay: 5, cutAfter: 0, cutBefore: 0, away: 0 });
  const before = one.journal.asked.fresh;
  await Promise.all(Array.from({ length: 50 }, () => one.engine.store.turns.fresh()));
  assert.ok(one.journal.asked.fresh - before <= 2, `${one.journal.asked.fresh - before} questions`);
  await close();
});

test('a log that ends before what a server has taken in is no longer served', async () => {
  const { one, close } = await two();
  await fill(one, 'a', 10);
  await fill(one, 'a', 10);
  one.journal.pretendEnd({ entry: 1, batch: 'restored' });
  const refused = await total(one.engine).catch(String);
  assert.match(
    String(refused),
    'the log ends at entry 1, and this server has entries up to 2: acknowledged entries are gone',
  );
  assert.is(await fill(one, 'a', 10), 'R0402');
  assert.is(one.engine.store.turns.refusesReads()?.heals, false);
  await close();
});

const scanning = `
CREATE AGGREGATE Purse (purse_id STRING KEY, balance INT DEFAULT 0 AS SUM(data.amount));
CREATE COMMAND Fill (purse_id STRING, amount INT);
CREATE COMMAND Top (purse_id STRING, amount INT);
CREATE EVENT Filled (amount INT);
CREATE DECISION DoFill FOR Purse ON COMMAND Fill
EMIT AS SELECT EVENT Filled (amount := :amount);
CREATE DECISION DoTop FOR Purse ON COMMAND Top
STATE AS SELECT COUNT(DISTINCT data.amount) AS amounts FROM Reg."Purse$Events"
EMIT AS SELECT EVENT Filled (amount := :amount);
`;

test('commands that take long to decide are spread over turns of about a second, in their order', async () => {
  const store = await openMemoryStore({ shared: createMemoryLog('ab'.repeat(32)).connect(), readModel: 'inline' });
  let turns = 0;
  let now = 0;
  const engine = await engineOf(scanning, {
    store: {
      ...store,
      turns: {
        ...store.turns,
        exclusively: (work, kind) => {
          turns += 1;
          return store.turns.exclusively(work, kind);
        },
      },
    },
    // Each command of a turn takes 400 ms.
    monotonic: () => (now += 400),
    limits: { waitingMilliseconds: 600_000 },
  });
  const told = await Promise.all(
    Array.from({ length: 8 }, (_, n) => tell(engine, 'Fill', { purse_id: 'a', amount: n })),
  );
  assert.equal([told, turns], [Array.from({ length: 8 }, () => 'emitted'), 3]);
  const amounts: unknown[] = [];
  for await (const entry of store.log.read(1))
    if (entry.kind === 'command') amounts.push(...entry.events.map(({ data }) => JSON.parse(data)));
  assert.equal(
    amounts,
    Array.from({ length: 8 }, (_, n) => ({ amount: n })),
  );
  await engine.close();
});

test('a scan for a STATE has 250 ms, and a start names the decisions that scan', async () => {
  const asked: unknown[] = [];
  for (const shared of [true, false]) {
    const store = await openMemoryStore(shared ? { shared: createMemoryLog('ab'.repeat(32)).connect() } : {});
    const engine = await engineOf(scanning, {
      store: {
        ...store,
        turns: {
          ...store.turns,
          exclusively: (work, kind) =>
            store.turns.exclusively((turn) => {
              const query: typeof turn.query = (text, parameters, options) => {
                asked.push(options?.milliseconds);
                return turn.query(text, parameters, options);
              };
              return work({ ...turn, query });
            }, kind),
        },
      },
    });
    assert.is(await tell(engine, 'Top', { purse_id: 'a', amount: 1 }), 'emitted');
    await engine.close();
  }
  assert.equal(asked, [250, 1000]);
  assert.is(
    scanningDecisions(await domainOf(scanning)),
    'these decisions scan events for their STATE, which may take 250 ms where servers share a log: DoTop; EXPLAIN DECISION shows why',
  );
});

test.run();
