/**
 * What the entries that a turn sees and that are not durable yet mean for tasks, which are made of durable entries. It is
 * read from the turn itself, so nothing of a batch that was not kept is remembered.
 */
import type { ReactionMark } from '../../store/cells.ts';
import type { Turn } from '../../store/store.ts';
import type { Agenda } from './agenda.ts';
import { keyOf, streamOf, type Task } from './task.ts';

export interface MarksAhead {
  /** Whether the task was answered, dropped or cancelled. */
  readonly closes: (task: Task, agenda: Agenda) => boolean;
  /** Whether its reaction is paused. */
  readonly isPaused: (task: Task, agenda: Agenda) => boolean;
}

interface Seen {
  readonly turn: Turn;
  /** Number of the last entry. */
  last: number;
  /** By key of the task. */
  readonly answered: Set<string>;
  readonly operators: ReactionMark[];
}

/** For each turn: many tasks are answered in one, so its entries are looked at once. */
export function createMarksAhead(): (turn: Turn) => MarksAhead {
  let seen: Seen | undefined;

  /** The marks of this turn's entries, those of its own included. */
  function look(turn: Turn): Seen {
    if (seen?.turn !== turn) seen = { turn, last: 0, answered: new Set(), operators: [] };
    const entries = turn.ahead();
    let next = entries.length;
    while (next > 0 && (entries[next - 1]?.entry.number ?? 0) > seen.last) next -= 1;
    for (const { entry } of entries.slice(next)) {
      const mark = entry.kind === 'command' ? entry.cells?.reaction : undefined;
      if (mark?.is === 'paused' || mark?.is === 'started') seen.operators.push(mark);
      else if (mark !== undefined) seen.answered.add(keyOf({ reaction: mark.name, ...mark }));
      seen.last = entry.number;
    }
    return seen;
  }

  return (turn) => {
    const { answered, operators } = look(turn);
    return {
      closes: (task, agenda) => {
        if (answered.has(keyOf(task))) return true;
        // An operator lets it be answered, whatever came after its event.
        if (task.isReleased === true) return false;
        return (
          operators.some(({ name, position }) => name === task.reaction && position >= task.position) ||
          isCancelled(turn, task, agenda)
        );
      },
      isPaused: ({ reaction }, agenda) =>
        (operators.findLast(({ name }) => name === reaction)?.is ??
          (agenda.isPaused(reaction) ? 'paused' : 'started')) === 'paused',
    };
  };
}

/** By an event of UNLESS. */
function isCancelled(turn: Turn, { reaction, branch, stream, due }: Task, { reactions }: Agenda): boolean {
  const branches = reactions.get(reaction)?.definition.branches;
  const unless = branches?.find(({ label }) => label === branch)?.unless ?? [];
  if (due === undefined || unless.length === 0) return false;
  return turn
    .ahead()
    .some(
      ({ entry }) =>
        entry.kind === 'command' &&
        BigInt(entry.at) < due &&
        entry.events.some((event) => unless.includes(event.type) && streamOf(event) === stream),
    );
}
