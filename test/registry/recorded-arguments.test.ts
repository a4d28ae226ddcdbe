/**
 * The hidden column `arguments` of recorded commands: the arguments that were sent, without SENSITIVE values
 * (docs/language.md#recorded-commands).
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openSession } from '../../server/session/open-session.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';

const schema = (more: string): string => `CREATE EVENTSTORE kept WITH (envelope.commands = 'all'${more});
CREATE AGGREGATE Box; CREATE EVENT Added (n INT);
CREATE COMMAND Put (id STRING, n INT, pin STRING NULL SENSITIVE, old STRING NULL, gone STRING NULL, lost STRING NULL SENSITIVE, now STRING NULL SENSITIVE);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
EXECUTE Put(id := 'a', n := 1, pin := 's3', old := 'x', gone := 'y', lost := 'l', now := 'w');
CREATE OR REPLACE COMMAND Put (id STRING, n INT, pin STRING NULL SENSITIVE, old INT NULL, now STRING NULL);
EXECUTE Put(id := 'a', n := 2, now := 'v');
SELECT data.old AS old, data.now AS now, "arguments" AS sent FROM Reg."Box$Commands";`;

for (const more of ['', ', envelope.sensitive_arguments = true'])
  test(`fields that are gone, have another type or another mark, in a store of '${more}'`, async () => {
    const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
    const found: { readonly rows?: unknown; readonly problems?: unknown }[] = [];
    for await (const outcome of session.run({ name: 'sent', text: schema(more) }))
      found.push(JSON.parse(outcomeJson(outcome)) as { readonly rows?: unknown });
    await session.close();
    const rows = found.at(-1)?.rows as readonly (readonly unknown[])[];
    const shown = rows.map((row) =>
      row.map((value) => (typeof value === 'string' && value.startsWith('{') ? (JSON.parse(value) as unknown) : value)),
    );
    const hidden = { pin: '****', lost: '****', now: '****' };
    assert.equal(shown, [
      [null, '****', { id: 'a', n: 1, old: 'x', gone: 'y', ...hidden }],
      [null, 'v', { id: 'a', n: 2, pin: null, old: null, now: 'v' }],
    ]);
  });

test.run();
