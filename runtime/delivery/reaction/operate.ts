import { Failure } from '../../../language/failure/failure.ts';
import type { ReactionMark } from '../../store/cells.ts';
import type { Executor } from '../../engine/executor.ts';
import type { Handlers } from '../../engine/handlers.ts';
import { namedText } from '../../engine/rejection.ts';
import { field } from '../../engine/state.ts';
import type { Operation, Reacted, ReactionTotals, ShownTask, TaskName, WaitingTask } from '../../engine/reactions.ts';
import type { Store } from '../../store/store.ts';
import type { Agenda } from './agenda.ts';
import { markEntry } from './answer.ts';
import { storedEventInput } from './event-input.ts';
import type { ActiveReaction, ReactionTasks } from './reaction-tasks.ts';
import { Refused, requireWithin } from '../refused.ts';
import { readSource } from './sources.ts';
import { branchNamed, keyOf, taskName, type DueTask, type EventSource, type Task } from './task.ts';

export interface OperationParts {
  readonly executor: Pick<Executor, 'runOwn'>;
  /** µs since 1970. */
  readonly clock: () => bigint;
  readonly store: Pick<Store, 'log' | 'turns'>;
  readonly reactions: () => ReadonlyMap<string, ActiveReaction>;
  readonly handlers: () => Handlers;
  /** Once it is read; undefined if there is no reaction. */
  readonly agenda: () => Promise<Agenda | undefined>;
  /** The agenda, if it is known. */
  readonly known: () => Agenda | undefined;
  readonly counts: () => Pick<ReactionTotals, 'reacted' | 'lateness'>;
  /** Answers a task, whether it is its time or not. Absent where nothing is answered. */
  readonly attempt: ((task: Task, on: Agenda) => Promise<readonly Reacted[]>) | undefined;
  /** Something can be done now. */
  readonly wake: () => void;
}

/** The operators' view of a reactor, and their means. Names are those of reactions in force. */
export function createOperation(parts: OperationParts): Operation {
  const { store, clock, attempt } = parts;

  async function shown(task: Task): Promise<ShownTask & { readonly source: EventSource }> {
    const source = await readSource(store, task);
    const { id: eventId, type, streamType, streamId } = source.event;
    return { ...taskName(task), eventId, eventType: parts.handlers().reader(type).event, streamType, streamId, source };
  }

  /** Does something about the task that is found. */
  async function about(
    name: string,
    { position, branch }: TaskName,
    list: 'parked' | 'waiting',
    act: (task: Task, agenda: Agenda, tasks: ReactionTasks) => Promise<readonly Reacted[]>,
  ): Promise<readonly Reacted[]> {
    const agenda = await parts.agenda();
    const tasks = agenda?.reactions.get(name);
    const waiting = tasks?.find(position, branch);
    const isWaiting = waiting?.due !== undefined && waiting.isReleased !== true;
    const parked = tasks?.parked.get(keyOf(name, position, branchNamed(branch)))?.task;
    const task = list === 'parked' ? parked : isWaiting ? waiting : undefined;
    if (agenda !== undefined && tasks !== undefined && task !== undefined) return act(task, agenda, tasks);
    throw new Refused('no task', `'${name}' has no such task at position ${position}`);
  }

  async function answer(task: Task, agenda: Agenda): Promise<readonly Reacted[]> {
    if (attempt !== undefined) return attempt(task, agenda);
    throw new Refused('not answered', 'this server answers no events; ask another server of the log');
  }

  /** Logs a mark in a turn of its own. */
  function log(mark: ReactionMark, subject: string | null, source?: EventSource): Promise<void> {
    return parts.executor.runOwn((turn, environment, last) => {
      const entry = markEntry(mark, source, {});
      const by = subject === null ? {} : { subject };
      turn.append({ ...entry, cells: { ...entry.cells, ...by } }, environment.instant(last));
      return Promise.resolve();
    });
  }

  const generationOf = (name: string): number => parts.reactions().get(name)?.generation.entry ?? 0;

  async function discard(task: Task, subject: string | null): Promise<readonly Reacted[]> {
    const { reaction: name, generation, position, branch } = task;
    const mark = { name, generation, position, ...(branch === undefined ? {} : { branch }), is: 'discarded' } as const;
    await log(mark, subject, await readSource(store, task));
    return [];
  }

  async function shownWaiting(task: DueTask): Promise<WaitingTask> {
    const { source, ...named } = await shown(task);
    const branch = branchOf(task);
    return {
      ...named,
      due: task.due,
      command: branch?.command ?? '',
      arguments: knownArguments(task, source),
    };
  }

  function branchOf({ reaction, branch }: DueTask): ActiveReaction['definition']['branches'][number] | undefined {
    const branches = parts.reactions().get(reaction)?.definition.branches;
    return branches?.find(({ label }) => label === branch);
  }

  function knownArguments(task: DueTask, source: EventSource): string | null {
    const branch = branchOf(task);
    const active = parts.reactions().get(task.reaction);
    if (branch?.known === undefined || active === undefined) return null;
    const handlers = parts.handlers();
    try {
      const input = storedEventInput(active.definition, source, handlers.reader(source.event.type), task.due);
      const values = branch.known(input);
      const { fields } = handlers.of(branch.command).command;
      return namedText(
        fields
          .filter(({ name }) => Object.hasOwn(values, name))
          .map(({ name, type, sensitive }) => ({ name, type, sensitive, value: field(values, name) })),
      );
    } catch (error) {
      // The task fails again when its time comes, and is parked then.
      if (error instanceof Failure) return null;
      throw error;
    }
  }

  return {
    standing: async (name) => {
      const agenda = await parts.agenda();
      const tasks = agenda?.reactions.get(name);
      const first = tasks?.ready(0).next();
      const now = clock();
      const begun =
        first === undefined || first.done === true ? now : BigInt((await readSource(store, first.value)).at);
      const nextDue = tasks?.firstDue()?.due;
      const lastError = [...(tasks?.parked.values() ?? [])].at(-1)?.error;
      const pausedBy = tasks?.pausedBy();
      return {
        name,
        ...(pausedBy === undefined ? {} : { stopped: `paused by ${pausedBy || 'an operator'}` }),
        examined: tasks?.low() ?? 0,
        ready: tasks?.readyCount() ?? 0,
        lagSeconds: Math.max(0, Number(now - begun) / 1e6),
        waiting: tasks?.waitingCount() ?? 0,
        ...(nextDue === undefined ? {} : { nextDue }),
        parked: tasks?.parked.size ?? 0,
        ...(lastError === undefined ? {} : { lastError }),
      };
    },
    waitingByBranch: (name) => parts.known()?.reactions.get(name)?.waitingByBranch(),
    waiting: async (name, limit, after) => {
      const agenda = await parts.agenda();
      const tasks: WaitingTask[] = [];
      for (const task of agenda?.reactions.get(name)?.waiting(limit, after) ?? []) tasks.push(await shownWaiting(task));
      return tasks;
    },
    parked: async (name, limit) => {
      const agenda = await parts.agenda();
      const all = [...(agenda?.reactions.get(name)?.parked.values() ?? [])].slice(0, limit);
      const tasks = [];
      for (const { task, error, at } of all) {
        const { source: _, ...named } = await shown(task);
        tasks.push({ ...named, error, at: BigInt(at) });
      }
      return tasks;
    },
    retry: (name, wanted) =>
      about(name, wanted, 'parked', (task, agenda, tasks) =>
        answer(attempt === undefined ? task : tasks.release(task), agenda),
      ),
    discardParked: (name, wanted, subject) => about(name, wanted, 'parked', (task) => discard(task, subject)),
    runNow: (name, wanted) => about(name, wanted, 'waiting', answer),
    discardWaiting: (name, wanted, subject) => about(name, wanted, 'waiting', (task) => discard(task, subject)),
    pause: (name, subject) => log({ name, generation: generationOf(name), position: 0, is: 'paused' }, subject),
    start: async (name, position = 0, subject) => {
      if (position > 0) requireWithin((await store.turns.fresh()).event, position);
      await log({ name, generation: generationOf(name), position, is: 'started' }, subject);
      parts.wake();
    },
    totals: () => {
      const all = [...(parts.known()?.reactions.values() ?? [])];
      const sum = (count: (tasks: ReactionTasks) => number): number =>
        all.reduce((total, tasks) => total + count(tasks), 0);
      return {
        waiting: sum((tasks) => tasks.waitingCount()),
        ready: sum((tasks) => tasks.readyCount()),
        parked: sum(({ parked }) => parked.size),
        stopped: sum(({ pausedBy }) => (pausedBy() === undefined ? 0 : 1)),
        ...parts.counts(),
      };
    },
  };
}

/** Counts what reactions did since the process began. `begun`: when a task was tried, µs since 1970. */
export function createCounts(): {
  readonly add: (task: Pick<Task, 'due'>, done: readonly Pick<Reacted, 'outcome'>[], begun: bigint) => void;
  readonly now: OperationParts['counts'];
} {
  const reacted = { emitted: 0, rejected: 0, parked: 0 };
  const lateness = { seconds: 0, count: 0 };
  return {
    add: ({ due }, done, begun) => {
      for (const { outcome } of done) reacted[outcome] += 1;
      // An operator may have it executed before its time.
      if (due === undefined || begun < due) return;
      lateness.count += 1;
      lateness.seconds += Number(begun - due) / 1e6;
    },
    now: () => ({ reacted: { ...reacted }, lateness: { ...lateness } }),
  };
}
