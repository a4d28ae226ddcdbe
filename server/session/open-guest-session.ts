import type { Engine } from '../../runtime/engine/engine.ts';
import { createDomainLoader } from '../registry/load/domain-loader.ts';
import type { LiveRegistry } from '../registry/live/live-registry.ts';
import { replaceBlocks } from '../operation/change.ts';
import { knownOf } from './known.ts';
import { createSessionOn, type SessionOnOptions } from './session-on.ts';
import type { GuestSession } from './socket/serve-session.ts';

export interface GuestOptions extends Required<Pick<SessionOnOptions, 'locate' | 'standings'>> {
  readonly engine: Engine;
  /** Shared by all who change the registry of this server. */
  readonly live: LiveRegistry;
  readonly version: string;
  readonly lenientPayload: boolean;
  /** Distinguishes this guest's tables from those of others. */
  readonly prefix: string;
}

/** A session on the engine of a running server: its blocks serve requests at once, and its tables are dropped when it ends. */
export async function openGuestSession(options: GuestOptions): Promise<GuestSession> {
  const { engine, live, version } = options;
  const { session, release } = await createSessionOn({
    ...options,
    loader: createDomainLoader({ version }),
    readModel: 'worker',
  });
  return {
    ...session,
    known: () => knownOf(engine.domain()),
    registryVersion: engine.registryVersion,
    replace: (wanted) => replaceBlocks(engine, live, wanted),
    close: release,
  };
}
