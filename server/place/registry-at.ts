import { createMetaTables, exportRegistry, type Registry } from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Moment } from '../../runtime/store/journal/moment.ts';
import type { Store } from '../../runtime/store/store.ts';
import { compileInSteps } from '../registry/from-log/compile-blocks.ts';
import { readLoggedBlocks } from '../registry/from-log/logged-blocks.ts';
import { inSlices } from '../registry/in-slices.ts';

/** By store, the registries that were asked for last, by the number of schema entries behind them. */
const known = new WeakMap<Store['log']['schema'], Map<number, Promise<Registry>>>();
const mostKnown = 4;

/** The registry that was in force at a moment, with the events that land in each aggregate today; compiled in slices. */
export function registryAt(store: Store, { entry }: Pick<Moment, 'entry'>): Promise<Registry> {
  const then = store.log.schema().filter(({ number }) => number <= entry);
  const registries = known.get(store.log.schema) ?? new Map<number, Promise<Registry>>();
  known.set(store.log.schema, registries);
  const before = registries.get(then.length);
  if (before !== undefined) return before;
  const compiled = compile(store, then);
  registries.set(then.length, compiled);
  const [oldest] = registries.keys();
  if (registries.size > mostKnown && oldest !== undefined) registries.delete(oldest);
  compiled.catch(() => registries.delete(then.length)); // reported to the caller
  return compiled;
}

async function compile(store: Store, then: ReturnType<Store['log']['schema']>): Promise<Registry> {
  const landed = (await store.log.eventKinds()).map(({ aggregate, event }) => ({ aggregate, event }));
  const history = { landed, definitions: [], versions: [], enums: [] };
  return inSlices(compileInSteps(readLoggedBlocks({ schema: () => then }), history));
}

const domains = new WeakMap<Domain, WeakMap<Registry, Domain>>();

/** The domain of today, whose `meta_*` rows and export are those of the registry at a moment; the same one for the same registry. */
export async function withMetaOf(store: Store, domain: Domain, moment: Pick<Moment, 'entry'>): Promise<Domain> {
  const registry = await registryAt(store, moment);
  const made = domains.get(domain) ?? new WeakMap<Registry, Domain>();
  domains.set(domain, made);
  const before = made.get(registry);
  if (before !== undefined) return before;
  const meta = createMetaTables(registry.catalog);
  const exportText = exportRegistry(registry.catalog);
  const then = { ...domain, exportText, readModel: { ...domain.readModel, meta } };
  made.set(registry, then);
  return then;
}
