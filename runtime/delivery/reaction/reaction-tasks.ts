/**
 * The tasks of one reaction, derived from the durable entries of the log one by one: an event adds tasks, a mark removes one, an event of
 * UNLESS cancels one, a mark with a failure parks one. A durable entry stays, so a position is always that of the same event.
 * `marks-ahead.ts` says what entries that are not durable yet mean for a task.
 */
import type { DecisionContext } from '../../../language/contract/decision.ts';
import type { EventField } from '../../../language/contract/event.ts';
import type { ReactionBranchDefinition, ReactionDefinition } from '../../../language/contract/reaction.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { parseTimestamp } from '../../../language/values/timestamp.ts';
import type { ReactionMark } from '../../store/cells.ts';
import type { StoredEvent } from '../../store/entry.ts';
import type { EventReader } from '../../store/event-reader.ts';
import type { CommandHash } from '../../store/turns/command-index.ts';
import { storedEventInput } from './event-input.ts';
import type { Generation } from './generations.ts';
import { createTaskTable, type TaskRow } from './task-table.ts';
import {
  keyOf,
  sourceOf,
  type CommandLogEntry,
  type DueTask,
  type EventSource,
  type Parked,
  type Task,
} from './task.ts';

type BranchDefinition = ReactionBranchDefinition<object, object>;

/** A reaction that is in force and in the log. */
export interface ActiveReaction {
  readonly definition: ReactionDefinition<object, object>;
  readonly generation: Generation;
}

export interface ReactionTasks extends ActiveReaction {
  /** `type`: the present name of the event's type. */
  readonly takeEvent: (event: StoredEvent, type: string, entry: CommandLogEntry) => void;
  readonly takeMark: (mark: ReactionMark, entry: CommandLogEntry) => void;
  readonly isOpen: (task: Task) => boolean;
  /** The open task at this event: of the branch, or of all that do not wait. */
  readonly find: (position: number, branch: string | undefined) => Task | undefined;
  /** The task needs no entry: nothing was to be done. */
  readonly done: (task: Task) => void;
  /** Tasks that do not wait, in order of events, after a position; those that were released come first, all of them. */
  readonly ready: (after: number) => IterableIterator<Task>;
  readonly readyCount: () => number;
  /** The open task that waits, is due first and was not taken. */
  readonly firstDue: () => DueTask | undefined;
  /** Takes that one out of the order of due times; it stays open. */
  readonly takeDue: () => void;
  /** Puts a task that was taken back into that order. */
  readonly putBack: (task: Task) => void;
  /** Waiting tasks that are due first, in that order; `after` a task if given. */
  readonly waiting: (most: number, after?: Pick<DueTask, 'due' | 'position' | 'branch'>) => readonly DueTask[];
  readonly waitingCount: () => number;
  /** Number of waiting tasks for each label that has some. */
  readonly waitingByBranch: () => ReadonlyMap<string, number>;
  /** In the order in which they were parked, by key. */
  readonly parked: ReadonlyMap<string, Parked>;
  /** Opens a parked task again, and gives it; it stays parked until a mark without a failure is logged. */
  readonly release: (parked: Task) => Task;
  /** The subject that asked for a pause: the reaction answers nothing until it is started again. */
  readonly pausedBy: () => string | undefined;
  /** The reaction has examined every event up to this position, except for this task. */
  readonly low: (except?: Task) => number;
  /** Every event up to this position was examined before. */
  readonly examined: (low: number) => void;
  /** Events that were examined since the reaction's last mark, and have none. */
  readonly unmarked: () => number;
}

export interface TaskParts {
  readonly readerOf: (type: string) => EventReader<EventField>;
  readonly context: Omit<DecisionContext, 'now'>;
  /** Gives the hash of a stream, or of another text. No caller can choose streams of one hash. */
  readonly hash: CommandHash;
  /** Number of events that may still be kept in memory for tasks. */
  readonly room: { sources: number };
}

/** The event of a task that waits for a shorter time, in µs, stays in memory; others are read from the log again. */
const shortWait = 10_000_000n;

export function createReactionTasks(
  active: ActiveReaction,
  { readerOf, context, hash, room }: TaskParts,
): ReactionTasks {
  const { definition, generation } = active;
  const { name: reaction, branches } = definition;
  const answersAtOnce = branches.some(({ due }) => due === undefined);
  /** The branches that wait, in the order of labels. */
  const later = branches.filter(({ due }) => due !== undefined).sort((a, b) => (a.label < b.label ? -1 : 1));
  const cancelling = new Set(later.flatMap(({ unless }) => unless));
  const ready = createTaskTable(room);
  const waiting = createTaskTable(room);
  const released = new Map<string, Task>();
  const parked = new Map<string, Parked>();
  let low = 0;
  let unmarked = 0;
  /** Position of the last event that was taken in. */
  let seen = 0;
  /** The last event whose branches that do not wait were answered. */
  let answered: Task | undefined;
  let pausedBy: string | undefined;

  const tableOf = (branch: string | undefined): typeof ready => (branch === undefined ? ready : waiting);
  const numberOf = (branch: string | undefined): number =>
    branch === undefined ? 0 : later.findIndex(({ label }) => label === branch);
  const eventHashOf = (id: string): number => hash('', '', id) >>> 0;
  const readyTask = (row: TaskRow): Task => taskOf(row, undefined);
  const waitingTask = (row: TaskRow): DueTask => ({ ...taskOf(row, later[row.branch]?.label), due: row.due });

  function taskOf({ position, eventHash, entry, stream, rests, source }: TaskRow, branch: string | undefined): Task {
    const key = keyOf(reaction, position, branch);
    return { key, reaction, generation: generation.entry, position, eventHash, entry, stream, branch, rests, source };
  }

  function find(position: number, branch: string | undefined): Task | undefined {
    const again = released.size === 0 ? undefined : released.get(keyOf(reaction, position, branch));
    if (again !== undefined) return again;
    const row = tableOf(branch).find(position, numberOf(branch));
    return row && (branch === undefined ? readyTask(row) : waitingTask(row));
  }

  /** Whether it was open. */
  function close({ key, position, branch, isReleased }: Task): boolean {
    return isReleased === true ? released.delete(key) : tableOf(branch).close(position, numberOf(branch));
  }

  function takeEvent(event: StoredEvent, type: string, entry: CommandLogEntry): void {
    seen = event.position;
    if (isBefore(active, event, entry)) return;
    const { aggregate = event.streamType, events } = definition;
    const isAnswered = events.includes(type) && aggregate === event.streamType;
    if (!isAnswered && !cancelling.has(type)) return;
    const { position } = event;
    const at = later.length === 0 ? 0n : BigInt(entry.at);
    const stream = hash(event.streamType, event.streamId, '');
    if (cancelling.has(type))
      for (const row of waiting.ofStream(stream))
        if (later[row.branch]?.unless.includes(type) === true && at < row.due) waiting.close(row.position, row.branch);
    if (!isAnswered) return;
    const source = sourceOf(event, entry);
    const eventHash = eventHashOf(event.id);
    const base = { position, eventHash, entry: entry.number, stream, branch: 0, due: 0n, rests: false, source };
    if (answersAtOnce) ready.add(base);
    for (const [number, branch] of later.entries()) {
      // A branch that came later does not answer the events before it.
      const since = generation.branches.get(branch.label) ?? generation.entry;
      if (since > generation.entry && entry.number <= since) continue;
      const due = dueOf(branch, source);
      if (due === null) continue;
      const wait = due - at;
      const kept = wait < shortWait ? source : undefined;
      waiting.add({ ...base, branch: number, due, rests: wait >= 1_000_000n, source: kept });
    }
  }

  /** A time that cannot be computed is due at once: it is computed again then, and its failure parks the task. */
  function dueOf(branch: BranchDefinition, source: EventSource): bigint | null {
    const now = BigInt(source.at);
    try {
      const input = storedEventInput(definition, source, readerOf(source.event.type), null);
      const moment = branch.due?.(input, { ...context, now }) ?? null;
      return moment === null || moment > now ? moment : now;
    } catch (error) {
      if (error instanceof Failure) return now;
      throw error;
    }
  }

  function takeMark(mark: ReactionMark, entry: CommandLogEntry): void {
    if (generation.entry !== mark.generation) return;
    if (mark.is === 'paused' || mark.is === 'started') takePause(mark, entry.cells?.subject ?? '');
    else takeAnswer(mark, entry);
    if (mark.low === undefined) return;
    unmarked = 0;
    examined(mark.low);
  }

  function takePause({ is, position }: ReactionMark, by: string): void {
    pausedBy = is === 'paused' ? by : undefined;
    if (position === 0) return;
    // Events up to this position are not answered, nor tasks that wait because of them.
    examined(position);
    for (const row of waiting.after(0)) {
      if (row.position > position) break;
      waiting.close(row.position, row.branch);
    }
  }

  function takeAnswer({ position, branch }: ReactionMark, { at, causationId, cells }: CommandLogEntry): void {
    const task = find(position, branch);
    if (task !== undefined) {
      // Earlier versions also answered events that were not kept, and then another event has the position.
      if (causationId !== undefined && eventHashOf(causationId) !== task.eventHash) return;
      close(task);
      if (branch === undefined) answered = task;
    }
    const key = task?.key ?? keyOf(reaction, position, branch);
    const failed = task ?? parked.get(key)?.task ?? partOf(answered, position, branch, key);
    if (cells?.failure !== undefined && failed !== undefined) {
      const { source: _, isReleased: __, ...plain } = failed;
      parked.set(key, { task: plain, error: cells.failure, at });
    } else parked.delete(key);
  }

  function examined(position: number): void {
    if (position <= low) return;
    low = position;
    for (const row of ready.after(0)) {
      if (row.position > low) break;
      ready.close(row.position, row.branch);
    }
  }

  return {
    definition,
    generation,
    takeEvent,
    takeMark,
    isOpen: ({ key, position, branch, isReleased }) =>
      isReleased === true ? released.has(key) : tableOf(branch).find(position, numberOf(branch)) !== undefined,
    find,
    done: (task) => {
      if (close(task)) unmarked += 1;
    },
    *ready(after) {
      yield* released.values();
      for (const row of ready.after(after)) yield readyTask(row);
    },
    readyCount: () => released.size + ready.count(),
    firstDue: () => {
      const row = waiting.first();
      return row && waitingTask(row);
    },
    takeDue: waiting.take,
    putBack: ({ position, branch, isReleased }) => {
      if (branch !== undefined && isReleased !== true) waiting.putBack(position, numberOf(branch));
    },
    waiting: (most, after) =>
      waiting.nearest(most, after && { ...after, branch: numberOf(after.branch) }).map(waitingTask),
    waitingCount: waiting.count,
    waitingByBranch: () =>
      new Map([...waiting.countByBranch()].map(([branch, count]) => [later[branch]?.label ?? '', count])),
    parked,
    release: (task) => {
      const again: Task = { ...task, isReleased: true };
      released.set(task.key, again);
      return again;
    },
    pausedBy: () => pausedBy,
    low: (except) => {
      const own = except?.branch === undefined && except?.isReleased !== true ? except?.position : undefined;
      for (const { position } of ready.after(0)) if (position !== own) return Math.max(low, position - 1);
      return seen;
    },
    examined,
    unmarked: () => unmarked,
  };
}

/** Whether the event comes before the first one that the reaction looks at. */
function isBefore(
  { definition: { start }, generation }: ActiveReaction,
  { position }: StoredEvent,
  entry: CommandLogEntry,
): boolean {
  switch (start.at) {
    case 'start':
      return false;
    case 'now':
      return entry.number <= generation.entry;
    case 'position':
      return position <= start.position;
    case 'timestamp':
      return BigInt(entry.at) < (parseTimestamp(start.timestamp) ?? 0n);
  }
}

/** A branch that failed in the turn that answered the others. */
function partOf(task: Task | undefined, position: number, branch: string | undefined, key: string): Task | undefined {
  return task?.position !== position || branch === undefined ? undefined : { ...task, branch, key };
}
