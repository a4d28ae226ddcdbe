/** Servers in this process on one log in memory, with connections that are slow, cut and gone, and servers that stop dead. */
import { collect } from '../contract/accounts.ts';
import { sampleOver } from '../http/sample-engine.ts';
import { startSample } from '../http/sample-server.ts';
import { severalEngines, type Server } from '../servers/several-engines.ts';
import { calm, type Shakes } from '../servers/shaky-journal.ts';
import { systemClock } from './database-world.ts';
import { deliveredSchema } from './delivered-schema.ts';
import type { Place, World } from './world.ts';

export interface MemoryWorldOptions {
  readonly servers: number;
  readonly chance: () => number;
  readonly shakes: Shakes;
  /** Whether trouble is a server that stops dead, and another one in its place. */
  readonly kills: boolean;
}

interface Living extends Place {
  readonly server: Server;
  readonly stop: () => Promise<void>;
}

export async function memoryWorld({ servers, chance, shakes, kills }: MemoryWorldOptions): Promise<World> {
  const several = await severalEngines(deliveredSchema, chance, { reactions: 'timers', clock: systemClock });
  const places: Living[] = [];
  const start = async (name: string, first: boolean): Promise<Living> => {
    const server = await several.add(first ? 'first' : calm);
    const sample = await startSample({ services: true, again: sampleOver(server.engine, server.services) });
    // A server whose log is away does not start.
    server.journal.shake(shakes);
    let url: string | undefined = sample.url;
    const stop = async (): Promise<void> => {
      if (url === undefined) return;
      url = undefined;
      await sample.server.stop();
    };
    return { name, url: () => url, server, stop };
  };
  for (let at = 0; at < servers; at += 1) places.push(await start(`server-${at + 1}`, at === 0));
  return {
    places: Array.from({ length: servers }, (_, at) => ({ name: `server-${at + 1}`, url: () => places[at]?.url() })),
    subscriptions: false,
    trouble: async () => {
      if (!kills) return false;
      const at = Math.floor(chance() * places.length);
      const [before] = places.splice(at, 1, await start(`server-${at + 1}`, false));
      // The server does not reach the log again before the end of the run.
      before?.server.journal.goAway();
      await before?.stop();
      return before !== undefined;
    },
    calm: async () => {
      for (const { server } of places) server.journal.shake(calm);
      // Appends that a cut left on their way arrive, or find themselves behind.
      await new Promise((resolve) => setTimeout(resolve, 12 * (shakes.away + 1)));
    },
    log: async () => {
      const [{ server }] = places as [Living];
      await server.engine.store.turns.fresh();
      return collect(server.engine.store.log.read(1));
    },
    close: async () => {
      for (const place of places) await place.stop();
      await several.close();
    },
  };
}
