import { noHistory, type Catalog, type StoredHistory } from '../../compiler/index.ts';
import type { Store } from '../store/store.ts';
import type { Type } from '../values/type.ts';

/** Knows what was stored under which definition, for the evolution rules (language.md section 4, EVENT). */
export interface HistoryReader {
  readonly read: () => Promise<StoredHistory>;
  /** Tells the definitions that are in force from now on. */
  readonly noteChange: (catalog: Catalog) => void;
}

interface Version {
  readonly version: number;
  readonly fields: readonly { readonly name: string; readonly type: Type; readonly sensitive: boolean }[];
}

/**
 * Versions are learned from the catalogs that were in force, oldest first; which of them have events, the store says. An event type
 * without a version that stored anything may change freely.
 */
export function createHistoryReader(store: Store): HistoryReader {
  const known = new Map<string, Map<number, Version>>();
  return {
    read: async () => {
      if (store.position().event === 0 && known.size === 0) return noHistory;
      const kinds = await store.eventKinds();
      const landed = new Map(kinds.map(({ aggregate, event }) => [`${aggregate}\n${event}`, { aggregate, event }]));
      const fields = kinds.flatMap(({ event, version }) =>
        (known.get(event)?.get(version)?.fields ?? []).map(({ name, type, sensitive }) => ({ event, field: name, type, sensitive })),
      );
      const versions = [...known].map(([event, all]) => ({ event, version: Math.max(...all.keys()) }));
      return { landed: [...landed.values()], fields, versions };
    },
    noteChange: (catalog) => {
      for (const { name, version, fields } of catalog.blocks.event) {
        const versions = known.get(name) ?? new Map<number, Version>();
        versions.set(version, { version, fields: fields.map(({ name: field, type, sensitive }) => ({ name: field, type, sensitive })) });
        known.set(name, versions);
      }
    },
  };
}
