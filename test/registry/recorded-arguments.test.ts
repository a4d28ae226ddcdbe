/** The hidden column `arguments` of recorded commands: what was sent, without SENSITIVE values (docs/language.md#recorded-commands). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openSession } from '../../server/session/open-session.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';

const schema = (more: string): string => `CREATE EVENTSTORE kept WITH (envelope.commands = 'all'${more});
CREATE AGGREGATE Box; CREATE EVENT Added (n INT);
CREATE COMMAND Put (id STRING, n INT, pin STRING NULL SENSITIVE, old STRING NULL, gone STRING NULL);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
EXECUTE Put(id := 'a', n := 1, pin := 's3', old := 'x', gone := 'y');
CREATE OR REPLACE COMMAND Put (id STRING, n INT, pin STRING NULL SENSITIVE, old INT NULL);
SELECT data.old AS old, "arguments" AS sent FROM Reg."Box$Commands";`;

for (const [more, gone] of [
  ['', 'y'],
  [', envelope.sensitive_arguments = true', '****'],
] as const)
  test(`a field that is gone or has another type, in a store of '${more}'`, async () => {
    const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
    const found: { readonly rows?: unknown; readonly problems?: unknown }[] = [];
    for await (const outcome of session.run({ name: 'sent', text: schema(more) }))
      found.push(JSON.parse(outcomeJson(outcome)) as { readonly rows?: unknown });
    await session.close();
    const rows = found.at(-1)?.rows as readonly (readonly [unknown, unknown])[];
    const shown = rows.map(([old, sent]) => [old, typeof sent === 'string' ? (JSON.parse(sent) as unknown) : sent]);
    assert.equal(shown, [[null, { id: 'a', n: 1, pin: '****', old: 'x', gone }]]);
  });

test.run();
