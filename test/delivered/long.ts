/**
 * Long runs: rounds of some thousand effects, each with a new log, until reactions had the asked number of effects. `memory`, `database`
 * and `disk` have their servers in this process, `processes` and `directory` are built servers.
 */
import { startDatabase, type TestDatabase } from '../kit/database.ts';
import { createChance } from '../servers/history.ts';
import { calm } from '../servers/shaky-journal.ts';
import { troubles, type TroubleKind } from '../servers/troubles.ts';
import { databaseWorld, type DatabaseWorldOptions } from './database-world.ts';
import { diskWorld } from './disk-world.ts';
import { memoryWorld } from './memory-world.ts';
import { directoryWorld, processWorld } from './process-world.ts';
import { runDelivered, type Finished } from './run.ts';
import { startTargets, type Targets } from './target.ts';
import type { Push, World } from './world.ts';

interface Round {
  readonly servers: number;
  readonly trouble: string;
  readonly seed: number;
  readonly push: Push;
  readonly database: TestDatabase;
}

interface Kind {
  readonly troubles: readonly string[];
  readonly open: (round: Round) => Promise<World>;
  /** Commands of a round, and milliseconds before each trouble. */
  readonly commands: number;
  readonly between: number;
}

const cut = { delay: 2, cutAfter: 0.02, cutBefore: 0.02, away: 20 };

const kinds: Readonly<Record<string, Kind>> = {
  memory: {
    troubles: ['none', 'cut', 'kill'],
    commands: 1_000,
    between: 400,
    open: ({ servers, trouble, seed }) => {
      const shakes = trouble === 'none' ? { ...calm, delay: 2 } : cut;
      return memoryWorld({ servers, chance: createChance(seed + 1), shakes, kills: trouble === 'kill' });
    },
  },
  database: {
    troubles: ['none', 'cut', 'restart'],
    commands: 1_000,
    between: 150,
    open: ({ database, trouble, seed, ...round }) =>
      databaseWorld(database, {
        ...round,
        chance: createChance(seed + 1),
        namespace: `delivered_${process.pid}_${seed}`,
        trouble: trouble as DatabaseWorldOptions['trouble'],
      }),
  },
  disk: {
    troubles: ['none', 'restart'],
    commands: 1_000,
    between: 3_000,
    open: ({ push }) => diskWorld(push),
  },
  processes: {
    troubles: troubles.filter((each) => each !== 'schema'),
    commands: 1_000,
    between: 500,
    open: ({ database, trouble, seed, ...round }) =>
      processWorld(database, {
        ...round,
        chance: createChance(seed + 1),
        namespace: `delivered_${process.pid}_${seed}`,
        trouble: trouble as TroubleKind,
      }),
  },
  directory: {
    troubles: ['none', 'kill'],
    commands: 1_000,
    between: 3_000,
    open: ({ push }) => directoryWorld(push),
  },
};

/** `[place] [trouble] [servers] [effects] [seconds]`; gives the number of faults. */
export async function deliveredRuns(words: readonly string[]): Promise<number> {
  const [place = 'memory', trouble = 'none', servers = '2', effects = '20000', seconds = '500'] = words;
  const kind = kinds[place];
  if (kind === undefined) throw new Error(`there is no place '${place}'; there are ${Object.keys(kinds).join(', ')}`);
  if (!kind.troubles.includes(trouble))
    throw new Error(`there is no trouble '${trouble}' for ${place}; there are ${kind.troubles.join(', ')}`);
  const database = await startDatabase();
  if ('missing' in database) throw new Error(database.missing);
  const targets = await startTargets();
  const first = Date.now() % 1_000_000;
  const end = performance.now() + Number(seconds) * 1_000;
  let [seen, failed] = [0, 0];
  try {
    for (let round = 0; seen < Number(effects) && performance.now() < end; round += 1) {
      const seed = first + round;
      const path = `/${seed}`;
      const world = await kind.open({ trouble, seed, database, servers: Number(servers), push: targets.push(path) });
      const { faults, figures } = await runRound(world, kind, { seed, path, targets, isTroubled: trouble !== 'none' });
      const found = Object.entries(faults).flatMap(([of, each]) => each.map((fault) => `${of}: ${fault}`));
      seen += figures.reactions.effects;
      failed += found.length;
      process.stdout.write(
        `${place} ${trouble} ${servers}, seed ${seed}: ${found.length} faults ${JSON.stringify(figures)}\n`,
      );
      for (const fault of found.slice(0, 20)) process.stdout.write(`  ${fault.slice(0, 1_000)}\n`);
    }
  } finally {
    await targets.stop();
    await database.stop();
  }
  process.stdout.write(`${place} ${trouble}, ${servers} servers: ${seen} effects, ${failed} faults\n`);
  return failed;
}

async function runRound(
  world: World,
  { commands, between }: Kind,
  { seed, path, targets, isTroubled }: { seed: number; path: string; targets: Targets; isTroubled: boolean },
): Promise<Finished> {
  try {
    const options = { seed, commands, between, clients: 16, seconds: 120, troubles: isTroubled ? 3 : 0 };
    return await runDelivered(world, options, world.subscriptions ? { receiver: targets.receiver, path } : undefined);
  } finally {
    await world.close();
  }
}
