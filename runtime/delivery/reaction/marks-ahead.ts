/**
 * Effects on tasks, which are made of durable entries, of the entries that a turn sees and that are not durable yet. They are read from the
 * turn itself, so nothing of a batch that was not kept is remembered.
 */
import type { ReactionChain, ReactionMark } from '../../store/cells.ts';
import type { Turn } from '../../store/store.ts';
import { linkOf, type Chains, type Link } from './chains.ts';
import type { ReactionTasks } from './reaction-tasks.ts';
import { keyOf, type EventSource, type Task } from './task.ts';

export interface MarksAhead {
  /** Whether the task was answered, dropped or cancelled. */
  readonly closes: (task: Task, source: EventSource, tasks: ReactionTasks) => boolean;
  readonly isPaused: (tasks: ReactionTasks) => boolean;
  /** Does the work of `Chains.count`. */
  readonly count: (chain: ReactionChain, chains: Pick<Chains, 'count'>) => number;
}

interface Seen {
  readonly turn: Turn;
  /** Number of the last entry. */
  last: number;
  /** By key of the task. */
  readonly answered: Set<string>;
  readonly operators: ReactionMark[];
  /** By root. */
  readonly links: Map<number, Link[]>;
}

/** For each turn: many tasks are answered in one, so its entries are looked at once. */
export function createMarksAhead(): (turn: Turn) => MarksAhead {
  let seen: Seen | undefined;

  /** The marks of this turn's entries, those of its own included. */
  function look(turn: Turn): Seen {
    if (seen?.turn !== turn) seen = { turn, last: 0, answered: new Set(), operators: [], links: new Map() };
    const entries = turn.ahead();
    let next = entries.length;
    while (next > 0 && (entries[next - 1]?.entry.number ?? 0) > seen.last) next -= 1;
    for (const { entry } of entries.slice(next)) {
      const mark = entry.kind === 'command' ? entry.cells?.reaction : undefined;
      if (mark?.is === 'paused' || mark?.is === 'started') seen.operators.push(mark);
      else if (mark !== undefined) seen.answered.add(keyOf(mark.name, mark.position, mark.branch));
      const link = linkOf(entry);
      if (link !== undefined) linksOf(seen, link.chain).push(link);
      seen.last = entry.number;
    }
    return seen;
  }

  return (turn) => {
    const now = look(turn);
    const { answered, operators } = now;
    return {
      closes: (task, source, tasks) => {
        if (answered.has(task.key)) return true;
        // An operator lets it be answered, whatever came after its event.
        if (task.isReleased === true) return false;
        return (
          operators.some(({ name, position }) => name === task.reaction && position >= task.position) ||
          isCancelled(turn, task, source, tasks)
        );
      },
      isPaused: ({ definition, pausedBy }) => {
        const last = operators.findLast(({ name }) => name === definition.name);
        return last === undefined ? pausedBy() !== undefined : last.is === 'paused';
      },
      count: (chain, chains) => chains.count(chain, now.links.get(chain.root) ?? []),
    };
  };
}

function linksOf({ links }: Seen, { root }: ReactionChain): Link[] {
  const known = links.get(root) ?? [];
  links.set(root, known);
  return known;
}

/** By an event of UNLESS. */
function isCancelled(
  turn: Turn,
  { branch, due }: Task,
  { event: { streamType, streamId } }: EventSource,
  { definition }: ReactionTasks,
): boolean {
  const unless = definition.branches.find(({ label }) => label === branch)?.unless ?? [];
  if (due === undefined || unless.length === 0) return false;
  return turn
    .ahead()
    .some(
      ({ entry }) =>
        entry.kind === 'command' &&
        BigInt(entry.at) < due &&
        entry.events.some(
          (event) => event.streamId === streamId && event.streamType === streamType && unless.includes(event.type),
        ),
    );
}
