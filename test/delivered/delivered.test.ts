/**
 * Everything that is delivered, compared with the log by ids and contents: answers of reactions, rows of subscriptions and webhooks, followed events,
 * states and projections. `npm run test:servers -- delivered` has long runs.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { diskWorld } from './disk-world.ts';
import { checks, runDelivered, type Faults, type Finished, type RunOptions } from './run.ts';
import { slips } from './slips.ts';
import { startTargets } from './target.ts';
import type { World } from './world.ts';

const none: Faults = { answers: [], log: [], reactions: [], rows: [], webhooks: [], followers: [], readings: [] };
const short: RunOptions = { seed: 7, clients: 6, commands: 25, troubles: 0, seconds: 60, between: 100 };
const targets = await startTargets();
test.after(targets.stop);

async function run(world: World, path: string, options: Partial<RunOptions> = {}): Promise<Finished> {
  try {
    const target = world.subscriptions ? { receiver: targets.receiver, path } : undefined;
    return await runDelivered(world, { ...short, ...options }, target);
  } finally {
    await world.close();
  }
}

test('a server on a directory, which is started again meanwhile', async () => {
  const { faults, figures, records } = await run(await diskWorld(targets.push('/disk')), '/disk', {
    troubles: 1,
    between: 1_000,
  });
  assert.equal(faults, none);
  assert.ok(figures.reactions.effects > 80 && figures.sent > 10 && figures.rows > 20, JSON.stringify(figures));
  // A check that finds nothing must be able to find something.
  const unseen = Object.entries(slips).filter(([, [check, slip]]) => checks[check](slip(records)).length === 0);
  assert.equal(
    unseen.map(([slip]) => slip),
    [],
  );
});

test.run();
