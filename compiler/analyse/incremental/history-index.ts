import type { StoredHistory } from './registry.ts';

/** The stored history by event, so that checking many events does not read it many times. */
export interface HistoryIndex {
  readonly fieldsOf: (event: string) => StoredHistory['fields'];
  /** The highest version that this type ever had, 0 if it had none, and its definition. */
  readonly latestOf: (event: string) => Pick<StoredHistory['versions'][number], 'version' | 'text' | 'fields'>;
  readonly countsOf: (event: string) => StoredHistory['counts'];
  /** Events found in an aggregate, its name in lower case. */
  readonly landedIn: (aggregate: string) => readonly string[];
}

const indexes = new WeakMap<StoredHistory, HistoryIndex>();

export function historyIndex(history: StoredHistory): HistoryIndex {
  const known = indexes.get(history);
  if (known !== undefined) return known;
  const fields = groupBy(history.fields, (field) => field.event);
  const landed = groupBy(history.landed, ({ aggregate }) => aggregate.toLowerCase());
  const versions = groupBy(history.versions, ({ event }) => event);
  const counts = groupBy(history.counts, ({ event }) => event);
  const index: HistoryIndex = {
    fieldsOf: (event) => fields.get(event) ?? [],
    latestOf: (event) =>
      (versions.get(event) ?? []).reduce<StoredHistory['versions'][number]>(
        (top, next) => (next.version > top.version ? next : top),
        { event, version: 0 },
      ),
    countsOf: (event) => counts.get(event) ?? [],
    landedIn: (aggregate) => (landed.get(aggregate.toLowerCase()) ?? []).map(({ event }) => event),
  };
  indexes.set(history, index);
  return index;
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
