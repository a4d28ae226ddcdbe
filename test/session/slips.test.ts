import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { slipsOf } from '../kit/slips.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
const numRuns = Number(process.env['SCHEMAC_SLIP_SCRIPTS'] ?? 12);

const samples = ['../../examples', 'scripts'].flatMap((name) => {
  const folder = fileURLToPath(new URL(name, import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.schema'))
    .sort()
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
});

test(`damaged scripts run to their end, without an internal error (seed ${seed})`, async () => {
  const slipped = fc.constantFrom(...samples).chain(([name, text]) => {
    const { slip, withSlips } = slipsOf(text);
    return fc.array(slip, { minLength: 1, maxLength: 8 }).map((slips) => ({ name, text: withSlips(slips) }));
  });
  const property = fc.asyncProperty(slipped, async (file) => {
    const session = await openSession({ store: await openMemoryStore({ starts: 'when asked' }), version: '0.0.0' });
    try {
      for await (const outcome of session.run(file, { keepGoing: true })) assert.type(outcomeJson(outcome), 'string');
    } finally {
      await session.close();
    }
  });
  await fc.assert(property, { seed, numRuns });
});

test.run();
