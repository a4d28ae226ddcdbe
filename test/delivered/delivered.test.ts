/**
 * Everything that is delivered, compared with the log by ids and contents: answers of reactions, rows of subscriptions and webhooks, followed events,
 * states and projections. `npm run test:servers -- delivered` has long runs.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startDatabase } from '../kit/database.ts';
import { createChance } from '../servers/history.ts';
import { databaseWorld } from './database-world.ts';
import { diskWorld } from './disk-world.ts';
import { memoryWorld } from './memory-world.ts';
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

test('three servers on a log in memory, which overtake each other, are cut off and stop dead', async () => {
  const chance = createChance(3);
  const shakes = { delay: 1, cutAfter: 0.03, cutBefore: 0.03, away: 10 };
  const world = await memoryWorld({ servers: 3, chance, shakes, kills: true });
  const { faults } = await run(world, '', { commands: 15, troubles: 1 });
  assert.equal(faults, none);
});

const database = await startDatabase();
if ('missing' in database) test.skip(`two servers on PostgreSQL: ${database.missing}`, () => undefined);
else {
  test.after(database.stop);
  test('two servers on PostgreSQL, whose connections are cut while they append', async () => {
    const options = {
      servers: 2,
      chance: createChance(5),
      trouble: 'cut',
      namespace: `delivered_${process.pid}`,
    } as const;
    const world = await databaseWorld(database, { ...options, push: targets.push('/cut') });
    const { faults } = await run(world, '/cut', { commands: 15, troubles: 3 });
    assert.equal(faults, none);
  });
}

test.run();
