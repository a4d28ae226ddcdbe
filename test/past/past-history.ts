/** Random histories, and what each of their moments must show. Relations of every kind: events, states, folds, scans, views over views, joins. */
import * as assert from 'uvu/assert';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import type { RunOptions } from '../../server/session/session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import type { Store } from '../../runtime/store/store.ts';
import { createChance, type Chance } from '../crash/chance.ts';

const commandsOfRound = 14;

export const schema = `
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

/** The id is of this command alone: the same one with other arguments would be refused. */
function command(chance: Chance, number: number): string {
  const account = (): string => `'${chance.pick(['A', 'B', 'C'])}'`;
  const amount = `${chance.below(50)}.${chance.below(10)}`;
  const texts = [
    `EXECUTE PayIn(account_id := ${account()}, owner := '${chance.pick(['Ada', 'Bo'])}', amount := ${amount})`,
    `EXECUTE Move(source := ${account()}, target := ${account()}, amount := ${amount})`,
    `EXECUTE Count_(till_id := 'T', n := ${chance.below(3)})`,
  ];
  return `${chance.pick(texts as [string, ...string[]])} ${chance.below(2) === 0 ? '' : `WITH (command_id = 'c${number}')`};`;
}

export async function run(session: OpenSession, text: string, options: RunOptions = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const outcome of session.run({ name: 'as-of', text }, options)) {
    const { rows, statement: _, ...rest } = JSON.parse(outcomeJson(outcome)) as Record<string, unknown>;
    assert.is(outcome.kind === 'error' ? JSON.stringify(rest) : '', '');
    lines.push(JSON.stringify(rows ?? rest));
  }
  return lines;
}

/**
 * Random commands on a new store; then each relation is asked as of each position at which a command ended, in that session and in those of
 * `others`, which are other servers of the log.
 */
export async function pastHistory(store: Store, seed: number, others: readonly Store[] = []): Promise<void> {
  const chance = createChance(seed);
  const session = await openSession({ store, version: '0.0.0' });
  const beside: OpenSession[] = [];
  try {
    await run(session, schema);
    for (const other of others) beside.push(await openSession({ store: other, version: '0.0.0' }));
    const seen: { readonly position: number; readonly rows: readonly string[] }[] = [];
    const all = questions.map((question) => `${question};`).join('\n');
    for (let at = 0; at < commandsOfRound; at++) {
      await run(session, command(chance, at));
      const position = store.turns.position().event;
      if (seen.at(-1)?.position !== position) seen.push({ position, rows: await run(session, all) });
    }
    // In any order: one read model of the past moves forwards, and another one starts from the log.
    while (seen.length > 0) {
      const [{ position, rows } = { position: 0, rows: [] }] = seen.splice(chance.below(seen.length), 1);
      const then = questions.map((question) => `${question} AS OF POSITION ${position};`).join('\n');
      for (const asked of [session, ...beside])
        assert.equal(await run(asked, then), rows, `seed ${seed}, position ${position}`);
    }
  } finally {
    for (const each of [session, ...beside]) await each.close();
  }
}
