import type { LogEntry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import { sourceOf, type EventSource, type Task } from './task.ts';

/** Number of entries between two tasks from which on reading begins again at the second one. */
const far = 1_000;

/** The events of tasks by key, from memory or from the log: those near each other are read together. */
export async function readSources(
  store: Pick<Store, 'log'>,
  tasks: readonly Task[],
): Promise<ReadonlyMap<string, EventSource>> {
  const found = new Map<string, EventSource>();
  const missing: Task[] = [];
  for (const task of tasks)
    if (task.source === undefined) missing.push(task);
    else found.set(task.key, task.source);
  missing.sort((a, b) => a.entry - b.entry);
  let at = 0;
  for (let first = missing[at]; first !== undefined; first = missing[at]) {
    for await (const entry of store.log.read(first.entry)) {
      for (; missing[at]?.entry === entry.number; at += 1) {
        const task = missing[at] as Task; // its entry was compared
        found.set(task.key, sourceIn(entry, task));
      }
      if (first === missing[at] || (missing[at]?.entry ?? Infinity) - entry.number > far) break;
    }
    if (first === missing[at]) throw new Error(`the log has no entry ${first.entry}`);
  }
  return found;
}

export async function readSource(store: Pick<Store, 'log'>, task: Task): Promise<EventSource> {
  const sources = await readSources(store, [task]);
  return sources.get(task.key) as EventSource; // it throws if there is none
}

function sourceIn(entry: LogEntry, { position }: Task): EventSource {
  const event =
    entry.kind === 'command' ? entry.events.find((candidate) => candidate.position === position) : undefined;
  if (entry.kind !== 'command' || event === undefined) throw new Error(`the log has no event at position ${position}`);
  return sourceOf(event, entry);
}
