import type { EventField } from '../../language/contract/event.ts';
import { fail } from '../../language/failure/failure.ts';
import { andThen, type Soon } from '../../language/failure/soon.ts';
import { decimalDigits, printDecimal } from '../../language/values/decimal.ts';
import { printDouble } from '../../language/values/double.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import { writeJsonValue } from '../../language/values/json-write.ts';
import { textMask } from '../../language/values/mask.ts';
import type { StoredEvent } from '../store/entry.ts';
import type { EventReader, Moment } from '../store/event-reader.ts';
import type { RecordedCommand } from '../store/store.ts';
import type { Arrived } from './decide.ts';
import { isSameCommand } from './fingerprint.ts';
import type { Handlers } from './handlers.ts';
import type { EmittedEvent, NamedValue, Outcome, Rejection } from './outcome.ts';

/**
 * The outcome of a command whose id was sent before to its stream, or undefined if the command is to be decided. Fails with R0104 if the id is
 * the one of another command, or of another caller where the outcome has an owner.
 */
export function repeated(arrived: Arrived, commandId: string): Soon<Outcome | undefined> {
  const { turn, handler, streamId } = arrived;
  const { aggregate } = handler.decision;
  return andThen(turn.recorded(aggregate, streamId, commandId), (earlier) => {
    if (earlier === undefined) return undefined;
    const { state, request, environment } = arrived;
    if (!isSameCommand(environment.secret, earlier.fingerprint, arrived, request.caller))
      throw fail('R0104', { command: request.command, commandId });
    return andThen(turn.head(aggregate, streamId), (head) => replayed(earlier, state.handlers, head));
  });
}

/**
 * The recorded first outcome of a command with an id (docs/language.md#commands-at-run-time); VOLATILE fields are NULL
 * in it.
 */
function replayed(entry: RecordedCommand, handlers: Handlers, head: number): Outcome {
  return {
    outcome: entry.rejection === undefined ? 'emitted' : 'rejected',
    replayed: true,
    streamType: entry.streamType,
    streamId: entry.streamId,
    head,
    events: entry.events.map((event) => storedEvent(event, entry.at, handlers.reader(event.type))),
    entry: entry.number,
    ...(entry.rejection === undefined ? {} : { rejection: storedRejection(entry.rejection) }),
  };
}

/** A stored event with the fields of its present definition. */
export function storedEvent(event: StoredEvent, at: Moment, reader: EventReader<EventField>): EmittedEvent {
  const values = reader.readable(event, at);
  return {
    type: reader.event,
    streamType: event.streamType,
    streamId: event.streamId,
    seq: event.seq,
    fields: reader.fields.map(({ name, type, sensitive }, place) => ({
      name,
      type,
      sensitive,
      value: values[place] ?? null,
    })),
  };
}

/** Recorded values are masked and in their JSON form; they are read as values that have this JSON form. */
export function storedRejection(text: string): Rejection {
  const recorded = trustedJson(text) as JsonObject;
  const { decision, guards } = JSON.parse(text) as Pick<Rejection, 'decision' | 'guards'>;
  const named = (part: string): NamedValue[] =>
    Array.from(recorded.get(part) as JsonObject, ([name, value]) => ({ name, ...recordedValue(value) }));
  return { decision, guards, state: named('state'), command: named('command') };
}

function recordedValue(value: JsonValue): Omit<NamedValue, 'name'> {
  if (value === null || typeof value === 'boolean') return { type: { kind: 'BOOLEAN' }, sensitive: false, value };
  if (typeof value === 'string') return { type: { kind: 'STRING' }, sensitive: value === textMask, value };
  if (value instanceof ExactNumber) return { ...recordedNumber(value.text), sensitive: false };
  return { type: { kind: 'JSON' }, sensitive: false, value: writeJsonValue(value) };
}

/** The number with exactly this JSON form; a JSON value when neither a DECIMAL nor a DOUBLE is written so. */
function recordedNumber(text: string): Pick<NamedValue, 'type' | 'value'> {
  const [, whole = '', fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole !== '' && whole.length + fraction.length <= decimalDigits) {
    const unscaled = BigInt(whole + fraction);
    const { length: scale } = fraction;
    if (printDecimal(unscaled, scale) === text)
      return { type: { kind: 'DECIMAL', precision: decimalDigits, scale }, value: unscaled };
  }
  const double = Number(text);
  return printDouble(double) === text
    ? { type: { kind: 'DOUBLE' }, value: double }
    : { type: { kind: 'JSON' }, value: text };
}
