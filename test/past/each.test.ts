/** Recorded commands decided again, each against the state just before it, give what happened. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { createChance } from '../crash/chance.ts';

const rounds = Number(process.env['ROUNDS'] ?? 1);
const commandsOfRound = Number(process.env['COMMANDS'] ?? 40);

/**
 * States by a fold on the stream, by folds on two streams, and by scans, one of which draws; chance, time, and events in other streams; defaults, checks,
 * arguments that are not kept, ids, types and functions of the schema, several branches.
 */
const schema = `
CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = 'all');
CREATE AGGREGATE Account (account_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0
  AS SUM(CASE event_type WHEN 'PaidIn' THEN data.amount ELSE -data.amount END));
CREATE COMMAND PayIn (account_id STRING, amount DECIMAL(8,2), note JSON NULL);
CREATE COMMAND Move (source STRING, target STRING, amount DECIMAL(8,2));
CREATE COMMAND Draw (account_id STRING, among INT);
CREATE EVENT PaidIn (amount DECIMAL(8,2), token STRING, note JSON, at TIMESTAMP);
CREATE EVENT PaidOut (amount DECIMAL(8,2), share DECIMAL(12,6));
CREATE DECISION PayInIt FOR Account ON COMMAND PayIn
EMIT AS SELECT EVENT PaidIn (amount := :amount, token := gen_random_uuid(), note := :note, at := CURRENT_TIMESTAMP) WHERE :amount > 5;
CREATE DECISION MoveIt FOR Account ON COMMAND Move
STATE AS SELECT s.balance AS has, t.balance AS gets FROM Reg."Account$Agg" s LEFT JOIN Reg."Account$Agg" t ON t.aggregate_id = :target WHERE s.aggregate_id = :source
EMIT AS SELECT EVENT PaidOut (amount := :amount, share := has), SELECT EVENT PaidIn (amount := :amount, token := 'moved') TO Account(:target)
WHERE has >= :amount AND COALESCE(gets, 0) < 100;
CREATE DECISION DrawIt FOR Account ON COMMAND Draw
STATE AS SELECT COUNT(DISTINCT stream_id) AS streams, MAX(seq) AS longest FROM Reg."Account$Events"
EMIT AS SELECT EVENT PaidOut (amount := 1, share := 100.0 / :among) WHERE streams > 1 AND random() < 0.7;
CREATE ENUM Kind AS ('gift', 'loan');
CREATE FUNCTION part (whole DECIMAL(8,2)) RETURNS DECIMAL(8,2) AS whole * 0.3;
CREATE COMMAND Give (account_id STRING, amount DECIMAL(8,2) CHECK (amount < 50), kind Kind DEFAULT 'gift', pin STRING SENSITIVE NULL);
CREATE EVENT Given (amount DECIMAL(8,2), kind Kind, part DECIMAL(8,2), drawn DOUBLE, id UUID);
CREATE DECISION GiveIt FOR Account ON COMMAND Give
STATE AS SELECT COUNT(DISTINCT seq) AS seqs, random() AS drawn FROM Reg."Account$Events"
EMIT AS
  BRANCH Small SELECT EVENT Given (amount := :amount, kind := :kind, part := part(:amount), drawn := drawn, id := gen_random_uuid()) WHERE :amount < 30
UNION ALL
  BRANCH Drawn SELECT EVENT Given (amount := seqs, kind := 'loan', drawn := random()), SELECT EVENT PaidIn (amount := 1, token := 'given') TO Account('D') WHERE drawn < 0.5;
`;

async function rowsOf(session: OpenSession, text: string): Promise<readonly unknown[]> {
  let rows: readonly unknown[] = [];
  for await (const outcome of session.run({ name: 'each', text }, { keepGoing: true })) {
    const told = JSON.parse(outcomeJson(outcome)) as { readonly rows?: readonly unknown[]; readonly code?: string };
    assert.ok(outcome.kind !== 'error' || ['R0201', 'R0115'].includes(told.code ?? ''), JSON.stringify(told));
    if (told.rows !== undefined) rows = told.rows;
  }
  return rows;
}

/** Events by decision, of all rounds: in a short history one may not come. */
const emitted = new Map<string, number>();

for (let round = 1; round <= rounds; round++)
  test(`each command again, seed ${round}`, async () => {
    const chance = createChance(round);
    const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
    await rowsOf(session, schema);
    const account = (): string => `'${chance.pick(['A', 'B', 'C'])}'`;
    for (let at = 0; at < commandsOfRound; at++) {
      const amount = `${chance.below(60)}.${chance.below(10)}`;
      const texts = [
        `EXECUTE PayIn(account_id := ${account()}, amount := ${amount}, note := '{"n": [1, ${at}]}');`,
        `EXECUTE Move(source := ${account()}, target := ${account()}, amount := ${amount});`,
        `EXECUTE Draw(account_id := ${account()}, among := ${chance.below(3)});`,
        `EXECUTE Give(account_id := ${account()}, amount := ${amount}${chance.pick(['', ", kind := 'loan'", ", pin := '1234'"])}) WITH (command_id = 'g${at}');`,
      ] as const;
      await rowsOf(session, chance.pick(texts));
    }
    const shown = 'global_position AS at, stream_id, seq, event_type, occurred_at, data';
    for (const [decision, command] of [
      ['PayInIt', 'PayIn'],
      ['MoveIt', 'Move'],
      ['DrawIt', 'Draw'],
      ['GiveIt', 'Give'],
    ] as const) {
      await rowsOf(session, `INSPECT DECISION ${decision} FROM Reg."Account$Commands" INTO again AS OF EACH;`);
      const events = `JOIN Reg."Account$Commands" c ON e.global_position = ANY(c.events) AND c.command = '${command}'`;
      const happened = `SELECT ${shown.replace(/\b(global_position|stream_id|seq|event_type|occurred_at|data)\b/g, 'e.$1')} FROM Reg."Account$Events" e ${events} ORDER BY 1;`;
      const all = await rowsOf(session, happened);
      emitted.set(decision, (emitted.get(decision) ?? 0) + all.length);
      const fields = (rows: readonly unknown[]): unknown => rows.map((row) => withoutNulls(row));
      assert.equal(
        fields(
          await rowsOf(
            session,
            `SELECT ${shown} FROM again WHERE event_type NOT IN ('__REJECTED__', '__FAILED__') ORDER BY 1;`,
          ),
        ),
        fields(all),
        decision,
      );
      const counts = `SELECT COUNT(*) FILTER (WHERE outcome = 'rejected') AS r, COUNT(*) FILTER (WHERE outcome = 'failed') AS f FROM Reg."Account$Commands" WHERE command = '${command}';`;
      const again = `SELECT COUNT(*) FILTER (WHERE event_type = '__REJECTED__') AS r, COUNT(*) FILTER (WHERE event_type = '__FAILED__') AS f FROM again;`;
      assert.equal(await rowsOf(session, again), await rowsOf(session, counts), decision);
    }
    await session.close();
  });

test('each decision emitted events in some round', () => {
  assert.equal(
    [...emitted].map(([decision, events]) => [decision, events > 0]),
    [
      ['PayInIt', true],
      ['MoveIt', true],
      ['DrawIt', true],
      ['GiveIt', true],
    ],
  );
});

/** The target's struct has the fields of every event of the aggregate, and `$Events` those of its own one. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => part ?? undefined);
}

test.run();
