import { createEngine } from '../../runtime/engine/create-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { EngineLimits } from '../../runtime/engine/limits.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { createDomainLoader } from '../registry/load/domain-loader.ts';
import { followRegistry } from '../registry/live/follow-registry.ts';
import { createLiveRegistry } from '../registry/live/live-registry.ts';
import { registryFromLog } from '../registry/from-log/registry-from-log.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import type { Store } from '../../runtime/store/store.ts';
import { knownOf, type Known } from './known.ts';
import { createSessionOn, type SessionOnOptions } from './session-on.ts';
import type { Session } from './session.ts';

export interface SessionOptions extends Pick<SessionOnOptions, 'locate' | 'readSchema'> {
  readonly store: Store;
  /** The tool's version, for the head comments of generated modules. */
  readonly version: string;
  /** The folder for modules, used by this session alone; if absent, they exist only until they are loaded. */
  readonly modules?: string;
  readonly lenientPayload?: boolean;
  /** The thread of the store's read model; in its own thread, a query can be stopped. */
  readonly readModel?: 'worker' | 'inline';
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<EngineLimits>;
}

export interface OpenSession extends Session {
  readonly engine: Engine;
  readonly known: () => Known;
  readonly close: () => Promise<void>;
}

/** A session that owns its store: the registry is the log's, and new definitions are appended to it. */
export async function openSession(options: SessionOptions): Promise<OpenSession> {
  const { store, locate, readSchema } = options;
  const { version, modules: directory } = options;
  const loader = createDomainLoader({ version, directory });
  const { registry, history } = await registryFromLog(store);
  const domain = await loader.load(registry.catalog);
  loader.tidy();
  const engine = await createEngine({
    store,
    domain,
    clock: systemClock,
    randomBytes: createSystemRandom(),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const live = createLiveRegistry({ engine, registry, loader, history, origin: 'create' });
  engine.compileWith(followRegistry(engine, version, () => Promise.resolve(live)));
  const { session, release } = await createSessionOn({
    engine,
    live,
    loader: createDomainLoader({ version }),
    prefix: 'local',
    lenientPayload: options.lenientPayload === true,
    readModel: options.readModel ?? 'inline',
    alone: true,
    ...(locate === undefined ? {} : { locate }),
    ...(readSchema === undefined ? {} : { readSchema }),
  });
  return {
    ...session,
    engine,
    known: () => knownOf(engine.domain()),
    close: async () => {
      await live.adopt();
      await release();
      await engine.close();
    },
  };
}
