import { fail } from '../../language/failure/failure.ts';
import type { Soon } from '../../language/failure/soon.ts';
import { refusedWrite } from '../store/journal/log-failures.ts';
import type { Store, Turn } from '../store/store.ts';
import { groupBytes } from '../store/turns/group-end.ts';
import { decideOne, readCommand, type DecideEnvironment, type DecidingState, type ReadCommand } from './decide.ts';
import type { EngineLimits } from './limits.ts';
import type { Caller, ExecuteRequest, Outcome } from './outcome.ts';
import { createWaitEstimate } from './wait-estimate.ts';

type Work<T> = (turn: Turn, environment: DecideEnvironment, last: bigint) => Soon<T>;

interface Waiting {
  /** The work of its turn. */
  readonly work: Work<unknown>;
  readonly of: 'caller' | 'line' | 'reaction';
  readonly caller: Caller<never>;
}

/** The outcome of a command in its turn, or its failure. */
type Ended = { readonly outcome: unknown } | { readonly error: unknown };

interface Between {
  readonly between: () => Promise<void>;
}

export interface Executor {
  /** Decides a command, and calls one function of `caller` when it is answered. */
  readonly submit: (request: ExecuteRequest, caller: Caller<Outcome>) => void;
  /**
   * Runs work of the server itself, a reaction's or a slice of an inspection, in a turn among commands: while callers wait it gets a quarter
   * of each turn.
   */
  readonly runOwn: <T>(work: Work<T>) => Promise<T>;
  /** Runs `work` between two turns: every command submitted before is decided before it, every later one after it. */
  readonly between: (work: () => Promise<void>) => Promise<void>;
  /** Runs `work`, which appends nothing, in its own turn, between two batches of commands. */
  readonly exclusive: <T>(work: (turn: Turn) => Promise<T>) => Promise<T>;
  /** Resolves when all commands submitted before are answered. */
  readonly idle: () => Promise<void>;
  readonly waiting: () => number;
}

/** The most commands decided in one turn: bounds the time a turn holds the store's append lock. */
const BATCH = 512;

/** Maximum number of them that come from bulk requests: at most half of a batch. */
const IN_LINE = BATCH / 2;

/** Maximum number of them that are work of reactions while callers wait. */
const FOR_REACTIONS = BATCH / 4;

/**
 * On a log of several servers, the time after which the next commands wait for another turn, in ms: others may wait for this one, and the log takes
 * its lock back from a turn of three seconds.
 */
const SHARED_TURN = 1_000;

/**
 * The most commands that are decided and not yet durable, after which the next wait: they are taken back together when
 * a commit fails.
 */
const AHEAD = 512;

/**
 * The one queue of commands. All waiting commands are decided in one turn, in order, each with the handler table then
 * in force, and are answered when the turn's commit is durable. Meanwhile the next ones are decided on top of them; the
 * store answers a turn only after everything that it read is durable. A command that fails has no effect on others.
 */
export function createExecutor(
  store: Store,
  deciding: () => DecidingState,
  environment: DecideEnvironment,
  limits: Pick<EngineLimits, 'waitingCommands' | 'waitingMilliseconds'>,
  /** Milliseconds on a clock that never decreases. */
  monotonic: () => number,
): Executor {
  /** After a turn has appended this many characters the next commands wait for another one. */
  const turnSize = groupBytes(store.shared);
  let queue: (Waiting | Between)[] = [];
  /** Commands of requests of many. */
  let line: Waiting[] = [];
  /** Work of reactions. */
  let reacting: Waiting[] = [];
  let running: Promise<void> | undefined;
  const wait = createWaitEstimate(BATCH);
  /** Batches that are not answered yet; `ahead` is the number of their commands. */
  const open = new Set<Promise<void>>();
  let ahead = 0;
  /** The time of the last command, which the log may not contain yet. */
  let last = 0n;

  const isFull = (): boolean => {
    if (queue.length >= limits.waitingCommands) return true;
    return queue.length > 0 && wait.behind(queue.length, ahead, monotonic()) > limits.waitingMilliseconds;
  };

  async function runBatch(wanted: readonly Waiting[], decided: () => void): Promise<void> {
    let outcomes: Ended[] = [];
    const begun = monotonic();
    let batch = wanted;
    let deciding = 0;
    try {
      // The work may run again, when another process has appended meanwhile.
      await store.turns.exclusively(async (turn) => {
        outcomes = [];
        const turnBegun = monotonic();
        // A commit may have failed since these commands were accepted.
        const trouble = store.turns.refusesWrites();
        if (trouble !== undefined) throw refusedWrite(trouble);
        const { at } = store.turns.position();
        if (at > last) last = at;
        const clock = { ...environment, instant: (floor: bigint) => (last = environment.instant(floor)) };
        for (let index = 0; index < batch.length; index++) {
          const isOver = turn.shared === true && index > 0 && monotonic() - turnBegun > SHARED_TURN;
          if (isOver || turn.size() > turnSize) {
            putBack(batch.slice(index));
            batch = batch.slice(0, index);
            break;
          }
          try {
            const outcome = batch[index]?.work(turn, clock, last);
            outcomes.push({ outcome: outcome instanceof Promise ? await outcome : outcome });
          } catch (error) {
            outcomes.push({ error });
          }
        }
        deciding = monotonic() - turnBegun;
        decided();
      });
    } catch (error) {
      for (const { caller } of batch) caller.reject(error);
      return;
    } finally {
      decided();
      wait.answered({
        commands: batch.length,
        begun,
        deciding,
        ended: monotonic(),
        entry: store.turns.position().entry,
      });
    }
    for (let index = 0; index < batch.length; index++) answer(batch[index], outcomes[index]);
  }

  /** Resolves when the batch is decided; it is answered later. */
  function decide(batch: readonly Waiting[]): Promise<void> {
    return new Promise((decided) => {
      ahead += batch.length;
      const answered = runBatch(batch, decided).finally(() => {
        ahead -= batch.length;
        open.delete(answered);
      });
      open.add(answered);
    });
  }

  async function allAnswered(): Promise<void> {
    while (open.size > 0) await Promise.all(open);
  }

  async function drain(): Promise<void> {
    // A round of the event loop lets requests that arrived together share a commit.
    await new Promise((resume) => setImmediate(resume));
    while (queue.length > 0 || line.length > 0 || reacting.length > 0) {
      const [first] = queue;
      if (first !== undefined && 'between' in first) {
        await allAnswered();
        queue.shift();
        await first.between();
      } else {
        while (ahead >= AHEAD) await Promise.race(open);
        await decide(takeBatch());
      }
    }
    running = undefined;
  }

  function takeBatch(): readonly Waiting[] {
    const batch: Waiting[] = [];
    const inLine = line.slice(0, IN_LINE);
    const idle = queue.length === 0 && line.length === 0;
    const reactions = reacting.slice(0, idle ? BATCH : FOR_REACTIONS);
    for (const item of queue) {
      if ('between' in item || batch.length === BATCH - inLine.length - reactions.length) break;
      batch.push(item);
    }
    queue = queue.slice(batch.length);
    line = line.slice(inLine.length);
    reacting = reacting.slice(reactions.length);
    return inLine.length + reactions.length === 0 ? batch : [...batch, ...inLine, ...reactions];
  }

  /** To the front, where they were. */
  function putBack(batch: readonly Waiting[]): void {
    const from = (of: Waiting['of']): Waiting[] => batch.filter((item) => item.of === of);
    queue = [...from('caller'), ...queue];
    line = [...from('line'), ...line];
    reacting = [...from('reaction'), ...reacting];
  }

  /** A command as it can be read before its turn. Throws what is wrong with it, or with the time at which it comes. */
  function accepted(request: ExecuteRequest): ReadCommand | undefined {
    const trouble = store.turns.refusesWrites();
    if (trouble !== undefined) throw refusedWrite(trouble);
    if (request.waitsInLine !== true && isFull()) throw fail('R0401', { waiting: queue.length });
    try {
      return readCommand(deciding().handlers, request);
    } catch (error) {
      // The turn may bring a change of the registry by another server, by which the command is right.
      if (!store.shared) throw error;
      return undefined;
    }
  }

  const executor: Executor = {
    submit: (request, caller) => {
      let read: ReadCommand | undefined;
      try {
        read = accepted(request);
      } catch (error) {
        caller.reject(error);
        return;
      }
      const work: Work<Outcome> = (turn, clock, at) => decideOne(turn, deciding(), request, clock, at, read);
      if (request.waitsInLine === true) line.push({ work, of: 'line', caller });
      else queue.push({ work, of: 'caller', caller });
      running ??= drain();
    },
    runOwn: (work) =>
      new Promise((resolve, reject) => {
        reacting.push({ work, of: 'reaction', caller: { resolve, reject } });
        running ??= drain();
      }),
    between: (work) =>
      new Promise((resolve, reject) => {
        queue.push({ between: () => work().then(resolve, reject) });
        running ??= drain();
      }),
    exclusive: <T>(work: (turn: Turn) => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        executor.between(() => store.turns.exclusively(work, 'reads').then(resolve, reject)).catch(reject);
      }),
    idle: async () => {
      while (running !== undefined || open.size > 0) await (running ?? allAnswered());
    },
    waiting: () => queue.length + line.length + reacting.length,
  };
  return executor;
}

function answer(waiting: Waiting | undefined, ended: Ended | undefined): void {
  if (waiting === undefined || ended === undefined) throw new Error('a command was answered before it was decided');
  if ('error' in ended) waiting.caller.reject(ended.error);
  else waiting.caller.resolve(ended.outcome as never); // of its own work
}
