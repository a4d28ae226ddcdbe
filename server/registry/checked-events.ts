/** The stored events that a change of the registry was checked against, and what is said of those that came in since (docs/language.md#evolution). */
import type { SchemaChange, LogEntry } from '../../runtime/store/entry.ts';
import type { Store } from '../../runtime/store/store.ts';

export interface CheckedEvents {
  /** The last entry before the check. */
  readonly entry: number;
  /** `type\nversion` of the events that were stored. */
  readonly kinds: ReadonlySet<string>;
}

export async function checkedEvents(store: Pick<Store, 'turns' | 'log'>): Promise<CheckedEvents> {
  const { entry } = store.turns.position();
  return { entry, kinds: new Set((await store.log.eventKinds()).map(({ event, version }) => kindOf(event, version))) };
}

/**
 * For each entry that came in since: `tryEntry` refuses events that clauses cannot read; the first event of a type and version calls `unseen`, if
 * the change is about events, because the change was checked as if there were none.
 */
export function takeLater(
  { kinds }: CheckedEvents,
  changes: readonly Pick<SchemaChange, 'block'>[],
  tryEntry: (entry: LogEntry) => void,
  unseen: () => never,
): (entry: LogEntry) => void {
  const isOfEvents = changes.some(({ block }) => block === 'event' || block === 'enum');
  return (entry) => {
    if (entry.kind !== 'command') return;
    if (isOfEvents && entry.events.some(({ type, version }) => !kinds.has(kindOf(type, version)))) unseen();
    tryEntry(entry);
  };
}

function kindOf(type: string, version: number): string {
  return `${type}\n${version}`;
}
