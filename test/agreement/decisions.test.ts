/**
 * Asks a question in three ways and gets one answer: a command decided without effect, executed, and decided again from its record. A case
 * is a line.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { trustedJson } from '../../language/values/json-value.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { after, before, execute, rehearsed } from './doors.ts';

const schema = `
CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = 'all');
CREATE ENUM Kind AS ('plain', 'odd');
CREATE AGGREGATE Acc (acc_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0 AS SUM(data.amount));
CREATE AGGREGATE Num (num_id INT KEY);
CREATE EVENT Put (amount DECIMAL(12,2), note STRING, drawn UUID, id STRING, at TIMESTAMP, chance DOUBLE);
CREATE EVENT Got (n INT);
CREATE COMMAND Pay (acc_id STRING, amount DECIMAL(12,2) CHECK (amount < 1000), note STRING NULL);
CREATE DECISION PayIt FOR Acc ON COMMAND Pay
STATE AS SELECT balance FROM Reg."Acc$Agg" WHERE aggregate_id = :acc_id
EMIT AS BRANCH Little SELECT EVENT Put (amount := :amount, note := :note) WHERE :amount + balance < 100
UNION ALL BRANCH Twice SELECT EVENT Put (amount := 1), SELECT EVENT Put (amount := 2, note := 'second') WHERE :amount = 50
UNION ALL BRANCH Both SELECT EVENT Got (n := 1) TO Num('7'), SELECT EVENT Got (n := 2) TO Num('7'), SELECT EVENT Put (amount := 3) WHERE :amount = 150;
CREATE COMMAND Send (acc_id STRING, target STRING);
CREATE DECISION SendIt FOR Acc ON COMMAND Send EMIT AS SELECT EVENT Got (n := 1) TO Num(:target);
CREATE COMMAND Move (acc_id STRING, target STRING);
CREATE DECISION MoveIt FOR Acc ON COMMAND Move EMIT AS SELECT EVENT Put (amount := 1) TO Acc(:target);
CREATE COMMAND Count_ (num_id INT, n INT);
CREATE DECISION CountIt FOR Num ON COMMAND Count_ EMIT AS SELECT EVENT Got (n := :n + 1), SELECT EVENT Got (n := 10 / :n);
CREATE COMMAND Fill (acc_id STRING, text STRING);
CREATE DECISION FillIt FOR Acc ON COMMAND Fill EMIT AS SELECT EVENT Put (note := :text);
CREATE COMMAND Flood (acc_id STRING, n INT);
CREATE DECISION FloodIt FOR Acc ON COMMAND Flood
EMIT AS BRANCH A SELECT EVENT Put (amount := 1), SELECT EVENT Put (amount := 2) WHERE :n > 0
UNION ALL BRANCH B SELECT EVENT Put (amount := 3), SELECT EVENT Put (amount := 4) WHERE :n > 1;
CREATE COMMAND Draw (acc_id STRING, below DOUBLE);
CREATE DECISION DrawIt FOR Acc ON COMMAND Draw
EMIT AS SELECT EVENT Put (drawn := gen_random_uuid(), id := generate_id()) WHERE random() < :below;
CREATE COMMAND Scan (acc_id STRING, least INT);
CREATE DECISION ScanIt FOR Acc ON COMMAND Scan
STATE AS SELECT stream_id AS known FROM Reg."Acc$Events" WHERE seq >= :least GROUP BY stream_id
EMIT AS SELECT EVENT Put (note := known) WHERE known IS NOT NULL;
CREATE COMMAND Hide (acc_id STRING, pin STRING SENSITIVE CHECK (LENGTH(pin) > 3), kind Kind SENSITIVE NULL, weight DOUBLE SENSITIVE NULL);
CREATE DECISION HideIt FOR Acc ON COMMAND Hide EMIT AS SELECT EVENT Put (amount := 1);
CREATE COMMAND Tell (acc_id STRING, kind Kind SENSITIVE, weight DOUBLE SENSITIVE, born DATE SENSITIVE, count_ INT SENSITIVE);
CREATE DECISION TellIt FOR Acc ON COMMAND Tell EMIT AS SELECT EVENT Put (amount := 1) WHERE :weight > 0;
EXECUTE Pay(acc_id := 'A', amount := 10);
EXECUTE Pay(acc_id := 'B', amount := 20);
`;

/** Small, so that a line shows what is refused. */
const limits = { eventsPerCommand: 3, eventBytes: 200, streamIdCharacters: 12 };

/**
 * `says`: the beginning of the answer. `again`: the answer from its record, where that is another one: nothing is kept if the command
 * itself refuses, and some arguments are not kept.
 */
type Case = readonly [what: string, command: string, given: object, says: string, again?: 'not kept' | 'not decidable'];
const cases: readonly Case[] = [
  ['emitted', 'Pay', { acc_id: 'A', amount: 5, note: 'n' }, 'emitted Acc A branches 1'],
  ['two branches', 'Pay', { acc_id: 'A', amount: 50 }, 'emitted Acc A branches 1 2'],
  ['two streams', 'Pay', { acc_id: 'C', amount: 150 }, 'emitted Acc C branches 3'],
  ['rejected', 'Pay', { acc_id: 'A', amount: 900 }, 'rejected Acc A branches \n{"decision":"PayIt"'],
  ['an id in the form of the KEY', 'Send', { acc_id: 'A', target: '12' }, 'emitted Acc A branches 1\nNum 12'],
  ['an id that is not of the type of the KEY', 'Send', { acc_id: 'A', target: 'x' }, 'R0206'],
  ['another form of the id', 'Send', { acc_id: 'A', target: '012' }, 'R0206'],
  ['an empty id', 'Move', { acc_id: 'A', target: '' }, 'R0206'],
  ['a long id', 'Move', { acc_id: 'A', target: 'x'.repeat(13) }, 'R0206'],
  ['its own long id', 'Move', { acc_id: 'x'.repeat(13), target: 'A' }, 'R0103', 'not kept'],
  ['its own id of another type', 'Count_', { num_id: 'x', n: 1 }, 'R0103', 'not kept'],
  ['an event of the most bytes', 'Fill', { acc_id: 'A', text: 'x'.repeat(189) }, 'emitted'],
  ['an event that is too large', 'Fill', { acc_id: 'A', text: 'x'.repeat(190) }, 'R0206'],
  ['a large event of few characters', 'Fill', { acc_id: 'A', text: 'ä'.repeat(100) }, 'R0206'],
  ['some events', 'Flood', { acc_id: 'A', n: 1 }, 'emitted Acc A branches 1'],
  ['too many events', 'Flood', { acc_id: 'A', n: 2 }, 'R0206'],
  ['an overflow', 'Count_', { num_id: 1, n: 2147483647 }, 'R0202'],
  ['a division by zero', 'Count_', { num_id: 1, n: 0 }, 'R0201'],
  ['a STATE of several rows', 'Scan', { acc_id: 'A', least: 1 }, 'R0203'],
  ['a STATE without rows', 'Scan', { acc_id: 'A', least: 1000 }, 'rejected'],
  ['draws', 'Draw', { acc_id: 'A', below: 1 }, 'emitted'],
  ['a draw that rejects', 'Draw', { acc_id: 'A', below: 0 }, 'rejected'],
  ['a CHECK', 'Pay', { acc_id: 'A', amount: 1000 }, 'R0115', 'not kept'],
  ['a missing argument', 'Pay', { acc_id: 'A' }, 'R0101', 'not kept'],
  ['an unknown argument', 'Pay', { acc_id: 'A', amount: 1, amont: 1 }, 'R0102', 'not kept'],
  ['NULL', 'Pay', { acc_id: 'A', amount: null }, 'R0103', 'not kept'],
  ['another type', 'Pay', { acc_id: 'A', amount: 'much' }, 'R0103', 'not kept'],
  ['two faults', 'Pay', { acc_id: 'A', amount: 'much', amont: 1 }, 'R0113', 'not kept'],
  ['an unknown command', 'Nope', { acc_id: 'A' }, 'R0106', 'not kept'],
  ['a secret in a CHECK', 'Hide', { acc_id: 'A', pin: '1234', kind: 'odd', weight: 1.5 }, 'emitted', 'not decidable'],
  ['a short secret', 'Hide', { acc_id: 'A', pin: '1' }, 'R0115', 'not kept'],
  [
    'secrets in a guard',
    'Tell',
    { acc_id: 'A', kind: 'odd', weight: 1, born: '2001-02-03', count_: 3 },
    'emitted',
    'not decidable',
  ],
];

let session: OpenSession;
const now = (): bigint => BigInt(Date.now()) * 1000n;

test.before(async () => {
  session = await openSession({ store: await openMemoryStore(), version: '0.0.0', limits });
  for await (const outcome of session.run({ name: 'schema', text: schema }))
    if (outcome.kind === 'error') throw new Error(outcomeJson(outcome));
});
test.after(() => session.close());

for (const [what, command, given, says, again] of cases)
  test(what, async () => {
    const { engine } = session;
    const asked = { command, arguments: trustedJson(JSON.stringify(given)) as JsonObject };
    const { entry } = engine.store.turns.position();
    const answers: Record<string, string> = {};
    for (const [door, ask] of Object.entries(before)) answers[door] = await ask(session, asked, now());
    assert.is(engine.store.turns.position().entry, entry, 'an inspection writes nothing');
    const answer = await execute(session, asked, now());
    assert.ok(answer.startsWith(says), answer);
    assert.equal(answers, Object.fromEntries(Object.keys(before).map((door) => [door, answer])));
    const written = engine.store.turns.position().entry;
    assert.is(written, again === 'not kept' ? entry : entry + 1);
    if (again === 'not kept') return;
    for (const [door, ask] of Object.entries(after)) assert.is(await ask(engine, written), again ?? answer, door);
    assert.is(await rehearsed(engine, written), again === undefined ? 'same' : 'not_decidable');
  });

test.run();
