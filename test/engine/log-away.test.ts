/**
 * A log that goes away and comes back, as a database does: only kept entries are acknowledged, and no restart is
 * needed.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createHotFolds } from '../../runtime/engine/hot-folds.ts';
import { JournalFailure, type Journal } from '../../runtime/store/journal.ts';
import { createMemoryLog } from '../../runtime/store/journal/memory-journal.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { collect } from '../contract/accounts.ts';
import { engineOf, tell } from '../kit/engine.ts';

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
`;

interface World {
  readonly engine: Engine;
  readonly said: string[];
  /** The log cannot be reached from now on; the argument says whether the next append still reaches it. */
  readonly goAway: (next: 'reaches' | 'does not reach') => void;
  readonly comeBack: () => void;
  /** The log will not come back from now on. */
  readonly endForGood: () => void;
  /** Resolves when an append has failed. */
  readonly failed: () => Promise<void>;
}

async function world(): Promise<World> {
  const log = createMemoryLog('ab'.repeat(32));
  const inner = log.connect();
  const said: string[] = [];
  let away: 'reaches' | 'does not reach' | undefined;
  let heals = true;
  let appendFailed = (): void => undefined;
  const failed = new Promise<void>((resolve) => (appendFailed = resolve));
  const unlessAway = <T>(work: () => Promise<T>): Promise<T> =>
    away === undefined ? work() : Promise.reject(new JournalFailure({ reason: 'connection refused', heals }));
  const journal: Journal = {
    ...inner,
    fresh: () => unlessAway(inner.fresh),
    settle: (batch) => unlessAway(() => inner.settle(batch)),
    append: async (batch) => {
      // The delay of a network, so that more commands are decided meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (away === 'reaches') await inner.append(batch);
      if (away !== undefined) setImmediate(appendFailed);
      return unlessAway(() => inner.append(batch));
    },
  };
  const store = await openMemoryStore({
    shared: journal,
    clock: () => 0n,
    log: (level, message) => said.push(`${level}: ${message}`),
  });
  const engine = await engineOf(schema, { store });
  return {
    engine,
    said,
    goAway: (next) => {
      away = next;
    },
    comeBack: () => {
      away = undefined;
    },
    endForGood: () => {
      heals = false;
    },
    failed: () => failed,
  };
}

const fill = (engine: Engine, amount: number, commandId: string): Promise<string> =>
  tell(engine, 'Fill', { purse_id: 'a', amount }, { commandId });
const pay = (engine: Engine, amount: number): Promise<string> => tell(engine, 'Pay', { purse_id: 'a', amount });

/** Amounts of the log, in order. */
async function amounts({ store }: Engine): Promise<readonly unknown[]> {
  const entries = await collect(store.log.read(1));
  return entries.flatMap((entry) =>
    entry.kind === 'command' ? entry.events.map(({ data }) => (JSON.parse(data) as { amount: number }).amount) : [],
  );
}

for (const next of ['reaches', 'does not reach'] as const) {
  test(`a commit that ${next} a log that is away: its command gets the true outcome, and the next ones continue`, async () => {
    const { engine, said, goAway, comeBack, failed } = await world();
    assert.is(await fill(engine, 10, 'first'), 'emitted');
    goAway(next);
    const command = fill(engine, 5, 'second');
    // Decided on top of it, before it is durable.
    await new Promise((resolve) => setTimeout(resolve, 2));
    const onTop = pay(engine, 12);
    await failed();
    assert.equal(engine.store.turns.refusesWrites(), {
      reason: 'the log is away (connection refused) and is asked for again',
      heals: true,
    });
    assert.equal([await onTop, await fill(engine, 1, 'third')], ['R0413', 'R0413']);
    const refused = await collect(engine.store.log.read(1)).then(() => '', String);
    assert.match(refused, 'the log is away (connection refused); try again in a moment');

    comeBack();
    // A command that was not kept is decided again.
    assert.is(await command, 'emitted');
    assert.is(engine.store.turns.refusesWrites(), undefined);
    assert.equal(await amounts(engine), [10, 5]);
    assert.is(await pay(engine, 12), 'emitted');
    assert.is(await fill(engine, 5, 'second'), 'replayed');
    assert.is(await pay(engine, 4), 'rejected');
    assert.is(await pay(engine, 3), 'emitted');
    assert.equal(said, [
      'warn: the log is away; writes are taken again when it is back',
      `info: the log is back; what was being written was ${next === 'reaches' ? 'kept' : 'not kept'}`,
    ]);
    await engine.close();
  });
}

test('a page of the log that cannot be read now is worth another try', async () => {
  const inner = createMemoryLog('ab'.repeat(32)).connect();
  let isCut = false;
  const read: Journal['read'] = async function* (from, to) {
    if (isCut) throw new JournalFailure({ reason: 'connection reset', heals: true });
    yield* inner.read(from, to);
  };
  const engine = await engineOf(schema, { store: await openMemoryStore({ shared: { ...inner, read } }) });
  assert.is(await fill(engine, 10, 'first'), 'emitted');
  isCut = true;
  const said = await amounts(engine).then(String, String);
  assert.is(said, 'Failure: the log is away (connection reset); try again in a moment');
  // Its recorded outcome is in the log.
  assert.is(await fill(engine, 10, 'first'), 'R0413');
  isCut = false;
  assert.is(await fill(engine, 10, 'first'), 'replayed');
  await engine.close();
});

test('a state that was being loaded when events were taken back is loaded again: it may contain them', async () => {
  const engine = await engineOf(schema, {});
  assert.is(await fill(engine, 10, 'first'), 'emitted');
  const { decisions } = engine.domain();
  const [lookup] = decisions.find(({ name }) => name === 'DoPay')?.state?.folds ?? [];
  assert.ok(lookup);
  const loads = await engine.store.turns.exclusively(async (turn) => {
    const folds = createHotFolds(engine.domain(), new Uint8Array(4));
    let asked = 0;
    const query: typeof turn.query = (...question) => {
      asked += 1;
      return turn.query(...question);
    };
    const counts: number[] = [];
    for (const meanwhile of [() => folds.forget([], 0n), folds.clear, () => undefined, () => undefined]) {
      const loading = folds.state({ query }, lookup.fold, ['a'], false);
      meanwhile();
      assert.equal({ ...(await loading) }, { ...(await folds.state({ query }, lookup.fold, ['a'], false)) });
      counts.push(asked);
    }
    return counts;
  });
  assert.equal(loads, [2, 3, 3, 3]);
  await engine.close();
});

test('a log that does not come back: the outcome is unknown, and nothing is written afterwards', async () => {
  const { engine, goAway, endForGood, failed } = await world();
  await fill(engine, 10, 'first');
  goAway('reaches');
  const command = fill(engine, 5, 'second');
  await failed();
  endForGood();
  assert.is(await command, 'R0403');
  assert.equal(engine.store.turns.refusesWrites(), {
    reason: 'writing the log failed (connection refused); restart it',
    heals: false,
  });
  assert.is(await fill(engine, 5, 'third'), 'R0402');
  await engine.close();
});

test('a store closed while its log is away reports the outcome as unknown', async () => {
  const { engine, goAway, failed } = await world();
  goAway('does not reach');
  const command = fill(engine, 5, 'first');
  await failed();
  await engine.store.close();
  assert.is(await command, 'R0403');
});

test.run();
