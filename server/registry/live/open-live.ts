import { createReactingEngine } from '../../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import type { EngineLimits } from '../../../runtime/engine/limits.ts';
import { createSystemRandom } from '../../../runtime/engine/system-random.ts';
import { systemClock } from '../../../runtime/store/disk/node-disk.ts';
import type { Store } from '../../../runtime/store/store.ts';
import { registryFromLog } from '../from-log/registry-from-log.ts';
import { createDomainLoader } from '../load/domain-loader.ts';
import { followRegistry } from './follow-registry.ts';
import { createLiveRegistry, type LiveRegistry, type LiveRegistryOptions } from './live-registry.ts';

export interface OpenLiveOptions extends Pick<LiveRegistryOptions, 'origin'> {
  readonly store: Store;
  /** The tool's version, for the head comments of generated modules. */
  readonly version: string;
  /** The folder for modules, used by this process alone; if absent, they exist only until they are loaded. */
  readonly modules?: string | undefined;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<EngineLimits> | undefined;
  /** Lets reactions answer while a caller waits for them. */
  readonly reactions?: 'asked';
  /** µs since 1970; the clock of the system by default. */
  readonly clock?: () => bigint;
}

/** An engine on a store, whose registry is that of the log, and the means to change it. Follows the changes of other servers. */
export async function openLive({
  store,
  version,
  modules: directory,
  limits,
  origin,
  reactions,
  clock = systemClock,
}: OpenLiveOptions): Promise<{ readonly engine: Engine; readonly live: LiveRegistry }> {
  const loader = createDomainLoader({ version, directory });
  const { registry, history } = await registryFromLog(store.log);
  const domain = await loader.load(registry.catalog);
  loader.tidy();
  const engine = await createReactingEngine({
    store,
    domain,
    clock,
    ...(reactions === undefined ? {} : { reactions }),
    randomBytes: createSystemRandom(),
    ...(limits === undefined ? {} : { limits }),
  });
  const live = createLiveRegistry({ engine, registry, loader, history, origin });
  const { compile, prepare } = followRegistry(engine, version, () => Promise.resolve(live));
  engine.compileWith(compile, prepare);
  return { engine, live };
}
