/**
 * Random histories: each relation AS OF a position at which a command ended shows what the store showed when it was
 * there, whatever happened since. Relations of every kind: events, states, folds, scans, views over views, joins.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import type { RunOptions } from '../../server/session/session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { createChance, type Chance } from '../crash/chance.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

const rounds = Number(process.env['ROUNDS'] ?? 2);
const commandsOfRound = 14;

const schema = `
CREATE AGGREGATE Account (account_id STRING KEY, owner STRING, best DECIMAL(8,2) AS MAX(data.amount),
  balance DECIMAL(12,2) DEFAULT 0 AS SUM(CASE event_type WHEN 'PaidIn' THEN data.amount ELSE -data.amount END));
CREATE AGGREGATE Till;
CREATE COMMAND PayIn (account_id STRING, owner STRING, amount DECIMAL(8,2));
CREATE COMMAND Move (source STRING, target STRING, amount DECIMAL(8,2));
CREATE COMMAND Count_ (till_id STRING, n INT);
CREATE EVENT PaidIn (owner STRING TAG, amount DECIMAL(8,2));
CREATE EVENT PaidOut (amount DECIMAL(8,2));
CREATE EVENT Counted (n INT);
CREATE DECISION PayInIt FOR Account ON COMMAND PayIn
EMIT AS SELECT EVENT PaidIn (owner := :owner, amount := :amount) WHERE :amount > 0;
CREATE DECISION MoveIt FOR Account ON COMMAND Move
STATE AS SELECT balance FROM Reg."Account$Agg" WHERE aggregate_id = :source
EMIT AS SELECT EVENT PaidOut (amount := :amount), SELECT EVENT PaidIn (amount := :amount) TO Account(:target)
WHERE balance >= :amount;
CREATE DECISION CountIt FOR Till ON COMMAND Count_ EMIT AS SELECT EVENT Counted (n := :n);
CREATE PROJECTION Balances AS SELECT stream_id AS account, SUM(CASE event_type WHEN 'PaidIn' THEN data.amount ELSE -data.amount END) AS balance,
  LAST(data.owner) AS owner FROM Reg."Account$Events" GROUP BY stream_id;
CREATE PROJECTION Owners AS SELECT owner, COUNT(*) AS n, SUM(balance) AS total FROM Reg."Balances" GROUP BY owner;
CREATE PROJECTION Running AS SELECT global_position AS at, stream_id, SUM(data.amount) OVER (PARTITION BY stream_id ORDER BY seq) AS moved FROM Reg."Account$Events";
CREATE PROJECTION Distinct_ AS SELECT COUNT(DISTINCT data.n) AS n FROM Reg."Till$Events";
`;

const questions = [
  'SELECT * FROM Reg."Account$Agg" ORDER BY account_id',
  'SELECT * FROM Reg."Till$Agg" ORDER BY aggregate_id',
  'SELECT *, global_position, tags FROM Reg."Account$Events" ORDER BY global_position',
  'SELECT * FROM Reg."Balances" ORDER BY account',
  'SELECT * FROM Reg."Owners" ORDER BY owner',
  'SELECT * FROM Reg."Running" ORDER BY at',
  'SELECT * FROM Reg."Distinct_"',
  // The events of single streams.
  'SELECT * FROM Reg."Account$Agg" WHERE account_id = \'A\'',
  'SELECT b.balance, 1 + b.balance AS more, s.seq FROM Reg."Account$Agg" b, Reg."Account$Events" s WHERE b.aggregate_id = \'B\' AND s.stream_id = \'B\' ORDER BY 3',
  'SELECT COUNT(*) AS n, SUM(data.n) AS s FROM Reg."Till$Events" WHERE stream_id = \'T\'',
  // All parts of a query are at one moment.
  'SELECT a.account_id, t.n FROM Reg."Account$Agg" a LEFT JOIN Reg."Till$Agg" t ON t.n = 1 WHERE a.balance > (SELECT AVG(balance) FROM Reg."Balances") ORDER BY 1',
  'WITH o AS (SELECT * FROM Reg."Owners") SELECT owner FROM o UNION SELECT stream_id FROM Reg."Till$Events" ORDER BY 1',
];

function command(chance: Chance): string {
  const account = (): string => `'${chance.pick(['A', 'B', 'C'])}'`;
  const amount = `${chance.below(50)}.${chance.below(10)}`;
  const texts = [
    `EXECUTE PayIn(account_id := ${account()}, owner := '${chance.pick(['Ada', 'Bo'])}', amount := ${amount})`,
    `EXECUTE Move(source := ${account()}, target := ${account()}, amount := ${amount})`,
    `EXECUTE Count_(till_id := 'T', n := ${chance.below(3)})`,
  ];
  return `${chance.pick(texts as [string, ...string[]])} ${chance.below(2) === 0 ? '' : `WITH (command_id = 'c${chance.below(1000)}')`};`;
}

async function run(session: OpenSession, text: string, options: RunOptions = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const outcome of session.run({ name: 'as-of', text }, options)) {
    const { rows, statement: _, ...rest } = JSON.parse(outcomeJson(outcome)) as Record<string, unknown>;
    assert.is(outcome.kind === 'error' ? JSON.stringify(rest) : '', '');
    lines.push(JSON.stringify(rows ?? rest));
  }
  return lines;
}

async function history(store: Store, seed: number): Promise<void> {
  const chance = createChance(seed);
  const session = await openSession({ store, version: '0.0.0' });
  try {
    await run(session, schema);
    const seen: { readonly position: number; readonly rows: readonly string[] }[] = [];
    const all = questions.map((question) => `${question};`).join('\n');
    for (let at = 0; at < commandsOfRound; at++) {
      await run(session, command(chance));
      const position = store.knownPosition().event;
      if (seen.at(-1)?.position !== position) seen.push({ position, rows: await run(session, all) });
    }
    // In any order: one read model of the past moves forwards, and another one starts from the log.
    while (seen.length > 0) {
      const [{ position, rows } = { position: 0, rows: [] }] = seen.splice(chance.below(seen.length), 1);
      const then = questions.map((question) => `${question} AS OF POSITION ${position};`).join('\n');
      assert.equal(await run(session, then), rows, `seed ${seed}, position ${position}`);
    }
  } finally {
    await session.close();
  }
}

for (let round = 1; round <= rounds; round++)
  test(`AS OF each position = the store that stopped there, seed ${round}`, async () => {
    await history(await openMemoryStore(), round);
    await withTempFolder((directory) =>
      openEmbeddedStore({ directory, readModel: 'inline' }).then((store) => history(store, 1000 + round)),
    );
  });

test('a position between two events of a command takes the first of them', async () => {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  const rows = await run(
    session,
    `${schema}
     EXECUTE PayIn(account_id := 'A', owner := 'Ada', amount := 10);
     EXECUTE Move(source := 'A', target := 'B', amount := 4);
     SELECT account, balance FROM Reg."Balances" ORDER BY account AS OF POSITION 2;
     SELECT account, balance FROM Reg."Balances" ORDER BY account AS OF POSITION 3;
     SELECT account, balance FROM Reg."Balances" ORDER BY account AS OF POSITION 2;`,
  );
  assert.equal(rows.slice(-3), ['[["A",6]]', '[["A",6],["B",4]]', '[["A",6]]']);
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
