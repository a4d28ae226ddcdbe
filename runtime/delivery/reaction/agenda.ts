/**
 * The tasks that reactions still have, derived from the durable entries of the log one by one: an event adds tasks, a mark removes one, an
 * event of UNLESS cancels one, a mark with a failure parks one. A durable entry stays, so a position is always that of the same event.
 * `marks-ahead.ts` says what entries that are not durable yet mean for a task.
 */
import type { DecisionContext } from '../../../language/contract/decision.ts';
import type { EventField } from '../../../language/contract/event.ts';
import type { ReactionBranchDefinition, ReactionDefinition } from '../../../language/contract/reaction.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { parseTimestamp } from '../../../language/values/timestamp.ts';
import type { ReactionMark } from '../../store/cells.ts';
import type { LogEntry, StoredEvent } from '../../store/entry.ts';
import type { EventReader } from '../../store/event-reader.ts';
import { createChains, linkOf, type Chains } from './chains.ts';
import { isBefore as isEarlier } from './due-queue.ts';
import { storedEventInput } from './event-input.ts';
import type { Generation } from './generations.ts';
import { createReactionTasks, type ReactionTasks } from './reaction-tasks.ts';
import { keyOf, sourceOf, streamOf, type CommandLogEntry, type EventSource, type Parked, type Task } from './task.ts';
import { hashOf } from './waiting-table.ts';

type Definition = ReactionDefinition<object, object>;
type BranchDefinition = ReactionBranchDefinition<object, object>;

/** A reaction that is in force and in the log. */
export interface ActiveReaction {
  readonly definition: Definition;
  readonly generation: Generation;
}

/** A reaction that answers nothing until it is started again. */
export interface Pause {
  /** Subject that asked for it. */
  readonly by: string;
}

export interface Agenda {
  readonly reactions: ReadonlyMap<string, ActiveReaction>;
  readonly chains: Pick<Chains, 'count'>;
  /** Takes in the next durable entry; one that it has already changes nothing. */
  readonly apply: (entry: LogEntry) => void;
  readonly isOpen: (task: Task) => boolean;
  /** The task needs no entry: nothing was to be done. */
  readonly done: (task: Task) => void;
  /**
   * Tasks that do not wait, of reactions that are not paused: for each reaction those of its events in order, after a position.
   */
  readonly ready: (after: (reaction: string) => number) => readonly IterableIterator<Task>[];
  /** The open task that waits and is due first, of reactions that are not paused. */
  readonly firstDue: () => Task | undefined;
  /** Takes the task and removes it from the order of due times; it stays open. */
  readonly takeDue: () => Task | undefined;
  /** Puts a task that was taken back into that order. */
  readonly putBack: (task: Task) => void;
  /** The tasks of a reaction. */
  readonly of: (reaction: string) => AgendaOf | undefined;
  /** Opens a parked task again, and gives it; it stays parked until a mark without a failure is logged. */
  readonly release: (parked: Task) => Task;
  readonly isPaused: (reaction: string) => boolean;
  /** The reaction has examined every event up to this position, except for this task. */
  readonly low: (reaction: string, except?: Task) => number;
  /** Every event up to this position was examined before. */
  readonly examined: (reaction: string, low: number) => void;
  /** Events that were examined since the reaction's last mark, and have none. */
  readonly unmarked: (reaction: string) => number;
}

/** The tasks of one reaction, to be shown. */
export interface AgendaOf extends Pick<
  ReactionTasks,
  'find' | 'ready' | 'readyCount' | 'firstDue' | 'waiting' | 'waitingCount' | 'waitingByBranch'
> {
  /** In the order in which they were parked. */
  readonly parked: () => IterableIterator<Parked>;
  readonly parkedCount: () => number;
  readonly findParked: (position: number, branch: string | undefined) => Parked | undefined;
  readonly pause: Pause | undefined;
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

/** Events of tasks that do not wait stay in memory until these are done; others are read from the log again. */
const mostSources = 10_000;

/** The state that is kept for a reaction. */
interface ReactionRecord extends ActiveReaction {
  /** The branches that wait, in the order of labels, as `tasks` takes them. */
  readonly later: readonly BranchDefinition[];
  readonly tasks: ReactionTasks;
  readonly parked: Map<string, Parked>;
  low: number;
  unmarked: number;
  /** The last event whose branches that do not wait were answered. */
  answered?: Task;
  pause?: Pause;
}

/** `near`: maximum number of waiting tasks of a reaction that are kept as objects; the rest are table rows. */
export function createAgenda(
  reactions: ReadonlyMap<string, ActiveReaction>,
  readerOf: (type: string) => EventReader<EventField>,
  context: Omit<DecisionContext, 'now'>,
  near?: number,
): Agenda {
  const draw = (): number => Math.floor(context.random() * 2 ** 32);
  const records = new Map(
    [...reactions].map(([name, active]): [string, ReactionRecord] => {
      const { definition, generation } = active;
      const later = definition.branches
        .filter(({ due }) => due !== undefined)
        .sort((a, b) => (a.label < b.label ? -1 : 1));
      const tasks = createReactionTasks({
        reaction: name,
        generation: generation.entry,
        labels: later.map(({ label }) => label),
        seeds: later.some(({ unless }) => unless.length > 0) ? [draw(), draw()] : undefined,
        near,
      });
      return [name, { ...active, later, tasks, parked: new Map<string, Parked>(), low: 0, unmarked: 0 }];
    }),
  );
  const all = [...records.values()];
  /** The last entry and the last event that were taken in. */
  let [taken, seen] = [0, 0];
  const withSource = new Set<Task>();
  const chains = createChains();

  function add({ tasks }: ReactionRecord, task: Task): void {
    if (task.due === undefined) {
      if (withSource.size < mostSources) withSource.add(task);
      else delete task.source;
    }
    tasks.add(task);
  }

  /** Whether it was open. */
  function remove({ tasks }: ReactionRecord, task: Task): boolean {
    withSource.delete(task);
    return tasks.close(task);
  }

  function branchOf({ definition }: ReactionRecord, { branch }: Task): BranchDefinition | undefined {
    return definition.branches.find(({ label }) => label === branch);
  }

  function takeEvent(record: ReactionRecord, event: StoredEvent, entry: CommandLogEntry): void {
    const { definition, generation, tasks } = record;
    const { streamType } = event;
    if (isBefore(record, event, entry)) return;
    const type = readerOf(event.type).event;
    const at = BigInt(entry.at);
    for (const task of tasks.ofStream(streamOf(event)))
      if (branchOf(record, task)?.unless.includes(type) === true && at < (task.due ?? at)) remove(record, task);
    if (!definition.events.includes(type)) return;
    if (definition.aggregate !== undefined && definition.aggregate !== streamType) return;
    const source = sourceOf(event, entry);
    const base = {
      reaction: definition.name,
      generation: generation.entry,
      position: event.position,
      eventHash: hashOf(event.id),
      entry: entry.number,
      stream: streamOf(event),
      source,
    };
    if (definition.branches.some((branch) => branch.due === undefined)) add(record, { ...base, rests: false });
    for (const branch of record.later) {
      // A branch that came later does not answer the events before it.
      const since = generation.branches.get(branch.label) ?? generation.entry;
      if (since > generation.entry && entry.number <= since) continue;
      const due = dueOf(definition, branch, source);
      if (due !== null) add(record, { ...base, branch: branch.label, due, rests: due - at >= 1_000_000n });
    }
  }

  /** A time that cannot be computed is due at once: it is computed again then, and its failure parks the task. */
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

  function takeMark(entry: CommandLogEntry): void {
    const { reaction: mark, failure, subject = '' } = entry.cells ?? {};
    const record = mark === undefined ? undefined : records.get(mark.name);
    if (mark === undefined || record === undefined || record.generation.entry !== mark.generation) return;
    if (mark.is === 'paused' || mark.is === 'started') takePause(record, mark, subject);
    else takeAnswer(record, mark, entry, failure);
    if (mark.low === undefined) return;
    record.unmarked = 0;
    takeLow(record, mark.low);
  }

  function takePause(record: ReactionRecord, { is, position }: ReactionMark, by: string): void {
    if (is === 'paused') record.pause = { by };
    else delete record.pause;
    if (position === 0) return;
    // Events up to this position are not answered, nor tasks that wait because of them.
    takeLow(record, position);
    for (const task of record.tasks.waitingUpTo(position)) remove(record, task);
  }

  function takeAnswer(
    record: ReactionRecord,
    mark: ReactionMark,
    { at, causationId }: CommandLogEntry,
    failure: string | undefined,
  ): void {
    const { tasks, parked } = record;
    const task = tasks.find(mark.position, mark.branch);
    if (task !== undefined) {
      // Earlier versions also answered events that were not kept, and then another event has the position.
      if (causationId !== undefined && hashOf(causationId) !== task.eventHash) return;
      remove(record, task);
      if (mark.branch === undefined) record.answered = task;
    }
    const key = keyOf({
      reaction: mark.name,
      position: mark.position,
      ...(mark.branch === undefined ? {} : { branch: mark.branch }),
    });
    const failed = task ?? parked.get(key)?.task ?? partOf(record.answered, mark);
    if (failure !== undefined && failed !== undefined) {
      const { source: _, isReleased: __, ...plain } = failed;
      parked.set(key, { task: plain, error: failure, at });
    } else parked.delete(key);
  }

  function takeLow(record: ReactionRecord, low: number): void {
    if (low <= record.low) return;
    record.low = low;
    for (const task of record.tasks.unexamined()) {
      if (task.position > low) break;
      remove(record, task);
    }
  }

  const running = (): readonly ReactionRecord[] => all.filter(({ pause }) => pause === undefined);
  const firstRecord = (): { readonly record: ReactionRecord; readonly task: Task } | undefined => {
    let first: { readonly record: ReactionRecord; readonly task: Task } | undefined;
    for (const record of running()) {
      const task = record.tasks.firstDue();
      if (task !== undefined && (first === undefined || isEarlier(task, first.task))) first = { record, task };
    }
    return first;
  };
  const recordOf = ({ reaction }: Pick<Task, 'reaction'>): ReactionRecord | undefined => records.get(reaction);

  return {
    reactions,
    chains,
    apply: (entry) => {
      if (entry.number <= taken) return;
      taken = entry.number;
      if (entry.kind !== 'command') return;
      if (entry.cells?.reaction !== undefined) takeMark(entry);
      const link = linkOf(entry);
      if (link !== undefined) chains.add(link);
      for (const event of entry.events) {
        seen = event.position;
        for (const record of all) takeEvent(record, event, entry);
      }
    },
    isOpen: (task) => recordOf(task)?.tasks.isOpen(task) ?? false,
    done: (task) => {
      const record = recordOf(task);
      if (record !== undefined && remove(record, task)) record.unmarked += 1;
    },
    ready: (after) => running().map(({ definition, tasks }) => tasks.ready(after(definition.name))),
    firstDue: () => firstRecord()?.task,
    takeDue: () => {
      const first = firstRecord();
      first?.record.tasks.takeDue();
      return first?.task;
    },
    putBack: (task) => {
      recordOf(task)?.tasks.putBack(task);
    },
    of: (reaction) => {
      const record = records.get(reaction);
      if (record === undefined) return undefined;
      return {
        ...record.tasks,
        pause: record.pause,
        parked: () => record.parked.values(),
        parkedCount: () => record.parked.size,
        findParked: (position, branch) =>
          record.parked.get(keyOf({ reaction, position, ...(branch === undefined ? {} : { branch }) })),
      };
    },
    release: (task) => {
      const released: Task = { ...task, isReleased: true };
      recordOf(task)?.tasks.add(released);
      return released;
    },
    isPaused: (reaction) => records.get(reaction)?.pause !== undefined,
    low: (reaction, except) => {
      const record = records.get(reaction);
      if (record === undefined) return 0;
      for (const task of record.tasks.unexamined()) if (task !== except) return Math.max(record.low, task.position - 1);
      return seen;
    },
    examined: (reaction, low) => {
      const record = records.get(reaction);
      if (record !== undefined) takeLow(record, low);
    },
    unmarked: (reaction) => records.get(reaction)?.unmarked ?? 0,
  };
}
