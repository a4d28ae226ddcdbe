/**
 * Random candidates over random histories: a command or a projection under WITH SCHEMA, as of its own entry or of a position, gives what a new store
 * gives that went through the same commands up to there and then really took the candidate.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { createChance, type Chance } from '../crash/chance.ts';

const rounds = Number(process.env['ROUNDS'] ?? 1);
const commandsOfRound = 9;

/** The blocks that a candidate replaces, with the numbers that differ; the state is a fold, a fold over two streams, or a scan. */
interface Rules {
  readonly fee: number;
  readonly most: number;
  readonly scans: boolean;
  readonly named: 'PaidOut' | 'Sent';
}

const blocks = ({ fee, most, scans, named }: Rules): string => `
CREATE OR REPLACE EVENT ${named} (amount DECIMAL(8,2)${fee > 0 ? ', fee INT' : ''})${named === 'Sent' ? ' UPCAST FROM EVENT PaidOut (amount DECIMAL(8,2)) AS (amount := amount)' : ''};
CREATE OR REPLACE AGGREGATE Account (account_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0
  AS SUM(CASE event_type WHEN 'PaidIn' THEN data.amount ELSE -data.amount - ${fee} END));
CREATE OR REPLACE DECISION MoveIt FOR Account ON COMMAND Move
STATE AS SELECT s.balance AS has, ${scans ? `(SELECT COUNT(DISTINCT stream_id) FROM Reg."Account$Events")` : 't.balance'} AS gets
  FROM Reg."Account$Agg" s LEFT JOIN Reg."Account$Agg" t ON t.aggregate_id = :target WHERE s.aggregate_id = :source
EMIT AS SELECT EVENT ${named} (amount := :amount${fee > 0 ? `, fee := ${fee}` : ''}), SELECT EVENT PaidIn (amount := :amount) TO Account(:target)
WHERE has >= :amount + ${fee} AND COALESCE(gets, 0) < ${most};
CREATE OR REPLACE PROJECTION Balances AS SELECT stream_id AS account, SUM(CASE event_type WHEN 'PaidIn' THEN data.amount ELSE -data.amount - ${fee} END) AS balance,
  COUNT(*) FILTER (WHERE event_type = '${named}') AS moves FROM Reg."Account$Events" GROUP BY stream_id;
`;

const base: Rules = { fee: 0, most: 100, scans: false, named: 'PaidOut' };
const schema = `
CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = 'all');
CREATE COMMAND PayIn (account_id STRING, amount DECIMAL(8,2));
CREATE COMMAND Move (source STRING, target STRING, amount DECIMAL(8,2));
CREATE EVENT PaidIn (amount DECIMAL(8,2));
CREATE DECISION PayInIt FOR Account ON COMMAND PayIn EMIT AS SELECT EVENT PaidIn (amount := :amount) WHERE :amount > 5;
${blocks(base)}`;

function candidateOf(chance: Chance): string {
  const named = chance.pick<Rules['named']>(['PaidOut', 'Sent']);
  const rules = { fee: chance.below(3), most: 20 + chance.below(120), scans: chance.below(3) === 0, named };
  return `${named === 'Sent' ? 'DROP DECISION MoveIt; DROP EVENT PaidOut;' : ''}${blocks(rules)}`;
}

type Told = Readonly<Record<string, unknown>>;

async function tell(session: OpenSession, text: string): Promise<readonly Told[]> {
  const told: Told[] = [];
  for await (const outcome of session.run({ name: 'candidates', text })) {
    const one = JSON.parse(outcomeJson(outcome)) as Told;
    assert.is(outcome.kind === 'error' ? JSON.stringify(one) : '', '');
    told.push(one);
  }
  return told;
}

const rowsOf = async (session: OpenSession, text: string): Promise<unknown> =>
  (await tell(session, text)).at(-1)?.['rows'];

/** A store that went through these commands, and then took the candidate. */
async function tookIt(commands: readonly string[], candidate: string): Promise<OpenSession> {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  await tell(session, `${schema}${commands.join('\n')}${candidate}`);
  return session;
}

/** The events of a command that is really executed, as the table of an inspection shows them. */
async function executed(session: OpenSession, command: string): Promise<readonly unknown[]> {
  const before = (await rowsOf(session, 'SELECT COUNT(*) AS n FROM Reg."Account$Events";')) as readonly [
    readonly [number],
  ];
  await tell(session, command);
  const shown = `SELECT stream_id, seq, event_type, data FROM Reg."Account$Events" WHERE global_position > ${before[0][0]} ORDER BY global_position;`;
  return withoutNulls(await rowsOf(session, shown)) as readonly unknown[];
}

/** The target's struct has the fields of every event of the aggregate. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => part ?? undefined);
}

for (let round = 1; round <= rounds; round++)
  test(`what a candidate would have done, seed ${round}`, async () => {
    const chance = createChance(round);
    const candidate = candidateOf(chance);
    const quoted = candidate.replaceAll("'", "''");
    const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
    await tell(session, schema);
    const account = (): string => `'${chance.pick(['A', 'B', 'C'])}'`;
    const commands: string[] = [];
    /** The events up to the end of each command. */
    const positions = [0];
    for (let at = 0; at < commandsOfRound; at++) {
      const amount = `${chance.below(60)}.${chance.below(10)}`;
      const command =
        chance.below(5) < 2
          ? `EXECUTE PayIn(account_id := ${account()}, amount := ${amount});`
          : `EXECUTE Move(source := ${account()}, target := ${account()}, amount := ${amount});`;
      commands.push(command);
      await tell(session, command);
      const [[count]] = (await rowsOf(session, 'SELECT COUNT(*) AS n FROM Reg."Account$Events";')) as [[number]];
      positions.push(count);
    }
    await tell(
      session,
      `INSPECT DECISION MoveIt FROM Reg."Account$Commands" INTO each_ AS OF EACH WITH SCHEMA '${quoted}';`,
    );
    const events = withoutNulls(
      await rowsOf(session, 'SELECT stream_id, seq, event_type, data FROM each_;'),
    ) as readonly [string, number, string][];
    const would: unknown[] = [];
    let [compared, emitted] = [0, 0];
    for (const [at, command] of commands.entries()) {
      if (!command.startsWith('EXECUTE Move')) continue;
      const then = await tookIt(commands.slice(0, at), candidate);
      const balances = await rowsOf(then, 'SELECT * FROM Reg."Balances" ORDER BY account;');
      const happened = await executed(then, command);
      would.push(...(happened.length === 0 ? ['rejected'] : happened));
      compared += 1;
      emitted += happened.length === 0 ? 0 : 1;
      // Compare with this command, and the projection, as of that position.
      const position = positions[at] ?? 0;
      const [, source, target, amount] = /source := ('\w'), target := ('\w'), amount := ([\d.]+)/.exec(command) ?? [];
      const asOf = `AS OF POSITION ${position} WITH SCHEMA '${quoted}'`;
      await tell(
        session,
        `CREATE TABLE one (source, target, amount) AS VALUES (${source ?? ''}, ${target ?? ''}, CAST(${amount ?? ''} AS DECIMAL(8,2)));
         INSPECT DECISION MoveIt FROM one INTO then_ ${asOf}; DROP TABLE one;
         INSPECT PROJECTION Balances FROM Reg."Account$Events" INTO balances ${asOf};`,
      );
      const inspected = (await rowsOf(session, 'SELECT stream_id, event_type, data FROM then_;')) as [string, string][];
      const plain = inspected[0]?.[1] === '__REJECTED__' ? [] : withoutNulls(inspected);
      const asHappened = happened.map((row) => (row as readonly unknown[]).filter((_, place) => place !== 1));
      assert.equal(plain, asHappened, `seed ${round}, command ${at} as of position ${position}\n${candidate}`);
      const projected = await rowsOf(session, 'SELECT * FROM balances ORDER BY account;');
      assert.equal(projected, balances, `seed ${round}, position ${position}\n${candidate}`);
      await then.close();
    }
    const rows = events.map((row) => (row[2] === '__REJECTED__' ? 'rejected' : row));
    assert.equal(rows, would, `seed ${round}\n${candidate}`);
    assert.ok(compared > 1, `${compared} commands, ${emitted} with events`);
    await session.close();
  });

test.run();
