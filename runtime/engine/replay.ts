/**
 * A log read again in order, with a dry turn at its end: recorded commands are decided on the state just before their entry
 * (docs/language.md#recorded-commands). The history continues with what was recorded, so an outcome never influences the next one.
 */
import type { Domain } from '../../language/contract/domain.ts';
import type { FailureKind } from '../../language/failure/define.ts';
import { Failure } from '../../language/failure/failure.ts';
import { recovering, type Soon } from '../../language/failure/soon.ts';
import { seedOf } from '../../language/values/draws.ts';
import type { CommandEntry, LogEntry } from '../store/entry.ts';
import { unreadableFields } from '../store/event-reader.ts';
import type { GiveWay } from '../store/give-way.ts';
import type { Store } from '../store/store.ts';
import { unreadableIn, unreadableText, type UnreadableEvent } from '../store/unreadable-text.ts';
import { decideArrived } from './decide.ts';
import { dryTurn, type Ground, type HistoryEnd } from './dry-turn.ts';
import { createHandlers, type Handlers } from './handlers.ts';
import { createHotFolds } from './hot-folds.ts';
import { defaultEngineLimits, type EngineRules } from './limits.ts';
import type { Outcome } from './outcome.ts';
import { recordedArguments, recordedCaller } from './recorded-arguments.ts';
import { createStreamHeads } from './stream-heads.ts';
import { createSystemRandom } from './system-random.ts';

/** The history up to some entry, under a domain. */
export interface Replay {
  readonly handlers: Handlers;
  /** A dry turn at its end, at that instant: an instance for all, which moves on with the history. */
  readonly groundAt: (at: bigint, seed?: string) => Ground;
  readonly nextPosition: () => number;
  /** Continues the history. */
  readonly add: (entry: CommandEntry & LogEntry) => void;
}

/** States that need more than their folds are read from a read model of that moment. */
export function createReplay(store: Store, domain: Domain, rules: EngineRules = {}): Replay {
  const { limits = defaultEngineLimits, eventStore } = rules;
  const handlers = createHandlers(domain, { eventStore, streamIdCharacters: limits.streamIdCharacters });
  const folds = createHotFolds(domain, store.secret);
  const heads = createStreamHeads();
  let [entry, position, at, seed] = [0, 0, 0n, ''];
  const seeding = { draw: () => seed, drawn: () => undefined };
  const query: Ground['turn']['query'] = async (asked, parameters, options) => {
    const past = await store.past({ position, entry, at, cut: false, final: true }, domain.readModel);
    try {
      return await past.tables.query(asked, parameters, options);
    } finally {
      await past.close();
    }
  };
  const nextPosition = (): number => position + 1;
  const unreadable: UnreadableEvent[] = [];
  const turn: HistoryEnd['turn'] = {
    head: heads.get,
    query,
    unreadable: (...stream) => unreadableIn(unreadable, ...stream),
    lastEntry: () => entry,
    nextPosition,
  };
  const ground = dryTurn({ turn, folds }, handlers, {
    secret: store.secret,
    limits,
    randomBytes: createSystemRandom(),
    instant: () => at,
    seeding: () => seeding,
  });
  return {
    handlers,
    groundAt: (instant, drawn = '') => {
      [at, seed] = [instant, drawn];
      return ground;
    },
    nextPosition,
    add: ({ number, events, at: written }) => {
      folds.evolve(events, BigInt(written));
      for (const event of events) {
        const { streamType, streamId } = event;
        heads.set(streamType, streamId, event.seq);
        for (const field of unreadableFields(handlers.reader(event.type), event, written))
          unreadable.push({ streamType, streamId, text: unreadableText(event, field) });
        position = event.position;
      }
      entry = number;
    },
  };
}

/** A recorded command and its outcome under a domain. */
export interface DecidedAgain {
  readonly entry: CommandEntry & LogEntry;
  readonly at: bigint;
  /** Or why the definitions refuse it, or cannot decide it: a `NotRecorded` if an argument that they need was not kept. */
  readonly outcome: Outcome | Failure;
  /** The global position that its first event would have had. */
  readonly position: number;
}

export interface DecideRecordedOptions<T> {
  readonly isAsked: (entry: CommandEntry & LogEntry) => boolean;
  /** Called for each command; a generator around this one would cost as much as reading an entry. */
  readonly each: (again: DecidedAgain, handlers: Handlers) => T;
  readonly rules?: EngineRules | undefined;
  /** Called before each entry, which waits for the result. */
  readonly giveWay?: GiveWay | undefined;
}

/** Decides the recorded commands that are asked for, in the order of the log. */
export async function* decideRecorded<T>(
  store: Store,
  domain: Domain,
  { isAsked, each, rules, giveWay }: DecideRecordedOptions<T>,
): AsyncGenerator<T, void, undefined> {
  const replay = createReplay(store, domain, rules);
  for await (const entry of store.log.read(1)) {
    if (entry.kind !== 'command') continue;
    const paused = giveWay?.();
    if (paused !== undefined) await paused;
    const isRecorded = entry.cells?.arguments !== undefined || entry.commandId !== undefined;
    if (isRecorded && isAsked(entry)) {
      const at = BigInt(entry.at);
      const outcome = decideAgain(replay, entry, at);
      const position = replay.nextPosition();
      const again = { entry, at, outcome: outcome instanceof Promise ? await outcome : outcome, position };
      yield each(again, replay.handlers);
    }
    replay.add(entry);
  }
}

/** Kinds of failures by which a definition refuses a command: it is not there, is not for this caller, or cannot take the arguments or decide on this data. */
const expectedKinds: ReadonlySet<FailureKind> = new Set<FailureKind>(['schema', 'input', 'missing', 'forbidden']);

function decideAgain(
  { handlers, groundAt }: Replay,
  entry: CommandEntry & LogEntry,
  at: bigint,
): Soon<Outcome | Failure> {
  const { turn, state, environment } = groundAt(at, entry.cells?.seed ?? seedOf(`entry ${entry.number}`));
  return recovering(
    (): Soon<Outcome | Failure> => {
      const { command, streamId, cells } = entry;
      const handler = handlers.of(command);
      const caller = recordedCaller(handler, cells);
      const { sent, decoded, shown } = recordedArguments(handler, cells, caller);
      const request = { command, arguments: sent };
      const definition = handler.command;
      const mustAllow = caller !== undefined && cells?.reaction === undefined;
      return decideArrived(
        { turn, state, request, environment, handler, streamId, definition, decoded, shown, sent, caller, mustAllow },
        0n,
      );
    },
    (error) => {
      if (error instanceof Failure && expectedKinds.has(error.kind)) return error;
      throw error;
    },
  );
}

export interface EachOptions extends Pick<DecideRecordedOptions<never>, 'rules' | 'giveWay'> {
  readonly command: string;
  /** The numbers of the entries that are decided; all if absent. */
  readonly chosen?: ReadonlySet<number>;
  /** Only commands after this entry. */
  readonly after?: number;
}

/** INSPECT DECISION … AS OF EACH. */
export async function* inspectEach(
  store: Store,
  domain: Domain,
  { command, chosen, after = 0, rules, giveWay }: EachOptions,
): AsyncGenerator<DecidedAgain, void, undefined> {
  let left = chosen?.size;
  if (left === 0) return;
  const isAsked = (entry: CommandEntry & LogEntry): boolean =>
    entry.command === command && entry.number > after && chosen?.has(entry.number) !== false;
  for await (const again of decideRecorded(store, domain, { isAsked, each: (one) => one, rules, giveWay })) {
    yield again;
    if (left !== undefined && --left === 0) return;
  }
}
