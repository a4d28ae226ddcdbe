/**
 * Simultaneous callers with questions about random moments: eight, or 2 to 32 in a long run. Every answer is compared with a fold of the
 * test's own. `QUESTIONS` is the number for each store, `SEED` which ones. With more than a few of them, one in four is of any kind, also
 * of those that compile a text.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { openGuestSession } from '../../server/session/open-guest-session.ts';
import { openSession } from '../../server/session/open-session.ts';
import type { Session } from '../../server/session/session.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';
import { defaultLimits } from '../../server/start/settings/limits.ts';
import { createStandings } from '../../runtime/delivery/standing.ts';
import { createChance, type Chance } from '../crash/chance.ts';
import { sampleOver } from '../http/sample-engine.ts';
import { startSample } from '../http/sample-server.ts';
import { afterTest } from '../kit/after-test.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { later, nextCommand, questions, quick, randomPosition, schema, type Asked, type History } from './questions.ts';

const few = 24;
const most = Number(process.env['QUESTIONS'] ?? few);
const first = Number(process.env['SEED'] ?? 1);
/** A longer history would take most of the time. */
const mostOfHistory = 2_000;
const sessions = most > few ? 2 : 0;

type Place = 'inline' | 'worker';

const stores: Readonly<Record<string, (readModel: Place) => Promise<Store>>> = {
  memory: (readModel) => openMemoryStore({ readModel }),
  disk: (readModel) => openEmbeddedStore({ directory: freshFolder(), readModel, readEngine: 'disk', fsync: false }),
};

interface Served extends Asked {
  readonly history: History;
  readonly execute: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function serve(store: Store, chance: Chance): Promise<Served> {
  const own = await openSession({ store, version: '0.1.0' });
  const execute = async (text: string): Promise<void> => {
    for await (const outcome of own.run({ name: 'history', text }))
      if (outcome.kind === 'error') throw new Error(JSON.stringify(outcome.problems));
  };
  const history: History = { events: [], ends: [], laterAt: 0 };
  await execute(schema);
  for (let at = 0; at < 8; at++) await execute(nextCommand(chance, history));
  history.laterAt = history.events.length;
  await execute(later);
  for (let at = 0; at < 8; at++) await execute(nextCommand(chance, history));

  const { engine } = own;
  // All questions of a round may wait; a loaded machine takes its time.
  const limits = {
    ...defaultLimits,
    consoleMilliseconds: 60_000,
    consoleWaiting: 32,
    inspectMilliseconds: 60_000,
    inspectionsWaiting: 32,
    inspectRate: 1_000_000,
  };
  const services = createRegistryServices(engine, {
    version: '0.1.0',
    modules: undefined,
    limits,
    warn: () => undefined,
  });
  const server = await startSample({
    services: true,
    limits,
    again: sampleOver(engine, services, own.close),
  });
  const live = await services.live();
  const guests = await Promise.all(
    Array.from({ length: sessions }, (_, at) =>
      openGuestSession({
        engine,
        live,
        version: '0.1.0',
        lenientPayload: false,
        prefix: `guest${at}`,
        standings: createStandings({ engine }),
        locate: (_stores, name) => {
          throw new Error(`there is no store ${name}`);
        },
      }),
    ),
  );
  const turns: Promise<unknown>[] = guests.map(() => Promise.resolve());
  let taken = 0;
  return {
    history,
    execute,
    get: (path) => server.get(path, { Accept: 'application/json' }),
    post: server.post,
    session: <T>(work: (session: Session) => Promise<T>): Promise<T> => {
      const at = taken++ % guests.length;
      const guest = guests[at];
      if (guest === undefined) throw new Error('there is no session');
      const done = (turns[at] ?? Promise.resolve()).then(() => work(guest));
      turns[at] = done.catch(() => undefined); // reported to the caller
      return done;
    },
    close: async () => {
      for (const guest of guests) await guest.close();
      await server.stop();
    },
  };
}

/** Asks a question of a random kind. Gives a description of a wrong answer. */
async function ask(served: Served, position: number, chance: Chance): Promise<string | undefined> {
  const kinds = Object.keys(questions);
  const kind = kinds[chance.below(most > few && chance.below(4) === 0 ? kinds.length : quick)] ?? '';
  const { given, right } = (await questions[kind]?.(served, served.history, position, chance)) ?? {};
  return JSON.stringify(given) === JSON.stringify(right)
    ? undefined
    : `${kind} as of ${position}: ${JSON.stringify(given)}, not ${JSON.stringify(right)}`;
}

/** Callers at once, three questions each; some rounds go backwards through the events, so that the later moments are asked first. */
async function round(served: Served, chance: Chance, callers: number): Promise<readonly string[]> {
  const positions = Array.from({ length: callers * 3 }, () => randomPosition(chance, served.history));
  if (chance.below(3) === 0) positions.sort((a, b) => b - a);
  const wrong: string[] = [];
  const caller = async (at: number): Promise<void> => {
    for (let asked = at; asked < positions.length; asked += callers) {
      const problem = await ask(served, positions[asked] ?? 0, chance);
      if (problem !== undefined) wrong.push(problem);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, at) => caller(at)));
  return wrong;
}

for (const [name, open] of Object.entries(stores))
  test(`questions at once about moments of a store in ${name}`, async () => {
    for (let asked = 0, seed = first; asked < most; seed++) {
      const chance = createChance(seed);
      const served = await serve(await open(seed % 4 === 0 ? 'worker' : 'inline'), chance);
      afterTest(served.close);
      for (let here = 0; here < mostOfHistory && asked < most;) {
        const callers = most > few ? 2 + chance.below(31) : few / 3;
        assert.equal(await round(served, chance, callers), [], `after ${asked} questions, seed ${seed}`);
        here += callers * 3;
        asked += callers * 3;
        await served.execute(nextCommand(chance, served.history));
      }
      await served.close();
    }
  });

test.run();
