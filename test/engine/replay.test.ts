/** A command sent again with its id is answered as it was the first time, in words and in JSON (docs/language.md#commands-at-run-time). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { renderOutcome } from '../../cli/output/outcome-text.ts';
import { openSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';

const schema = `
CREATE AGGREGATE A;
CREATE COMMAND C (id STRING, q INT, b BIGINT, d DECIMAL(5,2), f DOUBLE, p STRING SENSITIVE, t TIMESTAMP, j JSON, k BOOLEAN, n STRING NULL);
CREATE EVENT E (q INT, d DECIMAL(5,2), v STRING VOLATILE);
CREATE DECISION D FOR A ON COMMAND C
STATE AS SELECT COUNT(*) AS n, AVG(data.d) AS mean FROM Reg."A$Events" WHERE stream_id = :id
EMIT AS SELECT EVENT E (q := :q, d := :d) WHERE :q > 0;`;
const execute = (q: number, id: string): string =>
  `EXECUTE C(id := 'x', q := ${q}, b := 9, d := 1.5, f := 1e21, p := 'secret', t := '2026-01-01', j := '{"a": [1.50]}', k := TRUE) WITH (command_id = '${id}');`;

for (const [what, statement] of [
  ['emitted', execute(1, 'one')],
  ['rejected', execute(0, 'two')],
] as const) {
  test(what, async () => {
    const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
    const said: string[] = [];
    const json: string[] = [];
    for await (const outcome of session.run({
      name: 'x',
      text: `${schema} ${execute(2, 'before')} ${statement}\n${statement}`,
    })) {
      if (outcome.kind !== 'execute') continue;
      said.push(renderOutcome(outcome, { width: undefined, expanded: false, colour: false, terminal: false }));
      json.push(outcomeJson(outcome));
    }
    await session.close();
    assert.is(said.length, 3);
    assert.is(said[2]?.replace(' (replayed)', '').replace('replayed', 'emitted'), said[1]);
    const members = (text: string | undefined): string | undefined => text?.slice(text.indexOf('"events"'));
    assert.is(members(json[2]), members(withoutTerms(json[1] ?? '')));
  });
}

/** The terms of guards are worked out while a command is decided, and are not recorded: its answer has none when it is sent again. */
function withoutTerms(json: string): string {
  return json.replace(/,"terms":\[\{[^\]]*\}\]/g, '');
}

/** Arguments of type DOUBLE, DECIMAL(18,0) and JSON whose JSON forms are the easiest to lose. */
const numbers = [
  ['1e17', '9007199254740993', '1e400'],
  ['123456789012345680000', '-999999999999999999', '-0'],
  ['1e21', '0', '-0.00'],
  ['5e-324', '9007199254740992', '12345678901234567890.00'],
  ['-1.5', '1', '[1e400, {"a": -0.0}]'],
  ['0.1', '2', '1.50e-7'],
] as const;

test('a replayed rejection writes its numbers as before', async () => {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  const sent = numbers.map(([f, d, j], at) => {
    const execute = `EXECUTE C(id := 'x', f := ${f}, d := ${d}, j := '${j}') WITH (command_id = '${at}');`;
    return `${execute}\n${execute}`;
  });
  const text = `CREATE AGGREGATE A;
CREATE COMMAND C (id STRING, f DOUBLE, d DECIMAL(18,0), j JSON);
CREATE EVENT E (f DOUBLE);
CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (f := :f) WHERE :id = 'y';
${sent.join('\n')}`;
  const answers: string[] = [];
  for await (const outcome of session.run({ name: 'x', text })) {
    if (outcome.kind !== 'execute') continue;
    assert.is(outcome.outcome.replayed, answers.length % 2 === 1);
    answers.push(outcomeJson(outcome).replace(/^.*"events"/, '"events"'));
  }
  await session.close();
  assert.is(answers.length, 2 * numbers.length);
  assert.equal(
    answers.filter((_, at) => at % 2 === 1),
    answers.filter((_, at) => at % 2 === 0).map(withoutTerms),
  );
});

test('a replayed event finds its field by name in any case', async () => {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  const execute = `EXECUTE C(id := 'x', s := 'open') WITH (command_id = 'one');`;
  const text = `CREATE AGGREGATE A;
CREATE COMMAND C (id STRING, s STRING);
CREATE EVENT E (Status STRING TAG);
CREATE DECISION D FOR A ON COMMAND C
STATE AS SELECT status FROM Reg."A$Agg" WHERE aggregate_id = :id
EMIT AS SELECT EVENT E (status := :s) WHERE status IS NULL;
${execute}
CREATE OR REPLACE EVENT E (status STRING TAG);
${execute}
EXECUTE C(id := 'x', s := 'shut');
SELECT data, tags FROM Reg."A$Events";
SELECT status FROM Reg."A$Agg";`;
  const answers: string[] = [];
  for await (const outcome of session.run({ name: 'x', text }))
    if (outcome.kind !== 'create')
      answers.push(outcomeJson(outcome).replace(/^.*?"(data|state|rows)":|,"command".*|\}\]\}$|\}$/g, ''));
  await session.close();
  assert.equal(answers, [
    '{"Status":"open"}',
    '{"status":"open"}',
    '{"status":"open"}',
    '[[{"status":"open"},["status:open"]]]',
    '[["open"]]',
  ]);
});

test.run();
