/**
 * Lets reactions answer the events of a log: reads from the log what is still to do, then follows its entries, and hands
 * tasks to the executor when they are ready or due. The agenda and the log have the state; this has the order and the time.
 */
import { Failure } from '../../../language/failure/failure.ts';
import type { ReactionChain } from '../../store/cells.ts';
import type { LogEntry } from '../../store/entry.ts';
import { giveWay, usualSlice } from '../../store/give-way.ts';
import type { Handlers } from '../../engine/handlers.ts';
import type { Reacted, Reactor, ReactorParts, ReactorRuns } from '../../engine/reactions.ts';
import { createCommandHash } from '../../store/turns/command-index.ts';
import { createAgenda, firstDue, running as runningOf, type Agenda } from './agenda.ts';
import { answerTask, isAway, markEntry, mayPass } from './answer.ts';
import { generationsOf } from './generations.ts';
import { createMarksAhead } from './marks-ahead.ts';
import { createCounts, createOperation } from './operate.ts';
import type { ActiveReaction, ReactionTasks } from './reaction-tasks.ts';
import { createRetries } from './retries.ts';
import { readSources } from './sources.ts';
import type { EventSource, Task } from './task.ts';

export interface ReactorOptions extends ReactorParts {
  readonly runs: ReactorRuns;
  /** Receives a fault of the program, which stops the tasks of one stream. */
  readonly onFault: (error: unknown) => void;
}

/** Tasks that are handed to the executor together. */
const most = 256;
/** Outcomes kept for `settled`. */
const mostReported = 10_000;
/** Milliseconds without a mark after which the position that was examined is logged. */
const lowMilliseconds = 10_000;
const lowEvents = 10_000;
/** Milliseconds after which a jump of the clock is noticed at the latest. */
const longestSleep = 1_000;
/** Milliseconds until the next attempt while the log takes no entries, and after a fault of the program. */
const rest = 1_000;

/** An operator may ask for a task of a reaction that is paused, or before its time. */
type Asker = 'agenda' | 'operator';

export function createReactor(options: ReactorOptions): Reactor {
  const { store, executor, deciding, clock, monotonic } = options;
  let agenda: Agenda | undefined;
  let handlers: Handlers | undefined;
  let reactions: ReadonlyMap<string, ActiveReaction> = new Map();
  let building: { readonly tail: LogEntry[]; readonly done: Promise<void> } | undefined;
  let builds = 0;
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restsUntil = 0;
  let closed = false;
  let reported: Reacted[] = [];
  const lows = new Map<string, number>();
  let lowLogged = monotonic();
  /** When the first task is due that was not due when tasks were last taken. */
  let upcoming: bigint | undefined;
  /** Entries have come since tasks were last looked for. */
  let isStirred = false;
  const inHand = new Set<string>();
  const retries = createRetries(monotonic);
  const ahead = createMarksAhead();
  const hash = createCommandHash(Buffer.from(store.secret).toString('hex'));

  function adopt(next: Handlers): void {
    handlers = next;
    const generations = generationsOf(store.log.schema());
    const active = next.domain.reactions.flatMap((definition): (readonly [string, ActiveReaction])[] => {
      const generation = generations.get(definition.name.toLowerCase());
      return generation === undefined ? [] : [[definition.name, { definition, generation }]];
    });
    const isSame = ([name, { definition, generation }]: readonly [string, ActiveReaction]): boolean => {
      const before = reactions.get(name);
      return before?.definition === definition && before.generation.entry === generation.entry;
    };
    if (active.length === reactions.size && active.every(isSame)) return;
    for (const tasks of agenda?.reactions.values() ?? []) lows.set(lowKey(tasks), tasks.low());
    reactions = new Map(active);
    agenda = undefined;
    retries.clear();
    building = undefined;
    builds += 1;
    if (options.runs !== 'never') build();
  }

  function build(): void {
    const number = ++builds;
    if (reactions.size === 0) return;
    const tail: LogEntry[] = [];
    building = { tail, done: readUntilThere(number, tail) };
    building.done.catch((error: unknown) => {
      if (!closed) options.onFault(error);
    });
  }

  /** A log that is away while it is read is read again. */
  async function readUntilThere(number: number, tail: readonly LogEntry[]): Promise<void> {
    while (number === builds && !closed && !(await isThere(read(number, tail))))
      await new Promise((resume) => setTimeout(resume, rest));
  }

  /** Reads the open tasks from the log. Entries that come meanwhile are in `tail`. */
  async function read(number: number, tail: readonly LogEntry[]): Promise<void> {
    const { environment } = options;
    const given = handlers as Handlers; // adopted before
    const fresh = createAgenda(reactions.values(), { readerOf: given.reader, context: environment, hash });
    const first = [...reactions.values()].map(({ definition, generation }) =>
      definition.start.at === 'now' ? generation.entry : 1,
    );
    const pause = giveWay(usualSlice);
    for await (const entry of store.log.read(Math.min(...first))) {
      if (number !== builds || closed) return;
      fresh.apply(entry);
      const paused = pause();
      if (paused !== undefined) await paused;
    }
    if (number !== builds) return;
    for (const entry of tail) fresh.apply(entry);
    for (const tasks of fresh.reactions.values()) tasks.examined(lows.get(lowKey(tasks)) ?? 0);
    agenda = fresh;
    building = undefined;
    wake();
  }

  /**
   * The next tasks, in order; a stream whose task waits for another attempt waits with it. Each reaction has a share, and so
   * have those whose time has come, so that a long backlog does not hold up the others. A reactor that is asked does all
   * that follows from one moment before the next.
   */
  function takeTasks(from: Agenda): readonly Task[] {
    const tasks = new Map<string, Task>();
    const isFree = ({ key }: Task): boolean => !inHand.has(key) && !tasks.has(key);
    const queues = runningOf(from);
    const share = Math.ceil(most / Math.max(1, queues.length));
    for (const { definition, ready } of queues) {
      let taken = 0;
      let isBeginning = true;
      for (const task of ready(retries.heldThrough(definition.name))) {
        if (taken === share) break;
        const isHeld = retries.holds(task);
        if (task.isReleased !== true) isBeginning &&= isHeld;
        if (isBeginning && task.isReleased !== true) retries.extendHeld(task);
        if (isHeld || !isFree(task)) continue;
        tasks.set(task.key, task);
        taken += 1;
      }
    }
    const ready = tasks.size;
    if (options.runs === 'asked' && (ready > 0 || inHand.size > 0)) return [...tasks.values()];
    const now = clock();
    const held: Task[] = [];
    while (tasks.size < ready + most) {
      const first = firstDue(from);
      upcoming = first?.due;
      if (first === undefined || first.due > now) break;
      tasksOf(first, from).takeDue();
      if (isFree(first) && !retries.holds(first)) tasks.set(first.key, first);
      else held.push(first);
    }
    for (const task of held) tasksOf(task, from).putBack(task);
    return [...tasks.values()];
  }

  /** Does something with tasks and their events; nothing else takes the tasks meanwhile. */
  async function inHands<T>(
    tasks: readonly Task[],
    on: Agenda,
    work: (sources: ReadonlyMap<string, EventSource>) => Promise<T>,
  ): Promise<T> {
    for (const { key } of tasks) inHand.add(key);
    try {
      return await work(await readSources(store, tasks));
    } finally {
      for (const task of tasks) {
        inHand.delete(task.key);
        tasksOf(task, on).putBack(task);
      }
    }
  }

  /** Whether the log could be read; if not, nothing is tried for a while. */
  async function isThere(reading: Promise<unknown>): Promise<boolean> {
    try {
      await reading;
      return true;
    } catch (error) {
      if (!isAway(error)) throw error;
      restsUntil = monotonic() + rest;
      return false;
    }
  }

  /** Answers a task; gives its effects. A failure that may pass is tried again by itself, and thrown to an operator. */
  async function attempt(task: Task, source: EventSource, on: Agenda, asker: Asker): Promise<readonly Reacted[]> {
    const tasks = tasksOf(task, on);
    try {
      const begun = clock();
      const done = await executor.runOwn<readonly Reacted[] | 'held'>((turn, environment, last) => {
        const marks = ahead(turn);
        // An earlier task of its stream has failed in this turn, or the reaction was paused.
        if (asker === 'agenda' && (retries.holds(task) || marks.isPaused(tasks))) return 'held';
        if (on !== agenda || !tasks.isOpen(task) || marks.closes(task, source, tasks)) return [];
        const lastTry = retries.isLast(task);
        const count = (chain: ReactionChain): number => marks.count(chain, on.chains);
        return answerTask(turn, task, source, { tasks, deciding, environment, last, lastTry, count }).catch(
          (error: unknown) => {
            if (error instanceof Failure && error.kind !== 'store' && mayPass(error)) retries.failed(task);
            throw error;
          },
        );
      });
      if (done === 'held') return [];
      if (task.branch === undefined && tasks.isOpen(task)) tasks.done(task);
      retries.forget(task);
      counts.add(task, done, begun);
      if (options.runs === 'asked') report(done);
      return done;
    } catch (error) {
      if (isAway(error)) restsUntil = monotonic() + rest;
      else if (!(error instanceof Failure)) {
        retries.stop(task);
        options.onFault(error);
      }
      if (asker === 'operator') throw error;
      return [];
    }
  }

  function report(done: readonly Reacted[]): void {
    reported.push(...done);
    if (reported.length > 2 * mostReported) reported = reported.slice(-mostReported);
  }

  async function runAll(): Promise<void> {
    while (!closed && building !== undefined) await building.done;
    while (!closed && agenda !== undefined && restsUntil <= monotonic()) {
      const on: Agenda = agenda;
      retries.prune(
        ({ reaction, position, branch }) => on.reactions.get(reaction)?.find(position, branch) !== undefined,
      );
      const tasks = takeTasks(on);
      if (tasks.length === 0) break;
      await isThere(
        inHands(tasks, on, (sources) =>
          Promise.all(tasks.map((task) => attempt(task, eventOf(task, sources), on, 'agenda'))),
        ),
      );
    }
    await logLow();
  }

  /** So that a restart does not examine again all events for which nothing was to be done. */
  async function logLow(): Promise<void> {
    if (agenda === undefined || store.kind === 'memory' || closed || options.runs === 'never') return;
    const late = monotonic() - lowLogged >= lowMilliseconds;
    for (const tasks of agenda.reactions.values()) {
      const unmarked = tasks.unmarked();
      if (unmarked >= lowEvents || (late && unmarked > 0)) await markLow(tasks, agenda);
    }
    if (late) lowLogged = monotonic();
  }

  async function markLow({ definition: { name }, generation, low }: ReactionTasks, on: Agenda): Promise<void> {
    const position = low();
    if (position === 0) return;
    const mark = { name, generation: generation.entry, position: 0, low: position };
    try {
      await executor.runOwn((turn, environment, last) => {
        if (on === agenda) turn.append(markEntry(mark, undefined, {}), environment.instant(last));
        return Promise.resolve();
      });
    } catch (error) {
      // The mark only saves work later, and is tried again.
      if (!(error instanceof Failure)) throw error;
    }
  }

  function run(): Promise<void> {
    clearTimeout(timer);
    if (running === undefined) isStirred = false;
    running ??= runAll()
      .catch((error: unknown) => {
        restsUntil = monotonic() + rest;
        options.onFault(error);
      })
      .finally(() => {
        running = undefined;
        if (isStirred) wake();
        else sleep();
      });
    return running;
  }

  function wake(): void {
    isStirred = true;
    if (running === undefined) runAfter(0);
  }

  function runAfter(milliseconds: number): void {
    if (options.runs !== 'timers' || closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), milliseconds);
    // A process may end while nothing is to be done.
    if (milliseconds > 0) timer.unref();
  }

  /** Until something can be done, as far as that is known. */
  function sleep(): void {
    if (agenda === undefined) return;
    const now = monotonic();
    const untilDue = upcoming === undefined ? longestSleep : Number((upcoming - clock() + 999n) / 1_000n);
    const untilRetry = (retries.next() ?? now) - now;
    const wait = Math.min(longestSleep, untilDue, untilRetry > 0 ? untilRetry : longestSleep);
    runAfter(Math.max(1, wait, restsUntil - now));
  }

  const counts = createCounts();
  const operation = createOperation({
    executor,
    clock,
    store,
    wake,
    reactions: () => reactions,
    handlers: () => handlers as Handlers,
    counts: counts.now,
    agenda: async () => {
      if (agenda === undefined && building === undefined) build();
      while (!closed && agenda === undefined && building !== undefined) await building.done;
      return agenda;
    },
    known: () => agenda,
    attempt:
      options.runs === 'never'
        ? undefined
        : (task, on) => inHands([task], on, (sources) => attempt(task, eventOf(task, sources), on, 'operator')),
  });

  return {
    ...operation,
    runs: options.runs,
    adopt,
    durable: (entries) => {
      if (reactions.size === 0) return;
      for (const entry of entries) {
        building?.tail.push(entry);
        agenda?.apply(entry);
      }
      wake();
    },
    settled: async () => {
      do await run();
      while (!closed && restsUntil <= monotonic() && (building !== undefined || isStirred));
      const done = reported.slice(-mostReported);
      reported = [];
      return done;
    },
    nextDue: () => agenda && firstDue(agenda)?.due,
    close: async () => {
      const writes = store.kind !== 'memory' && options.runs !== 'never' && store.turns.refusesWrites() === undefined;
      if (!closed && agenda !== undefined && writes)
        for (const tasks of agenda.reactions.values()) if (tasks.unmarked() > 0) await markLow(tasks, agenda);
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

function tasksOf({ reaction }: Task, { reactions }: Agenda): ReactionTasks {
  return reactions.get(reaction) as ReactionTasks; // the task is one of them
}

function eventOf({ key }: Task, sources: ReadonlyMap<string, EventSource>): EventSource {
  return sources.get(key) as EventSource; // it was read for the task
}

/** A generation of a reaction. */
function lowKey({ definition, generation }: ActiveReaction): string {
  return `${definition.name} ${generation.entry}`;
}
