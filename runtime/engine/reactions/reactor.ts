/**
 * Lets reactions answer the events of a log: reads from the log what is still to do, then follows its entries, and hands
 * tasks to the executor when they are ready or due. The agenda and the log have the state; this has the order and the time.
 */
import { Failure } from '../../../language/failure/failure.ts';
import type { LogEntry } from '../../store/entry.ts';
import type { Store, Turn } from '../../store/store.ts';
import type { DecideEnvironment, DecidingState } from '../decide.ts';
import type { Executor } from '../executor.ts';
import type { Handlers } from '../handlers.ts';
import { createAgenda, type ActiveReaction, type Agenda } from './agenda.ts';
import { answerTask, markEntry, mayPass } from './answer.ts';
import { generationsOf } from './generations.ts';
import { createRetries } from './retries.ts';
import { createSources } from './sources.ts';
import { keyOf, type Parked, type Reacted, type Task } from './task.ts';

export interface ReactorOptions {
  readonly store: Store;
  readonly executor: Pick<Executor, 'beside'>;
  readonly deciding: () => DecidingState;
  readonly environment: Pick<DecideEnvironment, 'random' | 'uuid'>;
  /** µs since 1970; a task is due by this clock, whatever the time of the last entry is. */
  readonly clock: () => bigint;
  /** Milliseconds on a clock that never decreases. */
  readonly monotonic: () => number;
  /** `timers`: it runs by itself. `asked`: only while a caller waits for `settled`. */
  readonly runs: 'timers' | 'asked';
  /** Receives a fault of the program, which stops the tasks of one stream. */
  readonly onFault: (error: unknown) => void;
}

export interface Reactor {
  /** Another domain is in force, or the first one. */
  readonly adopt: (handlers: Handlers) => void;
  /** These entries are the last ones now, durable or not yet. */
  readonly appended: (entries: readonly LogEntry[]) => void;
  /** These entries, the last ones, were not kept. */
  readonly takenBack: (entries: readonly LogEntry[]) => void;
  /** Resolves when nothing is left to do at the present time; gives what was done since the last call. */
  readonly settled: () => Promise<readonly Reacted[]>;
  /** When the next command is due, µs since 1970. Known after `settled`. */
  readonly nextDue: () => bigint | undefined;
  /** Tasks that wait for their time; those due first come first. */
  readonly waiting: () => readonly Task[];
  readonly parked: () => readonly Parked[];
  readonly close: () => Promise<void>;
}

/** Tasks that are handed to the executor together. */
const most = 256;
/** Outcomes kept for `settled`. */
const mostReported = 10_000;
/** Milliseconds without a mark after which the position that was examined is logged. */
const lowMilliseconds = 10_000;
const lowEvents = 10_000;
/** A jump of the clock is noticed after at most so many milliseconds. */
const longestSleep = 1_000;
/** Milliseconds until the next attempt while the log takes no entries. */
const storeRest = 1_000;

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
  const inHand = new Set<string>();
  const retries = createRetries(monotonic);
  const sources = createSources(store);

  function adopt(next: Handlers): void {
    handlers = next;
    const generations = generationsOf(store.schema());
    const active = next.domain.reactions.flatMap((definition): (readonly [string, ActiveReaction])[] => {
      const generation = generations.get(definition.name.toLowerCase());
      return generation === undefined ? [] : [[definition.name, { definition, generation }]];
    });
    const isSame = ([name, { definition, generation }]: readonly [string, ActiveReaction]): boolean => {
      const before = reactions.get(name);
      return before?.definition === definition && before.generation.entry === generation.entry;
    };
    if (active.length === reactions.size && active.every(isSame)) return;
    for (const [name, { generation }] of reactions)
      if (agenda !== undefined) lows.set(`${name} ${generation.entry}`, agenda.low(name));
    reactions = new Map(active);
    agenda = undefined;
    retries.clear();
    const build = ++builds;
    if (reactions.size === 0) {
      building = undefined;
      return;
    }
    const tail: LogEntry[] = [];
    building = { tail, done: read(build, tail) };
    building.done.catch((error: unknown) => {
      if (!closed) options.onFault(error);
    });
  }

  /** What the log says is still to do. Entries that come meanwhile are in `tail`. */
  async function read(build: number, tail: readonly LogEntry[]): Promise<void> {
    const { environment } = options;
    const fresh = createAgenda(reactions, (type) => (handlers as Handlers).reader(type), environment); // adopted before
    const first = [...reactions.values()].map(({ definition, generation }) =>
      definition.start.at === 'now' ? generation.entry : 1,
    );
    let last = 0;
    for await (const entry of store.read(Math.min(...first))) {
      if (build !== builds || closed) return;
      fresh.apply(entry);
      last = entry.number;
      if (last % 1_000 === 0) await new Promise((resume) => setImmediate(resume));
    }
    if (build !== builds) return;
    fresh.keep(last);
    for (const entry of tail) if (entry.number > last) fresh.apply(entry);
    for (const [name, { generation }] of reactions) fresh.examined(name, lows.get(`${name} ${generation.entry}`) ?? 0);
    agenda = fresh;
    building = undefined;
    wake();
  }

  /** The next tasks, in order; a stream whose task waits for another attempt waits with it. */
  function takeTasks(from: Agenda): readonly Task[] {
    const tasks: Task[] = [];
    const mayRun = (task: Task): boolean => !inHand.has(keyOf(task)) && !retries.holds(task);
    for (const task of from.ready()) {
      if (tasks.length === most) return tasks;
      if (mayRun(task)) tasks.push(task);
    }
    // What is ready belongs to an earlier time than what becomes due.
    if (tasks.length > 0 || inHand.size > 0) return tasks;
    const now = clock();
    const held: Task[] = [];
    while (tasks.length < most) {
      const first = from.firstDue();
      if (first?.due === undefined || first.due > now) break;
      from.takeDue();
      (mayRun(first) ? tasks : held).push(first);
    }
    for (const task of held) from.putBack(task);
    return tasks;
  }

  async function attempt(task: Task, on: Agenda): Promise<void> {
    const key = keyOf(task);
    inHand.add(key);
    try {
      await sources.load(task);
      const done = await executor.beside((turn, environment, last) => inTurn(task, on, turn, environment, last));
      if (done === 'held') return;
      if (on.isOpen(task) && task.branch === undefined) on.done(task);
      retries.forget(task);
      if (options.runs === 'asked') reported = [...reported, ...done].slice(-mostReported);
    } catch (error) {
      if (error instanceof Failure && error.kind === 'store') restsUntil = monotonic() + storeRest;
      else if (!(error instanceof Failure)) {
        retries.stop(task);
        options.onFault(error);
      }
    } finally {
      inHand.delete(key);
      if (task.due !== undefined) on.putBack(task);
    }
  }

  async function inTurn(
    task: Task,
    on: Agenda,
    turn: Turn,
    environment: DecideEnvironment,
    last: bigint,
  ): Promise<readonly Reacted[] | 'held'> {
    if (on !== agenda) return [];
    // An earlier task of its stream has failed in this turn.
    if (retries.holds(task)) return 'held';
    try {
      return await answerTask(turn, task, { agenda: on, deciding, environment, last, lastTry: retries.isLast(task) });
    } catch (error) {
      if (error instanceof Failure && error.kind !== 'store' && mayPass(error)) retries.failed(task);
      throw error;
    }
  }

  async function runAll(): Promise<void> {
    while (!closed && building !== undefined) await building.done;
    while (!closed && agenda !== undefined && restsUntil <= monotonic()) {
      const on: Agenda = agenda;
      on.keep(store.knownPosition().entry);
      const tasks = takeTasks(on);
      if (tasks.length === 0) break;
      await Promise.all(tasks.map((task) => attempt(task, on)));
    }
    await logLow();
  }

  /** So that a restart does not examine again all events for which nothing was to be done. */
  async function logLow(): Promise<void> {
    if (agenda === undefined || store.kind === 'memory' || closed) return;
    const late = monotonic() - lowLogged >= lowMilliseconds;
    for (const name of reactions.keys()) {
      const unmarked = agenda.unmarked(name);
      if (unmarked >= lowEvents || (late && unmarked > 0)) await markLow(name, agenda);
    }
    if (late) lowLogged = monotonic();
  }

  async function markLow(name: string, on: Agenda): Promise<void> {
    const active = reactions.get(name);
    const low = on.low(name);
    if (active === undefined || low === 0) return;
    const mark = { name, generation: active.generation.entry, position: low, low };
    try {
      await executor.beside((turn, environment, last) => {
        if (on === agenda) turn.append(markEntry(mark, undefined, {}), environment.instant(last));
        return Promise.resolve();
      });
    } catch (error) {
      // It only saves work later, and is tried again.
      if (!(error instanceof Failure)) throw error;
    }
  }

  function run(): Promise<void> {
    clearTimeout(timer);
    running ??= runAll()
      .catch((error: unknown) => {
        options.onFault(error);
      })
      .finally(() => {
        running = undefined;
        if (options.runs === 'timers' && !closed) sleep();
      });
    return running;
  }

  function wake(): void {
    if (options.runs !== 'timers' || closed || running !== undefined) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), 0);
  }

  function sleep(): void {
    clearTimeout(timer);
    if (agenda === undefined) return;
    const due = agenda.firstDue()?.due;
    const untilDue = due === undefined ? longestSleep : Number((due - clock() + 999n) / 1_000n);
    const rest = Math.max(restsUntil, retries.next() ?? 0) - monotonic();
    const isReady = rest <= 0 && hasReady(agenda);
    const wait = isReady ? 0 : Math.min(longestSleep, Math.max(0, untilDue), rest > 0 ? rest : longestSleep);
    timer = setTimeout(() => void run(), Math.max(wait, isReady ? 0 : 1)).unref();
  }

  function hasReady(from: Agenda): boolean {
    for (const task of from.ready()) if (!retries.holds(task)) return true;
    return false;
  }

  return {
    adopt,
    appended: (entries) => {
      if (reactions.size === 0) return;
      for (const entry of entries) {
        building?.tail.push(entry);
        agenda?.apply(entry);
      }
      wake();
    },
    takenBack: (entries) => {
      if (reactions.size === 0) return;
      const first = entries[0]?.number;
      if (building !== undefined && first !== undefined) {
        const kept = building.tail.findIndex(({ number }) => number >= first);
        if (kept >= 0) building.tail.length = kept;
      }
      agenda?.undo(entries);
    },
    settled: async () => {
      do await run();
      while (!closed && restsUntil <= monotonic() && (building !== undefined || isBusy()));
      const done = reported;
      reported = [];
      return done;
    },
    nextDue: () => agenda?.firstDue()?.due,
    waiting: () => [...(agenda?.waiting() ?? [])].sort((a, b) => Number((a.due ?? 0n) - (b.due ?? 0n))),
    parked: () => agenda?.parked() ?? [],
    close: async () => {
      if (!closed && agenda !== undefined && store.kind !== 'memory' && store.refusesWrites() === undefined)
        for (const name of reactions.keys()) if (agenda.unmarked(name) > 0) await markLow(name, agenda);
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };

  function isBusy(): boolean {
    if (agenda === undefined) return false;
    const due = agenda.firstDue();
    return hasReady(agenda) || (due?.due !== undefined && due.due <= clock() && !retries.holds(due));
  }
}
