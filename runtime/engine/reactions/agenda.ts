/**
 * What reactions still have to do, derived from the log entry by entry: an event adds tasks, a mark removes one, an event
 * of UNLESS cancels one, a mark with a failure parks one. It follows turns, so that a turn can ask whether a task is still
 * open; entries that were not kept are undone.
 */
import type { DecisionContext } from '../../../language/contract/decision.ts';
import type { EventField } from '../../../language/contract/event.ts';
import type { ReactionBranchDefinition, ReactionDefinition } from '../../../language/contract/reaction.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { parseTimestamp } from '../../../language/values/timestamp.ts';
import type { ReactionMark } from '../../store/cells.ts';
import type { LogEntry, StoredEvent } from '../../store/entry.ts';
import type { EventReader } from '../../store/event-reader.ts';
import { createDueQueue } from './due-queue.ts';
import { storedEventInput } from './event-input.ts';
import type { Generation } from './generations.ts';
import { keyOf, type EventSource, type Parked, type Task } from './task.ts';

type Definition = ReactionDefinition<object, object>;
type BranchDefinition = ReactionBranchDefinition<object, object>;

/** A reaction that is in force and in the log. */
export interface ActiveReaction {
  readonly definition: Definition;
  readonly generation: Generation;
}

export interface Agenda {
  readonly reactions: ReadonlyMap<string, ActiveReaction>;
  /** Takes in the next entry. `source`: the event may be needed soon and stays in memory. */
  readonly apply: (entry: LogEntry) => void;
  /** These entries, the last ones, were not kept. */
  readonly undo: (entries: readonly LogEntry[]) => void;
  /** Entries up to this one are durable. */
  readonly keep: (entry: number) => void;
  readonly isOpen: (task: Task) => boolean;
  /** The task needs no entry: nothing was to be done. */
  readonly done: (task: Task) => void;
  /** Tasks that do not wait, in order of events. */
  readonly ready: () => IterableIterator<Task>;
  /** The open task that waits and is due first. */
  readonly firstDue: () => Task | undefined;
  /** The same, and removes it from the order of due times; it stays open. */
  readonly takeDue: () => Task | undefined;
  /** Puts a task that was taken back into that order. */
  readonly putBack: (task: Task) => void;
  /** All open tasks that wait for their time, in no order. */
  readonly waiting: () => readonly Task[];
  readonly parked: () => readonly Parked[];
  /** Opens a parked task again, or drops it without a trace until its mark is logged. */
  readonly release: (task: Task) => void;
  /** The reaction has examined every event up to this position, except for this task. */
  readonly low: (reaction: string, except?: Task) => number;
  /** Every event up to this position was examined before. */
  readonly examined: (reaction: string, low: number) => void;
  /** Events that were examined since the reaction's last mark, and have none. */
  readonly unmarked: (reaction: string) => number;
}

/** Whether the event comes before the first one that the reaction looks at. */
function isBefore(
  { definition: { start }, generation }: ActiveReaction,
  { position }: StoredEvent,
  entry: LogEntry,
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
function partOf(task: Task | undefined, { position, branch }: ReactionMark): Task | undefined {
  return task?.position !== position || branch === undefined ? undefined : { ...task, branch };
}

/** Events that stay in memory until their tasks are done; others are read from the log again. */
const mostSources = 10_000;

export function createAgenda(
  reactions: ReadonlyMap<string, ActiveReaction>,
  readerOf: (type: string) => EventReader<EventField>,
  context: Omit<DecisionContext, 'now'>,
): Agenda {
  const all = [...reactions.values()];
  const open = new Map<string, Task>();
  const ready = new Map<string, Task>();
  const parked = new Map<string, Parked>();
  const due = createDueQueue<Task>();
  /** Tasks that an event can cancel, by reaction and stream. */
  const cancellable = new Map<string, Set<Task>>();
  const undoing = new Map<number, (() => void)[]>();
  const lows = new Map<string, number>();
  const counts = new Map<string, number>();
  /** The last event of each reaction whose branches that do not wait were answered. */
  const answered = new Map<string, Task>();
  /** The last event that was taken in. */
  let seen = 0;
  let sources = 0;

  const streamKey = (reaction: string, { streamType, streamId }: Pick<Task, 'streamType' | 'streamId'>): string =>
    `${reaction} ${streamType} ${streamId}`;

  function add(task: Task): void {
    const key = keyOf(task);
    open.set(key, task);
    if (task.source !== undefined && ++sources > mostSources) delete task.source;
    if (task.due === undefined) ready.set(key, task);
    else due.add(task);
    if (branchOf(task)?.unless.length !== 0 && task.due !== undefined) {
      const of = streamKey(task.reaction, task);
      cancellable.set(of, (cancellable.get(of) ?? new Set()).add(task));
    }
  }

  function remove(task: Task): void {
    const key = keyOf(task);
    if (!open.delete(key)) return;
    if (task.source !== undefined) sources -= 1;
    ready.delete(key);
    const of = streamKey(task.reaction, task);
    const others = cancellable.get(of);
    if (others?.delete(task) === true && others.size === 0) cancellable.delete(of);
  }

  function branchOf({ reaction, branch }: Task): BranchDefinition | undefined {
    return reactions.get(reaction)?.definition.branches.find(({ label }) => label === branch);
  }

  function takeEvent(
    active: ActiveReaction,
    event: StoredEvent,
    entry: LogEntry & { readonly kind: 'command' },
    undo: (() => void)[],
  ): void {
    const { definition, generation } = active;
    const { streamType, streamId } = event;
    if (isBefore(active, event, entry)) return;
    const type = readerOf(event.type).event;
    const at = BigInt(entry.at);
    for (const task of cancellable.get(streamKey(definition.name, event)) ?? []) {
      if (branchOf(task)?.unless.includes(type) !== true || at >= (task.due ?? at)) continue;
      remove(task);
      undo.push(() => {
        add(task);
      });
    }
    if (!definition.events.includes(type)) return;
    if (definition.aggregate !== undefined && definition.aggregate !== streamType) return;
    const source: EventSource = {
      event,
      at: entry.at,
      ...(entry.correlationId === undefined ? {} : { correlationId: entry.correlationId }),
      depth: entry.cells?.depth ?? 0,
    };
    const base = {
      reaction: definition.name,
      generation: generation.entry,
      position: event.position,
      entry: entry.number,
      streamType,
      streamId,
    };
    const made: Task[] = [];
    if (definition.branches.some((branch) => branch.due === undefined)) made.push({ ...base, rests: false, source });
    for (const branch of definition.branches) {
      if (branch.due === undefined) continue;
      // A branch that came later does not answer the events before it.
      const since = generation.branches.get(branch.label) ?? generation.entry;
      if (since > generation.entry && entry.number <= since) continue;
      const moment = dueOf(definition, branch, source);
      if (moment === null) continue;
      made.push({ ...base, branch: branch.label, due: moment, rests: moment - at >= 1_000_000n, source });
    }
    for (const task of made) {
      add(task);
      undo.push(() => {
        remove(task);
      });
    }
  }

  /** One that cannot be computed is due at once: it is computed again then, and its failure parks it. */
  function dueOf(definition: Definition, branch: BranchDefinition, source: EventSource): bigint | null {
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

  function takeMark(mark: ReactionMark, at: string, failure: string | undefined, undo: (() => void)[]): void {
    const active = reactions.get(mark.name);
    if (active === undefined || active.generation.entry !== mark.generation) return;
    const key = keyOf({
      reaction: mark.name,
      position: mark.position,
      ...(mark.branch === undefined ? {} : { branch: mark.branch }),
    });
    const task = open.get(key);
    const before = parked.get(key);
    if (task !== undefined) {
      remove(task);
      undo.push(() => {
        add(task);
      });
    }
    if (task !== undefined && mark.branch === undefined) answered.set(mark.name, task);
    const failed = task ?? before?.task ?? partOf(answered.get(mark.name), mark);
    if (failure !== undefined && failed !== undefined) parked.set(key, { task: failed, error: failure, at });
    else parked.delete(key);
    if (before !== undefined || failure !== undefined)
      undo.push(() => {
        if (before === undefined) parked.delete(key);
        else parked.set(key, before);
      });
    counts.set(mark.name, 0);
    if (mark.low !== undefined) takeLow(mark.name, mark.low, undo);
  }

  function takeLow(reaction: string, low: number, undo: (() => void)[]): void {
    const before = lows.get(reaction) ?? 0;
    if (low <= before) return;
    lows.set(reaction, low);
    undo.push(() => lows.set(reaction, before));
    for (const task of ready.values()) {
      if (task.position > low) break;
      if (task.reaction !== reaction || task.branch !== undefined) continue;
      remove(task);
      undo.push(() => {
        add(task);
      });
    }
  }

  const firstDue = (): Task | undefined => {
    for (let task = due.first(); task !== undefined; task = due.first()) {
      if (open.get(keyOf(task)) === task) return task;
      due.take();
    }
    return undefined;
  };

  return {
    reactions,
    apply: (entry) => {
      if (entry.kind !== 'command') return;
      const undo: (() => void)[] = [];
      const mark = entry.cells?.reaction;
      if (mark !== undefined) takeMark(mark, entry.at, entry.cells?.failure, undo);
      for (const event of entry.events) {
        seen = event.position;
        for (const active of all) takeEvent(active, event, entry, undo);
      }
      if (undo.length > 0) undoing.set(entry.number, undo);
    },
    undo: (entries) => {
      for (const entry of [...entries].reverse()) {
        for (const one of (undoing.get(entry.number) ?? []).reverse()) one();
        undoing.delete(entry.number);
        if (entry.kind === 'command') seen = (entry.events[0]?.position ?? seen + 1) - 1;
      }
      // Undone in any order, they are in order again.
      const sorted = [...ready].sort(([, a], [, b]) => a.position - b.position);
      ready.clear();
      for (const [key, task] of sorted) ready.set(key, task);
    },
    keep: (entry) => {
      for (const number of undoing.keys()) {
        if (number > entry) break;
        undoing.delete(number);
      }
    },
    isOpen: (task) => open.get(keyOf(task)) === task,
    done: (task) => {
      if (!open.has(keyOf(task))) return;
      remove(task);
      counts.set(task.reaction, (counts.get(task.reaction) ?? 0) + 1);
    },
    ready: () => ready.values(),
    firstDue,
    takeDue: () => (firstDue() === undefined ? undefined : due.take()),
    putBack: (task) => {
      if (task.due !== undefined && open.get(keyOf(task)) === task) due.add(task);
    },
    waiting: () => [...open.values()].filter((task) => task.due !== undefined),
    parked: () => [...parked.values()],
    release: (task) => {
      parked.delete(keyOf(task));
      const { due: _, ...now } = task;
      add(now);
    },
    low: (reaction, except) => {
      for (const task of ready.values())
        if (task.reaction === reaction && task !== except && task.branch === undefined)
          return Math.max(lows.get(reaction) ?? 0, task.position - 1);
      return seen;
    },
    examined: (reaction, low) => {
      takeLow(reaction, low, []);
    },
    unmarked: (reaction) => counts.get(reaction) ?? 0,
  };
}
