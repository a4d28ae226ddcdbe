/** Servers in this process on one log in PostgreSQL, each behind a proxy of its own that cuts its connections while a batch is appended. */
import { setTimeout as pause } from 'node:timers/promises';
import type { LogEntry } from '../../runtime/store/entry.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { dumpDatabaseLog } from '../../runtime/store/postgres/database-log.ts';
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';
import { sampleOver } from '../http/sample-engine.ts';
import { startSample } from '../http/sample-server.ts';
import type { TestDatabase } from '../kit/database.ts';
import { domainOf } from '../kit/domain.ts';
import { startTcpProxy } from '../kit/tcp-proxy.ts';
import { deliveredSchema, subscriptionSchema } from './delivered-schema.ts';
import type { Place, Push, World } from './world.ts';

export interface DatabaseWorldOptions {
  readonly servers: number;
  readonly chance: () => number;
  /** Troubles of the run: connections are cut, or servers are stopped and started again. */
  readonly trouble: 'none' | 'cut' | 'restart';
  readonly push: Push;
  readonly namespace: string;
}

/** A server in this process. */
export interface ServedStore {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export async function databaseWorld(
  database: TestDatabase,
  { servers, chance, trouble, push, namespace }: DatabaseWorldOptions,
): Promise<World> {
  const proxies = await Promise.all(Array.from({ length: servers }, () => startTcpProxy(database.port)));
  const living: (ServedStore | undefined)[] = [];
  const start = async (at: number): Promise<void> => {
    const url = new URL(database.url);
    url.port = String(proxies[at]?.port);
    living[at] = await serveStore(await openPostgresStore({ url: url.href, namespace, readModel: 'inline' }), push);
  };
  for (let at = 0; at < servers; at += 1) await start(at);
  const moments = ['before', 'after', 'answered'] as const;
  const places: readonly Place[] = proxies.map((_, at) => ({ name: `server-${at + 1}`, url: () => living[at]?.url }));
  return {
    places,
    subscriptions: true,
    trouble: async (number) => {
      const at = number % servers;
      if (trouble === 'none') return false;
      if (trouble === 'cut') {
        // The text of the statement that appends, and of the one that moves a subscription on.
        const cut = proxies[at]?.cutAt('unnest(', moments[Math.floor(chance() * 3)] ?? 'after');
        return Promise.race([cut?.then(() => true) ?? false, pause(2_000, false)]);
      }
      const stopped = living[at];
      living[at] = undefined;
      await stopped?.stop();
      await start(at);
      return true;
    },
    calm: () => Promise.resolve(),
    log: async () => {
      const log: LogEntry[] = [];
      for await (const entry of dumpDatabaseLog({ url: database.url, namespace })) log.push(entry);
      return log;
    },
    close: async () => {
      for (const served of living) await served?.stop();
      for (const proxy of proxies) await proxy.close();
    },
  };
}

/** Serves a store with the whole domain, which an empty log gets, and with its reactions and webhooks. */
export async function serveStore(store: Store, { host, environment }: Push): Promise<ServedStore> {
  const domain = await wholeDomain();
  const engine = await createReactingEngine({
    store,
    domain,
    clock: systemClock,
    randomBytes: createSystemRandom(),
    reactions: 'timers',
  });
  if (store.log.schema().length === 0) {
    const changes = domain.blocks.map(({ kind, name, text }) => ({ change: 'put', block: kind, name, text }) as const);
    await engine.adopt(domain, { kind: 'schema', origin: 'files', changes });
  }
  const services = createRegistryServices(engine, { version: '0.1.0', modules: undefined, warn: () => undefined });
  engine.compileWith(services.follow.compile);
  const sample = await startSample({
    services: true,
    push: { environment },
    settings: { push: { allowedHosts: [host], allowedAddresses: [] } },
    again: sampleOver(engine, services, engine.close),
  });
  return { url: sample.url, stop: sample.stop };
}

let domain: ReturnType<typeof domainOf> | undefined;
const wholeDomain = (): ReturnType<typeof domainOf> => (domain ??= domainOf(deliveredSchema + subscriptionSchema));

/** µs since 1970. */
export function systemClock(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000));
}
