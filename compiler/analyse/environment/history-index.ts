import type { Type } from '../../../language/values/type.ts';
import type { StoredHistory } from './registry.ts';

/** The stored history by event, so that checking many events does not read it many times. */
export interface HistoryIndex {
  /** The definitions of an event, its name in any case. */
  readonly definitionsOf: (event: string) => StoredHistory['definitions'];
  /** The highest version that this type ever had, 0 if it had none, and its definition. */
  readonly latestOf: (event: string) => Pick<StoredHistory['versions'][number], 'version' | 'text' | 'fields'>;
  /** The values that stored events may have in fields of this ENUM, and these fields; undefined if there are none. */
  readonly enumNamed: (
    name: string,
  ) => { readonly values: readonly string[]; readonly fields: readonly string[] } | undefined;
  /** Events found in an aggregate, its name in lower case. */
  readonly landedIn: (aggregate: string) => readonly string[];
}

const indexes = new WeakMap<StoredHistory, HistoryIndex>();

export function historyIndex(history: StoredHistory): HistoryIndex {
  const known = indexes.get(history);
  if (known !== undefined) return known;
  const definitions = groupBy(history.definitions, ({ event }) => event.toLowerCase());
  const landed = groupBy(history.landed, ({ aggregate }) => aggregate.toLowerCase());
  const versions = groupBy(history.versions, ({ event }) => event);
  const index: HistoryIndex = {
    definitionsOf: (event) => definitions.get(event.toLowerCase()) ?? [],
    latestOf: (event) =>
      (versions.get(event) ?? []).reduce<StoredHistory['versions'][number]>(
        (top, next) => (next.version > top.version ? next : top),
        { event, version: 0 },
      ),
    enumNamed: (name) => {
      const lower = name.toLowerCase();
      const stored = history.definitions.flatMap(({ event, count, fields }) =>
        count === 0
          ? []
          : fields.flatMap((field) => (isEnum(field.type, lower) && !field.volatile ? [`${event}.${field.name}`] : [])),
      );
      const values = history.enums.find((one) => one.name.toLowerCase() === lower)?.values;
      return stored.length === 0 || values === undefined ? undefined : { values, fields: [...new Set(stored)] };
    },
    landedIn: (aggregate) => (landed.get(aggregate.toLowerCase()) ?? []).map(({ event }) => event),
  };
  indexes.set(history, index);
  return index;
}

function isEnum(type: Type, lower: string): boolean {
  return type.kind === 'STRING' && type.enum?.name.toLowerCase() === lower;
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
