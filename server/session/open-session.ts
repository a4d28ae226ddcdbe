import type { Engine } from '../../runtime/engine/engine.ts';
import type { EngineLimits } from '../../runtime/engine/limits.ts';
import { openLive } from '../registry/live/open-live.ts';
import { createDomainLoader } from '../registry/load/domain-loader.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import type { Store } from '../../runtime/store/store.ts';
import { knownOf, type Known } from './known.ts';
import { createSessionClock } from './session-clock.ts';
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
  /** The moment at which the time of a session in memory begins, µs since 1970, and stays until ADVANCE CLOCK; without it, time is that of the system. */
  readonly begins?: bigint;
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
  const { store, version, locate, readSchema, begins } = options;
  const sessionClock = createSessionClock(begins === undefined ? systemClock : () => begins);
  const { engine, live } = await openLive({
    store,
    version,
    modules: options.modules,
    limits: options.limits,
    origin: 'create',
    reactions: 'asked',
    clock: sessionClock.now,
  });
  const { session, release } = await createSessionOn({
    engine,
    live,
    loader: createDomainLoader({ version }),
    prefix: 'local',
    lenientPayload: options.lenientPayload === true,
    readModel: options.readModel ?? 'inline',
    alone: true,
    reacts: true,
    clock: sessionClock.now,
    ...(store.kind === 'memory' ? { sessionClock } : {}),
    ...(locate === undefined ? {} : { locate }),
    ...(readSchema === undefined ? {} : { readSchema }),
  });
  return {
    ...session,
    engine,
    known: () => knownOf(engine.domain()),
    close: async () => {
      // Blocks that are only in memory end with the session.
      if (store.kind !== 'memory') await live.adopt();
      await release();
      await engine.close();
    },
  };
}
