import type { Store } from '../../store/store.ts';
import { sourceOf, streamOf, type Task } from './task.ts';

/** Reads the events of tasks from the log, where they are not in memory. */
export function createSources(store: Store): { readonly load: (task: Task) => Promise<void> } {
  return {
    load: async (task) => {
      if (task.source !== undefined) return;
      for await (const entry of store.read(task.entry)) {
        if (entry.kind !== 'command' || entry.number !== task.entry) return;
        const event = entry.events.find(({ position }) => position === task.position);
        if (event === undefined) return;
        task.stream = streamOf(event);
        task.source = sourceOf(event, entry);
        return;
      }
    },
  };
}
