import type { Store } from '../../store/store.ts';
import { sourceOf, streamOf, type EventSource, type Task } from './task.ts';

/** Reads the event of a task from the log, unless it is in memory. */
export async function readSource(
  store: Pick<Store, 'log'>,
  { source, entry: number, position }: Task,
): Promise<EventSource | undefined> {
  if (source !== undefined) return source;
  for await (const entry of store.log.read(number)) {
    const event =
      entry.kind === 'command' && entry.number === number
        ? entry.events.find((each) => each.position === position)
        : undefined;
    return event === undefined || entry.kind !== 'command' ? undefined : sourceOf(event, entry);
  }
  return undefined;
}

/** Reads the event, and keeps it with the task. */
export async function loadSource(store: Pick<Store, 'log'>, task: Task): Promise<void> {
  if (task.source !== undefined) return;
  const source = await readSource(store, task);
  if (source === undefined) return;
  task.source = source;
  task.stream = streamOf(source.event);
}
