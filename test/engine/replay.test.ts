/** A command sent again with its id is answered as it was the first time, in words and in JSON (language.md section 5). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { renderOutcome } from '../../cli/output/outcome-text.ts';
import { openSession } from '../../runtime/session/open-session.ts';
import { outcomeJson } from '../../runtime/session/outcome-json.ts';
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
    assert.is(members(json[2]), members(json[1]));
  });
}

test.run();
