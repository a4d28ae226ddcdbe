import type { RecordedEvent, StoredHistory } from '../../../compiler/index.ts';
import type { Entries } from '../../../runtime/store/store.ts';
import type { EnumType, Type } from '../../../language/values/type.ts';

/** Knows which events were stored under which definition, for the evolution rules (docs/language.md#evolution). */
export interface HistoryReader {
  readonly read: () => Promise<StoredHistory>;
  /** Adds definitions in the order in which they came into force; a known definition does not raise a version. */
  readonly add: (changed: { readonly event: readonly RecordedEvent[]; readonly enum: readonly EnumType[] }) => void;
}

/**
 * Versions come from the definitions that were in force, oldest first; the store says which of them have events. An event type without a
 * version that stored anything may change freely.
 */
export function createHistoryReader(log: Pick<Entries, 'eventKinds'>): HistoryReader {
  /** Versions count from 1; the n-th is at n - 1. */
  const known = new Map<string, RecordedEvent[]>();
  const enums = new Map<string, EnumType>();
  return {
    read: async () => {
      const kinds = await log.eventKinds();
      const landed = new Map(kinds.map(({ aggregate, event }) => [`${aggregate}\n${event}`, { aggregate, event }]));
      const stored = new Map<string, number>();
      for (const { event, version, count } of kinds) {
        const key = `${event}\n${version}`;
        stored.set(key, (stored.get(key) ?? 0) + count);
      }
      const definitions = [...known].flatMap(([event, all]) =>
        all.map(({ fields, upcasts }, index) => ({
          event,
          version: index + 1,
          count: stored.get(`${event}\n${index + 1}`) ?? 0,
          fields: fields.map(({ name, type, sensitive, volatile }) => ({ name, type, sensitive, volatile })),
          ...(upcasts === undefined
            ? {}
            : { upcasts: upcasts.map(({ event: from, fields: old }) => ({ event: from, fields: old })) }),
        })),
      );
      const versions = [...known].map(([event, all]) => ({
        event,
        version: all.length,
        text: all.at(-1)?.text ?? '',
        fields: storedFields(all.at(-1)),
      }));
      return { landed: [...landed.values()], definitions, versions, enums: [...enums.values()] };
    },
    add: ({ event: events, enum: changed }) => {
      for (const { name, values } of changed) enums.set(name.toLowerCase(), { name, values });
      for (const event of events) {
        const versions = known.get(event.name) ?? [];
        known.set(event.name, versions);
        if (versions.at(-1)?.text !== event.text) versions.push(event);
      }
    },
  };
}

/** VOLATILE fields are never stored. */
function storedFields(version: RecordedEvent | undefined): readonly { readonly name: string; readonly type: Type }[] {
  const fields = version?.fields ?? [];
  return fields.filter(({ volatile }) => !volatile).map(({ name, type }) => ({ name, type }));
}
