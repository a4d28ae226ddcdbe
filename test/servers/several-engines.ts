import type { Domain } from '../../language/contract/domain.ts';
import { createReactingEngine, type ReactingEngineOptions } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { ReactorRuns } from '../../runtime/engine/reactions.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { createMemoryLog, type MemoryLog } from '../../runtime/store/journal/memory-journal.ts';
import { createRegistryServices, type RegistryServices } from '../../server/start/registry-services.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { domainOf } from '../kit/domain.ts';
import { calm, shakyJournal, type Shakes, type ShakyJournal } from './shaky-journal.ts';

export interface Server {
  readonly engine: Engine;
  readonly services: RegistryServices;
  readonly journal: ShakyJournal;
}

/** Servers on one log in memory, each with its own connection, store and engine. */
export interface SeveralEngines {
  readonly log: MemoryLog;
  readonly domain: Domain;
  /** `first`: it logs the schema. `own`: options of this engine alone. */
  readonly add: (shakes?: Shakes | 'first', own?: Partial<ReactingEngineOptions>) => Promise<Server>;
  readonly close: () => Promise<void>;
}

const domains = new Map<string, Promise<Domain>>();

interface Clockwork {
  readonly reactions?: ReactorRuns;
  /** µs by which the common clock moves at each question. */
  readonly step?: bigint;
  /** Another clock than the common one. */
  readonly clock?: () => bigint;
}

export async function severalEngines(
  schema: string,
  chance: () => number = Math.random,
  { reactions, step = 1000n, clock }: Clockwork = {},
): Promise<SeveralEngines> {
  const log = createMemoryLog('ab'.repeat(32));
  const domain = await (domains.get(schema) ?? domainOf(schema));
  domains.set(schema, Promise.resolve(domain));
  const servers: Server[] = [];
  let now = 1_700_000_000_000_000n;
  return {
    log,
    domain,
    add: async (shakes = calm, own = {}) => {
      const journal = shakyJournal(log.connect(), chance);
      const store = await openMemoryStore({ shared: journal });
      const engine = await createReactingEngine({
        store,
        domain,
        clock: clock ?? (() => (now += step)),
        ...(reactions === undefined ? {} : { reactions }),
        ...own,
        randomBytes: createSystemRandom(),
      });
      if (shakes === 'first') {
        const changes = domain.blocks.map(
          ({ kind, name, text }) => ({ change: 'put', block: kind, name, text }) as const,
        );
        await engine.adopt(domain, { kind: 'schema', origin: 'files', changes });
      } else journal.shake(shakes);
      const services = createRegistryServices(engine, { version: '0.1.0', modules: undefined, warn: () => undefined });
      engine.compileWith(services.follow.compile);
      const server = { engine, journal, services };
      servers.push(server);
      return server;
    },
    close: async () => {
      for (const { engine, journal } of servers) {
        // A killed server never answers.
        if (journal.isFrozen()) continue;
        journal.shake(calm);
        journal.comeBack();
        await engine.close();
      }
    },
  };
}
