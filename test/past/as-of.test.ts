/**
 * Random histories: each relation AS OF a position at which a command ended shows what the store showed when it was
 * there, whatever happened since.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSession } from '../../server/session/open-session.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { pastHistory, run, schema } from './past-history.ts';

const rounds = Number(process.env['ROUNDS'] ?? 2);

for (let round = 1; round <= rounds; round++)
  test(`AS OF each position = the store that stopped there, seed ${round}`, async () => {
    await pastHistory(await openMemoryStore(), round);
    await withTempFolder((directory) =>
      openEmbeddedStore({ directory, readModel: 'inline' }).then((store) => pastHistory(store, 1000 + round)),
    );
    await withTempFolder((directory) =>
      openEmbeddedStore({ directory, readModel: 'inline', readEngine: 'disk', fsync: false }).then((store) =>
        pastHistory(store, 2000 + round),
      ),
    );
  });

test('a position between two events of a command takes the first of them', async () => {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  const rows = await run(
    session,
    `${schema}
     EXECUTE PayIn(account_id := 'A', owner := 'Ada', amount := 10);
     EXECUTE Move(source := 'A', target := 'B', amount := 4);
     SELECT account, balance FROM Reg."Balances" ORDER BY account AS OF POSITION 3;
     SELECT account, balance FROM Reg."Balances" ORDER BY account AS OF POSITION 2;
     SELECT account, balance FROM Reg."Balances" ORDER BY account AS OF POSITION 3;`,
  );
  assert.equal(rows.slice(-3), ['[["A",6],["B",4]]', '[["A",6]]', '[["A",6],["B",4]]']);
  await session.close();
});

test('the time of the moment is the current time of everything that is read', async () => {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  const rows = await run(
    session,
    `${schema}
     CREATE PROJECTION Age AS SELECT COUNT(*) AS n, EXTRACT(EPOCH FROM CURRENT_TIMESTAMP - MAX(occurred_at)) AS age FROM Reg."Till$Events";
     EXECUTE Count_(till_id := 'T', n := 1);
     SELECT n, age = 0 AS same FROM Reg."Age" AS OF POSITION 1;
     SELECT CURRENT_TIMESTAMP = (SELECT MAX(occurred_at) FROM Reg."Till$Events" WHERE stream_id = 'T') AS same AS OF POSITION 1;
     SELECT CURRENT_DATE AS d AS OF TIMESTAMP '2001-02-03T04:05:06';
     SELECT COUNT(*) AS n FROM Reg."Till$Events" WHERE stream_id = 'T' AS OF TIMESTAMP CURRENT_TIMESTAMP - INTERVAL '1 hour';
     SELECT COUNT(*) AS n FROM Reg."Till$Events" AS OF TIMESTAMP CURRENT_TIMESTAMP;`,
  );
  assert.equal(rows.slice(-5), ['[[1,true]]', '[[true]]', '[["2001-02-03"]]', '[[0]]', '[[1]]']);
  await session.close();
});

test('a run as of a moment gives it to each statement that has none, and decides no command', async () => {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  const count = 'SELECT COUNT(*) AS n FROM Reg."Till$Events"';
  await run(session, `${schema} EXECUTE Count_(till_id := 'T', n := 1); EXECUTE Count_(till_id := 'T', n := 2);`);
  const script = `${count}; ${count} AS OF POSITION 2; CREATE TABLE then_ AS ${count}; CREATE TABLE one AS VALUES (1); SELECT * FROM then_, one;`;
  const rows = (await run(session, script, { asOf: '1' })).filter((line) => line.startsWith('['));
  assert.equal(rows, ['[[1]]', '[[2]]', '[[1,1]]']);
  const execute = session.run({ name: 'as-of', text: "EXECUTE Count_(till_id := 'T', n := 3);" }, { asOf: '1' });
  for await (const outcome of execute)
    assert.is(outcome.kind === 'error' ? outcome.problems[0]?.code : outcome.kind, 'R0506');
  await session.close();
});

test.run();
