import { noHistory, type EventBlock, type StoredHistory } from '../../../compiler/index.ts';
import type { Store } from '../../../runtime/store/store.ts';
import type { Type } from '../../../language/values/type.ts';

/** Knows which events were stored under which definition, for the evolution rules (docs/language.md#event). */
export interface HistoryReader {
  readonly read: () => Promise<StoredHistory>;
  /** Adds definitions in the order in which they came into force; a known definition does not raise a version. */
  readonly addEvents: (events: readonly EventBlock[]) => void;
}

/** Versions count from 1; the n-th is at n - 1. */
type Version = Pick<EventBlock, 'text' | 'fields'>;

/**
 * Versions come from the definitions that were in force, oldest first; the store says which of them have events. An event type without a
 * version that stored anything may change freely.
 */
export function createHistoryReader(store: Store): HistoryReader {
  const known = new Map<string, Version[]>();
  return {
    read: async () => {
      if (store.knownPosition().event === 0 && known.size === 0) return noHistory;
      const kinds = await store.eventKinds();
      const landed = new Map(kinds.map(({ aggregate, event }) => [`${aggregate}\n${event}`, { aggregate, event }]));
      const fields = kinds.flatMap(({ event, version }) =>
        (known.get(event)?.[version - 1]?.fields ?? []).map(({ name, type, sensitive }) => ({
          event,
          field: name,
          type,
          sensitive,
        })),
      );
      const versions = [...known].map(([event, all]) => ({
        event,
        version: all.length,
        text: all.at(-1)?.text ?? '',
        fields: storedFields(all.at(-1)),
      }));
      const counts = kinds.map(({ event, version, count }) => {
        const fields = storedFields(known.get(event)?.[version - 1]);
        return { event, count, fields: fields.map(({ name }) => name) };
      });
      return { landed: [...landed.values()], fields, versions, counts };
    },
    addEvents: (events) => {
      for (const { name, text, fields } of events) {
        const versions = known.get(name) ?? [];
        known.set(name, versions);
        if (versions.at(-1)?.text !== text) versions.push({ text, fields });
      }
    },
  };
}

/** VOLATILE fields are never stored. */
function storedFields(version: Version | undefined): readonly { readonly name: string; readonly type: Type }[] {
  const fields = version?.fields ?? [];
  return fields.filter(({ volatile }) => !volatile).map(({ name, type }) => ({ name, type }));
}
