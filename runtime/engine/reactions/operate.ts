import { Failure } from '../../../language/failure/failure.ts';
import type { ReactionMark } from '../../store/cells.ts';
import type { Executor } from '../executor.ts';
import type { Handlers } from '../handlers.ts';
import { namedText } from '../rejection.ts';
import { field } from '../state.ts';
import type { ActiveReaction, Agenda, AgendaOf } from './agenda.ts';
import { markEntry } from './answer.ts';
import type { Counts } from './counts.ts';
import { storedEventInput } from './event-input.ts';
import {
  branchNamed,
  taskName,
  type Acted,
  type Operation,
  type ShownTask,
  type TaskName,
  type WaitingTask,
} from './operation.ts';
import type { createSources } from './sources.ts';
import type { EventSource, Parked, Reacted, Task } from './task.ts';

export interface OperationParts {
  readonly executor: Pick<Executor, 'beside'>;
  /** µs since 1970. */
  readonly clock: () => bigint;
  readonly sources: ReturnType<typeof createSources>;
  readonly reactions: () => ReadonlyMap<string, ActiveReaction>;
  readonly handlers: () => Handlers;
  /** Once it is read; undefined if there is no reaction. */
  readonly agenda: () => Promise<Agenda | undefined>;
  /** As far as it is known. */
  readonly known: () => Agenda | undefined;
  readonly counts: Counts;
  /** Answers a task, whether it is its time or not. Absent where nothing is answered. */
  readonly attempt: ((task: Task, on: Agenda) => Promise<readonly Reacted[]>) | undefined;
  /** Something can be done now. */
  readonly wake: () => void;
}

/** The operators' view of a reactor, and their means. Names are those of reactions in force. */
export function createOperation(parts: OperationParts): Operation {
  const { sources, clock } = parts;

  async function sourceOf(task: Task): Promise<EventSource> {
    // A copy: the task that is kept does without the event.
    const own = { ...task };
    await sources.load(own);
    if (own.source === undefined) throw new Error(`the log has no event at position ${task.position}`);
    return own.source;
  }

  async function shown(task: Task): Promise<ShownTask & { readonly source: EventSource }> {
    const source = await sourceOf(task);
    const { id: eventId, type, streamType, streamId } = source.event;
    return { ...taskName(task), eventId, eventType: parts.handlers().reader(type).event, streamType, streamId, source };
  }

  async function found<T>(
    name: string,
    find: (tasks: AgendaOf) => T | undefined,
  ): Promise<{ readonly agenda: Agenda; readonly item: T } | undefined> {
    const agenda = await parts.agenda();
    const tasks = agenda?.of(name);
    const item = tasks === undefined ? undefined : find(tasks);
    return agenda === undefined || item === undefined ? undefined : { agenda, item };
  }

  const findParked = (name: string, { position, branch }: TaskName): ReturnType<typeof found<Parked>> =>
    found(name, (tasks) => tasks.findParked(position, branchNamed(branch)));
  const findWaiting = (name: string, { position, branch }: TaskName): ReturnType<typeof found<Task>> =>
    found(name, (tasks) => {
      const task = tasks.find(position, branch);
      return task?.due === undefined || task.isReleased === true ? undefined : task;
    });

  /** Logs a mark in a turn of its own. */
  function log(mark: ReactionMark, subject: string, source?: EventSource): Promise<void> {
    return parts.executor.beside((turn, environment, last) => {
      const entry = markEntry(mark, source, {});
      turn.append({ ...entry, cells: { ...entry.cells, subject } }, environment.instant(last));
      return Promise.resolve();
    });
  }

  const generationOf = (name: string): number => parts.reactions().get(name)?.generation.entry ?? 0;

  async function discard(task: Task, subject: string): Promise<Acted> {
    const { reaction: name, generation, position, branch } = task;
    const mark = { name, generation, position, ...(branch === undefined ? {} : { branch }), is: 'discarded' } as const;
    await log(mark, subject, await sourceOf(task));
    return [];
  }

  async function waitingTask(task: Task): Promise<WaitingTask> {
    const { source, ...named } = await shown(task);
    const branch = branchOf(task);
    return {
      ...named,
      due: task.due ?? BigInt(source.at),
      command: branch?.command ?? '',
      arguments: knownArguments(task, source),
    };
  }

  function branchOf({ reaction, branch }: Task): ActiveReaction['definition']['branches'][number] | undefined {
    const branches = parts.reactions().get(reaction)?.definition.branches;
    return branches?.find(({ label }) => label === branch);
  }

  function knownArguments(task: Task, source: EventSource): string | null {
    const branch = branchOf(task);
    const active = parts.reactions().get(task.reaction);
    if (branch?.known === undefined || active === undefined) return null;
    const handlers = parts.handlers();
    try {
      const input = storedEventInput(active.definition, source, handlers.reader(source.event.type), task.due ?? null);
      const values = branch.known(input);
      const { fields } = handlers.of(branch.command).command;
      return namedText(
        fields
          .filter(({ name }) => Object.hasOwn(values, name))
          .map(({ name, type, sensitive }) => ({ name, type, sensitive, value: field(values, name) })),
      );
    } catch (error) {
      // It fails again when its time comes, and is parked then.
      if (error instanceof Failure) return null;
      throw error;
    }
  }

  return {
    standing: async (name) => {
      const agenda = await parts.agenda();
      const tasks = agenda?.of(name);
      const first = tasks?.ready().next();
      const now = clock();
      const begun = first === undefined || first.done === true ? now : BigInt((await sourceOf(first.value)).at);
      const nextDue = tasks?.firstDue()?.due;
      const lastError = [...(tasks?.parked() ?? [])].at(-1)?.error;
      return {
        name,
        ...(tasks?.pause === undefined ? {} : { stopped: `paused by ${tasks.pause.by || 'an operator'}` }),
        examined: agenda?.low(name) ?? 0,
        ready: tasks?.readyCount() ?? 0,
        lagSeconds: Math.max(0, Number(now - begun) / 1e6),
        waiting: tasks?.waitingCount() ?? 0,
        ...(nextDue === undefined ? {} : { nextDue }),
        parked: tasks?.parkedCount() ?? 0,
        ...(lastError === undefined ? {} : { lastError }),
      };
    },
    waitingByBranch: (name) => parts.known()?.of(name)?.waitingByBranch(),
    waiting: async (name, limit, after) => {
      const agenda = await parts.agenda();
      const tasks: WaitingTask[] = [];
      for (const task of agenda?.of(name)?.waiting(limit, after) ?? []) tasks.push(await waitingTask(task));
      return tasks;
    },
    parked: async (name, limit) => {
      const agenda = await parts.agenda();
      const all = [...(agenda?.of(name)?.parked() ?? [])].slice(0, limit);
      const tasks = [];
      for (const { task, error, at } of all) {
        const { source: _, ...named } = await shown(task);
        tasks.push({ ...named, error, at: BigInt(at) });
      }
      return tasks;
    },
    retry: async (name, wanted) => {
      const parked = await findParked(name, wanted);
      if (parked === undefined) return 'missing';
      if (parts.attempt === undefined) return 'off';
      return parts.attempt(parked.agenda.release(parked.item), parked.agenda);
    },
    discardParked: async (name, wanted, subject) => {
      const parked = await findParked(name, wanted);
      return parked === undefined ? 'missing' : discard(parked.item.task, subject);
    },
    runNow: async (name, wanted) => {
      const waiting = await findWaiting(name, wanted);
      if (waiting === undefined) return 'missing';
      return parts.attempt === undefined ? 'off' : parts.attempt(waiting.item, waiting.agenda);
    },
    discardWaiting: async (name, wanted, subject) => {
      const waiting = await findWaiting(name, wanted);
      return waiting === undefined ? 'missing' : discard(waiting.item, subject);
    },
    pause: (name, subject) => log({ name, generation: generationOf(name), position: 0, is: 'paused' }, subject),
    start: async (name, position = 0, subject) => {
      await log({ name, generation: generationOf(name), position, is: 'started' }, subject);
      parts.wake();
    },
    totals: () => {
      const agenda = parts.known();
      const all = agenda === undefined ? [] : [...parts.reactions().keys()].flatMap((name) => agenda.of(name) ?? []);
      const sum = (count: (tasks: AgendaOf) => number): number => all.reduce((total, tasks) => total + count(tasks), 0);
      return {
        waiting: sum((tasks) => tasks.waitingCount()),
        ready: sum((tasks) => tasks.readyCount()),
        parked: sum((tasks) => tasks.parkedCount()),
        stopped: sum(({ pause }) => (pause === undefined ? 0 : 1)),
        ...parts.counts.now(),
      };
    },
  };
}
