import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeScript } from '../../cli/expectations/judge-script.ts';
import { openSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import type { JsonObject } from '../../language/values/json.ts';

const folder = join(fileURLToPath(new URL('.', import.meta.url)), 'scripts');

/** Each script is a case: its expectations are held by the judge that `schemac test` uses. */
for (const name of readdirSync(folder).filter((file) => file.endsWith('.schema'))) {
  test(name, async () => {
    const text = readFileSync(join(folder, name), 'utf8');
    const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
    const outcomes: JsonObject[] = [];
    for await (const outcome of session.run({ name, text }, { keepGoing: true }))
      outcomes.push(trustedJson(outcomeJson(outcome)) as JsonObject);
    await session.close();
    const verdicts = judgeScript(text, outcomes);
    assert.ok(verdicts.length > 0, 'a script without expectations shows nothing');
    assert.equal(
      verdicts.filter(({ mismatch }) => mismatch !== undefined),
      [],
    );
  });
}

test.run();
