import { randomUUID } from 'node:crypto';
import { prepareParser, type Catalog, type Registry } from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { onceDone } from '../../language/failure/once-done.ts';
import type { Late } from '../http/options.ts';
import { compileInSteps } from '../registry/from-log/compile-blocks.ts';
import { createQuery } from '../operation/query/query.ts';
import { defaultQueryLimits } from '../operation/query/query-limits.ts';
import { createInspect } from '../operation/inspect/inspect.ts';
import { defaultInspectLimits } from '../operation/inspect/inspect-limits.ts';
import { findInspected, inspectionRows } from '../operation/kept.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import { recordedCommands } from '../operation/read/commands.ts';
import { explainOf } from '../registry/load/guard-terms.ts';
import { createDomainLoader } from '../registry/load/domain-loader.ts';
import { historyInSteps } from '../registry/from-log/history-from-log.ts';
import { inSlices } from '../registry/in-slices.ts';
import { landedHistory } from '../registry/from-log/landed-history.ts';
import { followRegistry, type FollowedRegistry } from '../registry/live/follow-registry.ts';
import { createLiveRegistry, type LiveRegistry } from '../registry/live/live-registry.ts';
import { openPlace } from '../place/open-place.ts';
import { placeNow, type Place } from '../place/place.ts';
import { ownAccess } from '../operation/access/access.ts';
import { createBlocks } from '../operation/change.ts';
import { followedRows } from '../operation/bind/followed-rows.ts';
import { selectRelation, selectThen } from '../operation/bind/select-relation.ts';
import type { StartRegistryOptions } from './start-registry.ts';

/** The services of a running server that need the compiler: filters, posted schema, queries, recorded inspections. */
export interface RegistryServices extends Late {
  /** The compiler's view of the registry, which every change goes through. */
  readonly live: () => Promise<LiveRegistry>;
  /** Puts changes of other servers in force. */
  readonly follow: FollowedRegistry;
}

export type RegistryServicesOptions = Pick<
  StartRegistryOptions,
  'version' | 'modules' | 'keepPosted' | 'limits' | 'warn'
>;

export function createRegistryServices(engine: Engine, options: RegistryServicesOptions): RegistryServices {
  prepareParser(); // otherwise the first posted text would delay all other requests
  /** Compiled once per domain, in slices; a change already has the registry of its domain. */
  const registries = new WeakMap<Domain, () => Promise<Registry>>();
  const registryOf = (domain: Domain): Promise<Registry> => {
    const known =
      registries.get(domain) ?? onceDone(() => inSlices(compileInSteps(domain.blocks, landedHistory(domain))));
    registries.set(domain, known);
    return known();
  };
  const catalogOf = async (domain: Domain): Promise<Catalog> => (await registryOf(domain)).catalog;
  const live = onceDone(() =>
    openLive(engine, options, (domain, registry) => registries.set(domain, () => Promise.resolve(registry))),
  );
  const places = new WeakMap<Domain, Place>();
  const now = (domain: Domain): Place => {
    const place = places.get(domain) ?? placeNow(engine, domain, () => registryOf(domain));
    places.set(domain, place);
    return place;
  };
  return {
    live,
    follow: followRegistry(engine, options.version, live),
    select: async (domain, selection, asker) => selectRelation(domain, await registryOf(domain), selection, asker),
    selectThen: async (domain, selection, asker) => selectThen(domain, await registryOf(domain), selection, asker),
    followed: async (domain, aggregate, asker) => followedRows(await catalogOf(domain), aggregate, asker),
    inspections: (asking) => inspectionRows(engine, asking),
    inspected: (...asked) => findInspected(engine, ...asked),
    commands: async (domain, aggregate) => recordedCommands(engine, domain, await catalogOf(domain), aggregate),
    past: (domain, over) => openPlace(now(domain), over),
    explain: async (domain, decision) => explainOf(await catalogOf(domain), decision),
    access: async (domain, caller) => ownAccess(await catalogOf(domain), caller),
    create: async (text: string) => createBlocks(engine, await live(), text, options.warn),
    query: createQuery(engine, now, options.limits ?? defaultQueryLimits),
    inspect: createInspect({
      now,
      registry: async () => (await live()).registry(),
      loader: createDomainLoader({ version: options.version }),
      clock: systemClock,
      uuid: () => randomUUID(),
      limits: options.limits ?? defaultInspectLimits,
    }),
  };
}

async function openLive(
  engine: Engine,
  options: RegistryServicesOptions,
  onInForce: (domain: Domain, registry: Registry) => void,
): Promise<LiveRegistry> {
  const history = await inSlices(historyInSteps(engine.store.log));
  const registry = await inSlices(compileInSteps(engine.domain().blocks, await history.read()));
  const loader = createDomainLoader({ directory: options.modules, version: options.version, running: engine.domain() });
  const { keepPosted } = options;
  const kept = keepPosted === undefined ? {} : { keepPosted };
  return createLiveRegistry({ engine, registry, loader, history, origin: 'create', onInForce, ...kept });
}
