import type { Emission } from '../../language/contract/decision.ts';
import type { EventField } from '../../language/contract/event.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { recovering, type Soon } from '../../language/failure/soon.ts';
import { typeName } from '../../language/values/type.ts';
import { createDraws, newSeed } from '../../language/values/draws.ts';
import { isLongerThan, length } from '../../language/values/text.ts';
import type { CommandCells } from '../store/cells.ts';
import type { CommandEntry, StoredEvent } from '../store/entry.ts';
import type { StorePosition, Turn } from '../store/store.ts';
import { requireChecks } from './command-checks.ts';
import { isIdOf } from './command-rules.ts';
import { fingerprint, isSameCommand, type SentCommand } from './fingerprint.ts';
import type { Handler, Handlers } from './handlers.ts';
import type { HotFolds } from './hot-folds.ts';
import type { EngineLimits } from './limits.ts';
import type { EmittedEvent, ExecuteRequest, NamedValue, Outcome } from './outcome.ts';
import { failureText, recordedCells, type WritableCells } from './recording.ts';
import type { RecordingBound } from './recording-bound.ts';
import { rejectionOf, rejectionText } from './rejection.ts';
import { replayed } from './replay.ts';
import { evaluate, field } from './state.ts';

/** Inputs of a decision besides the turn: time, chance, the store's secret, and how much a command may emit. */
export interface DecideEnvironment {
  readonly secret: Uint8Array;
  readonly limits: EngineLimits;
  /** The one time of the command: never before the last entry's. */
  readonly instant: (last: StorePosition['at']) => bigint;
  readonly random: () => number;
  readonly uuid: () => string;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly recordingBound: RecordingBound;
  /** Event ids that increase with time. */
  readonly eventId: (instant: bigint) => string;
}

/** The handler table in force and the folds as of the turn's position. */
export interface DecidingState {
  readonly handlers: Handlers;
  readonly folds: HotFolds;
}

/** Decides one command inside a turn and appends its outcome. When it throws a `Failure` it has appended nothing. */
export async function decideOne(
  turn: Turn,
  { handlers, folds }: DecidingState,
  request: ExecuteRequest,
  environment: DecideEnvironment,
  last: bigint,
): Promise<Outcome> {
  const handler = handlers.of(request.command);
  const aggregate = handler.decision.aggregate;
  if (request.aggregate !== undefined && request.aggregate !== aggregate)
    throw fail('R0108', { command: request.command, aggregate: request.aggregate, owner: aggregate });
  const command = handler.command.decode(request.arguments);
  const streamId = handler.command.streamId(command);
  const sent: SentCommand = { definition: handler.command, decoded: command, sent: request.arguments };

  if (request.commandId !== undefined) {
    const earlier = await turn.recorded(aggregate, streamId, request.commandId);
    if (earlier !== undefined) {
      if (!isSameCommand(environment.secret, earlier.fingerprint, sent))
        throw fail('R0104', { command: request.command, commandId: request.commandId });
      return replayed(earlier, handlers, await turn.head(aggregate, streamId));
    }
  }
  const headThen = turn.head(aggregate, streamId);
  const head = headThen instanceof Promise ? await headThen : headThen;
  if (request.expectedElsewhere === true) throw fail('R0112', { stream: streamId, actual: head });
  if (request.expectedSeq !== undefined && request.expectedSeq !== head)
    throw fail('R0105', { stream: streamId, expected: request.expectedSeq, actual: head });

  const now = environment.instant(last);
  const { recording } = handlers.rules;
  const records = recording.commands !== 'keyed';
  let seed: string | undefined;
  const drawing = (): string => (seed ??= newSeed(environment.randomBytes));
  const { random, uuid } = records ? createDraws(drawing) : environment;
  const context = { now, random, uuid, ...(records && { seed: drawing }) };
  requireChecks(handler.command, command, context);
  const cells = (branches: readonly number[]): WritableCells => {
    const made = recordedCells(recording, request, sent, seed, branches);
    const unrecorded = environment.recordingBound.counted(request, aggregate);
    if (unrecorded > 0) made.unrecorded = unrecorded;
    return made;
  };
  const isWithinBound = (): boolean =>
    environment.recordingBound.mayKeep(request, aggregate, now, recording.rejectedInSecond);
  /** A command that its own schema fails on this data was decided too. */
  const recorded = <T>(work: () => Soon<T>): Soon<T> =>
    recovering(work, (failure): never => {
      // The failure of a reaction's command is in its mark.
      if (
        request.origin === undefined &&
        recording.commands === 'all' &&
        failure instanceof Failure &&
        failure.kind === 'schema' &&
        isWithinBound()
      )
        turn.append(
          {
            ...entryOf(unkeyed(request), aggregate, streamId, [], undefined),
            cells: { ...cells([]), failure: failureText(failure) },
          },
          now,
        );
      throw failure;
    });
  const tried = recording.commands === 'all' ? recorded : <T>(work: () => Soon<T>): Soon<T> => work();
  const evaluated = tried(() => evaluate({ turn, folds }, handler, command, context));
  const { row, decided } = evaluated instanceof Promise ? await evaluated : evaluated;
  const emissions = decided.flatMap((events) => events ?? []);
  // No caller can send the id of a reaction's command again.
  const isKeyed = request.commandId !== undefined && request.origin === undefined;
  const print = isKeyed ? fingerprint(environment.secret, sent) : undefined;

  const branches = decided.flatMap((events, index) => (events === null ? [] : [index + 1]));
  const made = { decision: handler.decision.name, branches };
  const withCells = (entry: Writable<CommandEntry>): CommandEntry => {
    if (request.origin !== undefined) entry.cells = { ...(records ? cells(branches) : {}), ...originCells(request) };
    else if (records) entry.cells = cells(branches);
    return entry;
  };
  if (emissions.length === 0) {
    const rejection = rejectionOf(handler, command, row, now);
    // With an id it is kept in any case, because it may be sent again.
    if (request.commandId !== undefined || (recording.commands === 'all' && isWithinBound())) {
      const entry = entryOf(request, aggregate, streamId, [], print);
      turn.append(withCells({ ...entry, rejection: rejectionText(rejection) }), now);
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
  const { stored, emitted } = await tried(() => number(turn, handlers, handler, streamId, emissions, environment, now));
  try {
    // Before the append, since this can fail and an appended event cannot be removed.
    folds.evolve(stored, now);
    turn.append(withCells(entryOf(request, aggregate, streamId, stored, print)), now);
  } catch (error) {
    folds.clear();
    throw error;
  }
  return {
    outcome: 'emitted',
    replayed: false,
    streamType: aggregate,
    streamId,
    head: lastOf(stored, aggregate, streamId)?.seq ?? head,
    events: emitted,
    entry: turn.lastEntry(),
    decided: made,
  };
}

/** The mark of the reaction that sends the command, and its name as the caller's. */
function originCells({ origin, subject }: ExecuteRequest): CommandCells {
  return origin === undefined ? {} : { ...origin, ...(subject === undefined ? {} : { subject }) };
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

/** Gives each emission its stream, seq, position and id. */
async function number(
  turn: Turn,
  handlers: Handlers,
  handler: Handler,
  own: string,
  emissions: readonly Emission[],
  environment: DecideEnvironment,
  now: bigint,
): Promise<{ stored: StoredEvent[]; emitted: EmittedEvent[] }> {
  const decision = handler.decision.name;
  const { eventsPerCommand, eventBytes, streamIdCharacters } = environment.limits;
  if (emissions.length > eventsPerCommand)
    throw fail('R0206', {
      decision,
      problem: `it emits ${emissions.length} events, at most ${eventsPerCommand} are allowed`,
    });
  const stored: StoredEvent[] = [];
  const emitted: EmittedEvent[] = [];
  let position = turn.nextPosition();
  for (const emission of emissions) {
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
    const head = lastOf(stored, emission.aggregate, streamId)?.seq ?? turn.head(emission.aggregate, streamId);
    const seq = (typeof head === 'number' ? head : await head) + 1;
    const data = event.encode(emission.payload);
    if (Buffer.byteLength(data) > eventBytes)
      throw fail('R0206', { decision, problem: `${event.name} is larger than ${eventBytes} bytes` });
    const { name: type, version } = event;
    const streamType = emission.aggregate;
    const id = environment.eventId(now);
    stored.push({ position: position++, id, type, version, streamType, streamId, seq, data });
    emitted.push({ type, streamType, streamId, seq, fields: event.fields.map((of) => fieldOf(of, emission.payload)) });
  }
  return { stored, emitted };
}

function lastOf(events: readonly StoredEvent[], streamType: string, streamId: string): StoredEvent | undefined {
  return events.findLast((event) => event.streamId === streamId && event.streamType === streamType);
}

function fieldOf({ name, type, sensitive }: EventField, payload: object): NamedValue {
  return { name, type, sensitive, value: field(payload, name) };
}
