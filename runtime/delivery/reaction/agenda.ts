/** The tasks that reactions still have, and the commands that led to them: a function of the durable entries of the log. */
import type { LogEntry } from '../../store/entry.ts';
import { createChains, linkOf, type Chains } from './chains.ts';
import { createReactionTasks, type ActiveReaction, type ReactionTasks, type TaskParts } from './reaction-tasks.ts';
import type { DueTask } from './task.ts';

export interface Agenda {
  readonly reactions: ReadonlyMap<string, ReactionTasks>;
  readonly chains: Pick<Chains, 'count'>;
  /** Takes in the next durable entry; one that it has already changes nothing. */
  readonly apply: (entry: LogEntry) => void;
}

/** Events that are kept in memory for tasks. */
const mostSources = 10_000;

export function createAgenda(active: Iterable<ActiveReaction>, parts: Omit<TaskParts, 'room'>): Agenda {
  const room = { sources: mostSources };
  const all = Array.from(active, (each) => createReactionTasks(each, { ...parts, room }));
  const reactions = new Map(all.map((tasks) => [tasks.definition.name, tasks]));
  const chains = createChains();
  let taken = 0;
  return {
    reactions,
    chains,
    apply: (entry) => {
      if (entry.number <= taken) return;
      taken = entry.number;
      if (entry.kind !== 'command') return;
      const mark = entry.cells?.reaction;
      if (mark !== undefined) reactions.get(mark.name)?.takeMark(mark, entry);
      const link = linkOf(entry);
      if (link !== undefined) chains.add(link);
      for (const event of entry.events) {
        const { event: type } = parts.readerOf(event.type);
        for (const tasks of all) tasks.takeEvent(event, type, entry);
      }
    },
  };
}

/** Reactions that are not paused. */
export function running({ reactions }: Agenda): readonly ReactionTasks[] {
  return [...reactions.values()].filter(({ pausedBy }) => pausedBy() === undefined);
}

/** The open task that waits and is due first, of reactions that are not paused. */
export function firstDue(agenda: Agenda): DueTask | undefined {
  const firsts = running(agenda).flatMap((tasks) => tasks.firstDue() ?? []);
  return firsts.length < 2 ? firsts[0] : firsts.reduce((first, task) => (isEarlier(task, first) ? task : first));
}

function isEarlier(a: DueTask, b: DueTask): boolean {
  if (a.due !== b.due) return a.due < b.due;
  return a.position === b.position ? a.reaction < b.reaction : a.position < b.position;
}
