import type { CallerValues } from '../../language/contract/caller.ts';
import type { Decided, DecisionContext, Emission } from '../../language/contract/decision.ts';
import type { EventDefinition, EventField } from '../../language/contract/event.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { andThen, recovering, type Soon } from '../../language/failure/soon.ts';
import { typeName } from '../../language/values/type.ts';
import { createDraws, newSeed } from '../../language/values/draws.ts';
import { isLongerThan, length } from '../../language/values/text.ts';
import type { CommandCells } from '../store/cells.ts';
import type { CommandEntry, StoredEvent } from '../store/entry.ts';
import type { Row, StorePosition, Turn } from '../store/store.ts';
import { callerOf, reactionSubject, withCallerDefaults } from './command-caller.ts';
import { requireAllowed, requireChecks } from './command-checks.ts';
import { isIdOf } from './command-rules.ts';
import { fingerprint, type SentCommand } from './fingerprint.ts';
import type { Handler, Handlers } from './handlers.ts';
import type { HotFolds } from './hot-folds.ts';
import type { EngineLimits } from './limits.ts';
import type { EmittedEvent, ExecuteRequest, NamedValue, Outcome } from './outcome.ts';
import { failureText, recordedCells, type RecordedCommands, type WritableCells } from './recording.ts';
import type { RecordingBound } from './recording-bound.ts';
import { rejectionOf, rejectionText } from './rejection.ts';
import { repeated } from './repeated.ts';
import { evaluate, field } from './state.ts';

/** Inputs of a decision in addition to the turn: time, chance, the store's secret, and the limits of a command. */
export interface DecideEnvironment {
  readonly secret: Uint8Array;
  readonly limits: EngineLimits;
  /** The one time of the command: never before the last entry's. */
  readonly instant: (last: StorePosition['at']) => bigint;
  readonly random: () => number;
  readonly uuid: () => string;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Source of the draws of a command that can be decided again. */
  readonly seeding: (recorded: RecordedCommands) => Seeding | undefined;
  readonly recordingBound: RecordingBound;
  /** Event ids that increase with time. */
  readonly eventId: (instant: bigint) => string;
}

/** The handler table in force and the folds as of the turn's position. */
export interface DecidingState {
  readonly handlers: Handlers;
  readonly folds: HotFolds;
}

/** The parts of a turn that deciding uses. */
export type DecidingTurn = Pick<
  Turn,
  'shared' | 'lastEntry' | 'head' | 'recorded' | 'query' | 'unreadable' | 'nextPosition'
> & { readonly append: (...given: Parameters<Turn['append']>) => void };

/** A command that is being decided, and what is known of it by now: one object, where closures would be a dozen for each command. */
interface Deciding extends SentCommand {
  readonly turn: DecidingTurn;
  readonly state: DecidingState;
  readonly request: ExecuteRequest;
  readonly environment: DecideEnvironment;
  readonly handler: Handler;
  readonly streamId: string;
  /** The arguments as a rejection shows them. */
  readonly shown: object;
  /** Absent without a caller, and if nothing reads it. */
  readonly caller: CallerValues | undefined;
  /** The caller is to pass ALLOW. */
  readonly mustAllow: boolean;
  /** The head of its own stream before it. */
  readonly head: number;
  readonly now: bigint;
  /** Source of its random draws, where they are recorded. */
  readonly seeding: Seeding | undefined;
}

/** A command before the position of its stream is known. */
export type Arrived = Omit<Deciding, 'head' | 'now' | 'seeding'>;

export interface Seeding {
  readonly draw: () => string;
  /** Undefined until something is drawn. */
  readonly drawn: () => string | undefined;
}

/** A command whose arguments were read, by these handlers. */
export interface ReadCommand {
  readonly handlers: Handlers;
  readonly handler: Handler;
  readonly decoded: object;
  readonly streamId: string;
  readonly caller: CallerValues | undefined;
}

/** Reads the arguments of a command, which needs no turn. Throws a `Failure`. */
export function readCommand(handlers: Handlers, request: ExecuteRequest): ReadCommand {
  const handler = handlers.of(request.command);
  const { aggregate } = handler.decision;
  if (request.aggregate !== undefined && request.aggregate !== aggregate)
    throw fail('R0108', { command: request.command, aggregate: request.aggregate, owner: aggregate });
  const caller = callerOf(handler, request);
  const decoded = handler.command.decode(withCallerDefaults(handler, request.arguments, caller));
  return { handlers, handler, decoded, streamId: handler.command.streamId(decoded), caller };
}

/**
 * Decides one command inside a turn and appends its outcome; at once when all that it reads is in memory. When it throws a `Failure`, or rejects with
 * one, it has appended nothing. `before`: the command as it was read before the turn, which counts if its handlers are still in force.
 */
export function decideOne(
  turn: DecidingTurn,
  state: DecidingState,
  request: ExecuteRequest,
  environment: DecideEnvironment,
  last: bigint,
  before?: ReadCommand,
): Soon<Outcome> {
  const read = before?.handlers === state.handlers ? before : readCommand(state.handlers, request);
  const { handler, decoded, streamId, caller } = read;
  const { command: definition } = handler;
  const mustAllow = definition.allow !== undefined && caller !== undefined && request.origin === undefined;
  const sent = request.arguments;
  const shown = decoded;
  return decideArrived(
    { turn, state, request, environment, handler, streamId, definition, decoded, shown, sent, caller, mustAllow },
    last,
  );
}

/** Decides a command whose arguments were read. Nothing is looked up for a caller that ALLOW refuses. */
export function decideArrived(arrived: Arrived, last: bigint): Soon<Outcome> {
  const { request, environment, mustAllow, caller } = arrived;
  if (mustAllow && caller !== undefined) {
    const context = { now: environment.instant(last), random: noDraw, uuid: noDraw, caller };
    requireAllowed(arrived.definition, arrived.decoded, context);
  }
  // A command without an id is decided without a further closure.
  return request.commandId === undefined
    ? afterHead(arrived, last)
    : andThen(repeated(arrived, request.commandId), (outcome) => outcome ?? afterHead(arrived, last));
}

function noDraw(): never {
  throw new Error('ALLOW draws nothing');
}

function afterHead(arrived: Arrived, last: bigint): Soon<Outcome> {
  const head = arrived.turn.head(arrived.handler.decision.aggregate, arrived.streamId);
  return head instanceof Promise ? head.then((seq) => decideAt(arrived, seq, last)) : decideAt(arrived, head, last);
}

/** A command that was not decided before. */
function decideAt(arrived: Arrived, head: number, last: bigint): Soon<Outcome> {
  const { turn, state, request, environment, handler, streamId, definition, decoded, shown, sent } = arrived;
  const { caller, mustAllow } = arrived;
  if (request.expectedElsewhere === true) throw fail('R0112', { stream: streamId, actual: head });
  if (request.expectedSeq !== undefined && request.expectedSeq !== head)
    throw fail('R0105', { stream: streamId, expected: request.expectedSeq, actual: head });
  const now = environment.instant(last);
  const seeding = environment.seeding(state.handlers.rules.recording.commands);
  return decideNew({
    turn,
    state,
    request,
    environment,
    handler,
    streamId,
    definition,
    decoded,
    shown,
    sent,
    caller,
    mustAllow,
    head,
    now,
    seeding,
  });
}

function decideNew(deciding: Deciding): Soon<Outcome> {
  const { turn, state, handler, environment, decoded, now, seeding, caller } = deciding;
  const { random, uuid } = seeding === undefined ? environment : createDraws(seeding.draw);
  const context = contextOf(now, random, uuid, seeding?.draw, caller);
  requireChecks(handler.command, decoded, context);
  const reader = { turn, folds: state.folds };
  const evaluated =
    state.handlers.rules.recording.commands === 'all'
      ? recordingFailures(deciding, () => evaluate(reader, handler, decoded, context))
      : evaluate(reader, handler, decoded, context);
  return evaluated instanceof Promise
    ? evaluated.then((result) => conclude(deciding, result.row, result.decided))
    : conclude(deciding, evaluated.row, evaluated.decided);
}

/** Literals of four shapes: to copy a part of them costs as much as an ALLOW. */
function contextOf(
  now: bigint,
  random: DecisionContext['random'],
  uuid: DecisionContext['uuid'],
  seed: DecisionContext['seed'] | undefined,
  caller: CallerValues | undefined,
): DecisionContext {
  if (caller === undefined) return seed === undefined ? { now, random, uuid } : { now, random, uuid, seed };
  return seed === undefined ? { now, random, uuid, caller } : { now, random, uuid, seed, caller };
}

/** Appends the events of the branches that emitted, or the rejection if it is to be kept. */
function conclude(deciding: Deciding, row: Row, decided: Decided): Soon<Outcome> {
  const { turn, state, request, environment, handler, streamId, head, now } = deciding;
  const { recording } = state.handlers.rules;
  const { aggregate, name } = handler.decision;
  // Known now, since the state was read: no guard is to decide on a NULL in place of a value of the log.
  const unreadable = turn.unreadable(aggregate, streamId);
  if (unreadable !== undefined) throw fail('R0417', { event: unreadable });
  const { emissions, branches } = emittedBy(decided);
  // No caller can send the id of a reaction's command again.
  const isKeyed = request.commandId !== undefined && request.origin === undefined;
  const owner = handler.isOwned ? request.caller : undefined;
  const print = isKeyed ? fingerprint(environment.secret, deciding, owner) : undefined;
  const made = { decision: name, branches, emissions: decided };
  if (emissions.length === 0) {
    const rejection = rejectionOf(handler, deciding.shown, row, now, deciding.caller);
    // With an id it is kept in any case, because it may be sent again.
    if (request.commandId !== undefined || (recording.commands === 'all' && isWithinBound(deciding))) {
      const entry = entryOf(request, aggregate, streamId, [], print);
      turn.append(withCells(deciding, { ...entry, rejection: rejectionText(rejection) }, branches), now);
    }
    return {
      outcome: 'rejected',
      replayed: false,
      streamType: aggregate,
      streamId,
      head,
      events: [],
      entry: turn.lastEntry(),
      rejection,
      decided: made,
    };
  }
  const numbered =
    recording.commands === 'all'
      ? recordingFailures(deciding, () => numberEmissions(deciding, emissions))
      : numberEmissions(deciding, emissions);
  return numbered instanceof Promise
    ? numbered.then((events) => emit(deciding, events, made, print))
    : emit(deciding, numbered, made, print);
}

/** Emissions of all branches, and the numbers of these branches, from 1. Mostly one branch emits, and its list is taken as it is. */
function emittedBy(decided: Decided): {
  readonly emissions: readonly Emission[];
  readonly branches: readonly number[];
} {
  let emissions: readonly Emission[] = [];
  let branches: readonly number[] = [];
  for (let index = 0; index < decided.length; index++) {
    const events = decided[index] ?? null;
    if (events === null) continue;
    emissions = branches.length === 0 ? events : emissions.concat(events);
    branches = branches.length === 0 ? [index + 1] : branches.concat(index + 1);
  }
  return { emissions, branches };
}

/** Appends the events of a command. */
function emit(
  deciding: Deciding,
  { stored, emitted }: Numbered,
  decided: NonNullable<Outcome['decided']>,
  print: string | undefined,
): Outcome {
  const { turn, state, request, handler, streamId, now } = deciding;
  const { aggregate } = handler.decision;
  try {
    // Before the append, since this can fail and an appended event cannot be removed.
    state.folds.evolve(stored, now);
    turn.append(withCells(deciding, entryOf(request, aggregate, streamId, stored, print), decided.branches), now);
  } catch (error) {
    state.folds.clear();
    throw error;
  }
  return {
    outcome: 'emitted',
    replayed: false,
    streamType: aggregate,
    streamId,
    head: lastOf(stored, aggregate, streamId)?.seq ?? deciding.head,
    events: emitted,
    entry: turn.lastEntry(),
    decided,
  };
}

export function createSeeding(randomBytes: DecideEnvironment['randomBytes']): Seeding {
  let seed: string | undefined;
  return { draw: () => (seed ??= newSeed(randomBytes)), drawn: () => seed };
}

/** Runs a step of deciding under `all`: a command that its own schema fails on this data was decided too, and is kept. */
function recordingFailures<T>(deciding: Deciding, work: () => Soon<T>): Soon<T> {
  const { turn, request, handler, streamId, now } = deciding;
  return recovering(work, (failure): never => {
    // The failure of a reaction's command is in its mark.
    if (
      request.origin === undefined &&
      failure instanceof Failure &&
      failure.kind === 'schema' &&
      isWithinBound(deciding)
    )
      turn.append(
        {
          ...entryOf(unkeyed(request), handler.decision.aggregate, streamId, [], undefined),
          cells: { ...cellsOf(deciding, []), failure: failureText(failure) },
        },
        now,
      );
    throw failure;
  });
}

function isWithinBound({ environment, request, handler, now, state }: Deciding): boolean {
  const { rejectedInSecond } = state.handlers.rules.recording;
  return environment.recordingBound.mayKeep(request, handler.decision.aggregate, now, rejectedInSecond);
}

function cellsOf(deciding: Deciding, branches: readonly number[]): WritableCells {
  const { state, request, seeding, environment, handler, caller: values } = deciding;
  const caller = request.caller && { ...request.caller, read: handler.claims ?? [], values };
  const made = recordedCells(state.handlers.rules.recording, caller, deciding, seeding?.drawn(), branches);
  const unrecorded = environment.recordingBound.counted(request, handler.decision.aggregate);
  if (unrecorded > 0) made.unrecorded = unrecorded;
  return made;
}

function withCells(deciding: Deciding, entry: Writable<CommandEntry>, branches: readonly number[]): CommandEntry {
  const { request, state } = deciding;
  const own = state.handlers.rules.recording.commands === 'keyed' ? undefined : cellsOf(deciding, branches);
  if (request.origin !== undefined) entry.cells = { ...own, ...originCells(request) };
  else if (own !== undefined) entry.cells = own;
  return entry;
}

/** The mark of the reaction that sends the command, and its name as the caller's. */
function originCells({ origin }: ExecuteRequest): CommandCells {
  return origin === undefined ? {} : { ...origin, subject: reactionSubject(origin.reaction.name) };
}

/** A failure is no outcome: a command that is sent again under its id is decided again. */
function unkeyed({ commandId: _, ...request }: ExecuteRequest): ExecuteRequest {
  return request;
}

/** Built property by property: spreading objects costs as much here as deciding. */
function entryOf(
  request: ExecuteRequest,
  streamType: string,
  streamId: string,
  events: readonly StoredEvent[],
  print: string | undefined,
): Writable<CommandEntry> {
  const entry: Writable<CommandEntry> = { kind: 'command', command: request.command, streamType, streamId, events };
  if (request.commandId !== undefined) entry.commandId = request.commandId;
  if (print !== undefined) entry.fingerprint = print;
  if (request.correlationId !== undefined) entry.correlationId = request.correlationId;
  if (request.causationId !== undefined) entry.causationId = request.causationId;
  return entry;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface Numbered {
  readonly stored: StoredEvent[];
  readonly emitted: EmittedEvent[];
}

/** Gives each emission its stream, seq, position and id. */
function numberEmissions(deciding: Deciding, emissions: readonly Emission[]): Soon<Numbered> {
  const { handler, environment } = deciding;
  const decision = handler.decision.name;
  const { eventsPerCommand } = environment.limits;
  if (emissions.length > eventsPerCommand)
    throw fail('R0206', {
      decision,
      problem: `it emits ${emissions.length} events, at most ${eventsPerCommand} are allowed`,
    });
  // At their length, since a list that grows by one event has room for 17.
  const events: Numbered = {
    stored: new Array<StoredEvent>(emissions.length),
    emitted: new Array<EmittedEvent>(emissions.length),
  };
  return numberFrom(deciding, emissions, 0, events);
}

/** Adds the emissions from that index on to those before. */
function numberFrom(
  deciding: Deciding,
  emissions: readonly Emission[],
  from: number,
  events: Numbered,
): Soon<Numbered> {
  const { state, environment, handler, streamId: own } = deciding;
  const { handlers } = state;
  const decision = handler.decision.name;
  const { streamIdCharacters } = environment.limits;
  for (let at = from; at < emissions.length; at++) {
    const emission = emissions[at] as Emission; // within its length
    const event = handlers.event(emission.event);
    if (event === undefined) throw fail('R0106', { kind: 'event', name: emission.event, known: [] });
    const streamId = emission.stream ?? own;
    if (streamId === '' || isLongerThan(streamId, streamIdCharacters))
      throw fail('R0206', {
        decision,
        problem: `the id of the stream that takes ${event.name} has ${length(streamId)} characters, 1 to ${streamIdCharacters} are allowed`,
      });
    const key = emission.stream === undefined ? undefined : handlers.keyType(emission.aggregate);
    if (key !== undefined && !isIdOf(key, streamId))
      throw fail('R0206', {
        decision,
        problem: `the id of the stream that takes ${event.name} is ${JSON.stringify(streamId)}, those of ${emission.aggregate} are ${typeName(key)}`,
      });
    const head =
      lastOf(events.stored, emission.aggregate, streamId)?.seq ?? headOf(deciding, emission.aggregate, streamId);
    if (typeof head !== 'number')
      return head.then((seq) => {
        addEvent(deciding, events, at, event, emission, streamId, seq + 1);
        return numberFrom(deciding, emissions, at + 1, events);
      });
    addEvent(deciding, events, at, event, emission, streamId, head + 1);
  }
  return events;
}

function addEvent(
  { turn, environment, handler, now }: Deciding,
  { stored, emitted }: Numbered,
  at: number,
  event: EventDefinition<object>,
  emission: Emission,
  streamId: string,
  seq: number,
): void {
  const { eventBytes } = environment.limits;
  const { name: type, version } = event;
  const data = event.encode(emission.payload);
  // A unit of UTF-16 takes three bytes at most.
  if (data.length * 3 > eventBytes && Buffer.byteLength(data) > eventBytes)
    throw fail('R0206', { decision: handler.decision.name, problem: `${type} is larger than ${eventBytes} bytes` });
  const streamType = emission.aggregate;
  const id = environment.eventId(now);
  stored[at] = { position: turn.nextPosition() + at, id, type, version, streamType, streamId, seq, data };
  const fields = event.fields.map((of) => fieldOf(of, emission.payload));
  emitted[at] = { type, streamType, streamId, seq, fields };
}

/** The head of a stream before the command; that of its own is known. */
function headOf({ turn, handler, streamId: own, head }: Deciding, streamType: string, streamId: string): Soon<number> {
  return streamId === own && streamType === handler.decision.aggregate ? head : turn.head(streamType, streamId);
}

function lastOf(events: readonly StoredEvent[], streamType: string, streamId: string): StoredEvent | undefined {
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at];
    if (event?.streamId === streamId && event.streamType === streamType) return event;
  }
  return undefined;
}

function fieldOf({ name, type, sensitive }: EventField, payload: object): NamedValue {
  return { name, type, sensitive, value: field(payload, name) };
}
