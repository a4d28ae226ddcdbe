import type { Catalog } from '../../compiler/index.ts';
import type { Domain } from '../contract/domain.ts';
import type { Engine } from '../engine/engine.ts';
import { onceDone } from '../failure/once-done.ts';
import type { HttpOptions } from '../http/options.ts';
import { compileBlocks } from './compile-blocks.ts';
import { defaultConsoleLimits, type ConsoleLimits } from './console-limits.ts';
import { createConsole } from './console.ts';
import { createDomainLoader } from './domain-loader.ts';
import { headQuery } from './head-query.ts';
import { readHistoryFromLog } from './history-from-log.ts';
import { createInspections } from './inspections.ts';
import { landedHistory } from './landed-history.ts';
import { createLiveRegistry, type KeepPosted, type LiveRegistry } from './live-registry.ts';
import { createPosting } from './posting.ts';
import { selectRelation } from './select-relation.ts';

/** What a running server offers that needs the compiler: filters, posted schema, the console, recorded inspections. */
export type RegistryServices = Required<Pick<HttpOptions, 'select' | 'head' | 'inspections' | 'create' | 'console'>> & {
  readonly live: () => Promise<LiveRegistry>;
};

export interface RegistryServicesOptions {
  readonly version: string;
  readonly modules: string | undefined;
  readonly keepPosted?: KeepPosted;
  /** The defaults where it is absent. */
  readonly limits?: ConsoleLimits;
  readonly warn: (message: string) => void;
}

export function createRegistryServices(engine: Engine, options: RegistryServicesOptions): RegistryServices {
  const catalogs = new WeakMap<Domain, Catalog>();
  const catalogOf = (domain: Domain): Catalog => {
    const known = catalogs.get(domain) ?? compileBlocks(domain.blocks, landedHistory(domain)).catalog;
    catalogs.set(domain, known);
    return known;
  };
  const live = onceDone(() => openLive(engine, options));
  return {
    live,
    select: (domain, selection) => Promise.resolve(selectRelation(domain, catalogOf(domain), selection)),
    head: async (aggregate, streamId) => {
      const domain = engine.domain();
      const table = await engine.query(headQuery(catalogOf(domain), aggregate), [streamId], {
        cleared: true,
        budget: { registry: domain.readModel },
      });
      return Number(table.rows[0]?.[0] ?? 0);
    },
    inspections: createInspections(engine),
    create: async (text: string) => createPosting(engine, await live(), options.warn)(text),
    console: createConsole(engine, options.limits ?? defaultConsoleLimits),
  };
}

async function openLive(engine: Engine, options: RegistryServicesOptions): Promise<LiveRegistry> {
  const history = readHistoryFromLog(engine.store);
  const registry = compileBlocks(engine.domain().blocks, await history.read());
  const loader = createDomainLoader({ directory: options.modules, version: options.version, running: engine.domain() });
  const { keepPosted } = options;
  const kept = keepPosted === undefined ? {} : { keepPosted };
  return createLiveRegistry({ engine, registry, loader, history, origin: 'create', ...kept });
}
