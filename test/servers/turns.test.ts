/** Turns that other servers may wait for are short. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryLog } from '../../runtime/store/journal/memory-journal.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { scanningDecisions } from '../../server/start/scanning-decisions.ts';
import { domainOf } from '../kit/domain.ts';
import { engineOf, tell } from '../kit/engine.ts';

const schema = `
CREATE AGGREGATE Purse (purse_id STRING KEY, balance INT DEFAULT 0 AS SUM(data.amount));
CREATE COMMAND Fill (purse_id STRING, amount INT);
CREATE COMMAND Top (purse_id STRING, amount INT);
CREATE EVENT Filled (amount INT);
CREATE DECISION DoFill FOR Purse ON COMMAND Fill
STATE AS SELECT balance FROM Reg."Purse$Agg" WHERE purse_id = :purse_id
EMIT AS SELECT EVENT Filled (amount := :amount);
CREATE DECISION DoTop FOR Purse ON COMMAND Top
STATE AS SELECT COUNT(DISTINCT data.amount) AS amounts FROM Reg."Purse$Events"
EMIT AS SELECT EVENT Filled (amount := :amount);
`;

test('commands that take long to decide are spread over turns of about a second, in their order', async () => {
  const store = await openMemoryStore({ shared: createMemoryLog('ab'.repeat(32)).connect(), readModel: 'inline' });
  let turns = 0;
  let now = 0;
  const engine = await engineOf(schema, {
    store: {
      ...store,
      exclusively: (work, kind) => {
        turns += 1;
        return store.exclusively(work, kind);
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
  for await (const entry of store.read(1))
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
    const engine = await engineOf(schema, {
      store: {
        ...store,
        exclusively: (work, kind) =>
          store.exclusively((turn) => {
            const query: typeof turn.query = (text, parameters, options) => {
              asked.push(options?.milliseconds);
              return turn.query(text, parameters, options);
            };
            return work({ ...turn, query });
          }, kind),
      },
    });
    assert.is(await tell(engine, 'Top', { purse_id: 'a', amount: 1 }), 'emitted');
    await engine.close();
  }
  assert.equal(asked, [250, 1000]);
  assert.is(
    scanningDecisions(await domainOf(schema)),
    'these decisions scan events for their STATE, which may take 250 ms where servers share a log: DoTop; EXPLAIN DECISION shows why',
  );
});

test.run();
