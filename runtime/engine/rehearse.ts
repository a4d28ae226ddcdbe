/**
 * History's commands under other definitions (docs/production.md#what-would-have-been-decided): each recorded command is decided again, and its outcome is
 * compared with what happened. Takes the log in order and gives one comparison for each command, so that the memory does not grow with the
 * history; an outcome that differs has no consequences for later commands, because states follow the recorded events.
 */
import type { DecisionDefinition } from '../../language/contract/decision.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { EventField } from '../../language/contract/event.ts';
import { Failure } from '../../language/failure/failure.ts';
import { writeJson } from '../../language/values/json-write.ts';
import type { Value } from '../../language/values/type.ts';
import type { CommandEntry, LogEntry, StoredEvent } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import type { Explain } from './explain.ts';
import type { Handlers } from './handlers.ts';
import { masked } from './mask.ts';
import type { EmittedEvent } from './outcome.ts';
import { NotRecorded } from './recorded-arguments.ts';
import { rejectionText } from './rejection.ts';
import { decideRecorded, type DecidedAgain, type DecideRecordedOptions } from './replay.ts';

export type RehearsalKind =
  | 'same'
  | 'other_events'
  | 'now_rejected'
  | 'now_accepted'
  | 'failed'
  /** An argument that the decision needs was not recorded. */
  | 'not_decidable';

/** A recorded command, decided again. */
export interface RehearsedCommand {
  readonly entry: number;
  readonly command: string;
  readonly decision: string;
  readonly streamId: string;
  readonly kind: RehearsalKind;
  /** The recorded outcome, and the outcome under the change. */
  readonly was: () => ShownOutcome;
  readonly is: () => ShownOutcome;
}

/** An outcome as it may be shown: sensitive values are masked, VOLATILE ones and ids of events are left out. */
export interface ShownOutcome {
  readonly outcome: 'emitted' | 'rejected' | 'failed';
  readonly events: readonly ShownEvent[];
  /** JSON text of the rejection, or the failure in words. */
  readonly reason?: string;
}
export interface ShownEvent {
  readonly event_type: string;
  readonly stream_type: string;
  readonly stream_id: string;
  /** JSON texts, by the names of the fields. */
  readonly data: ReadonlyMap<string, string>;
}

/** An event whose values are compared, also those that are masked when it is shown; most events are never shown. */
interface ComparedEvent {
  readonly type: string;
  readonly stream: Pick<StoredEvent, 'streamType' | 'streamId'>;
  /** Fields of the definition to come. */
  readonly fields: readonly EventField[];
  readonly value: (field: EventField, place: number) => Value;
}

export interface RehearsalOptions extends Pick<DecideRecordedOptions<never>, 'rules' | 'giveWay'> {
  /** The decisions in force, by which the commands were decided. */
  readonly before: Domain;
  readonly after: Domain;
  /** A decision of either domain; all if absent. */
  readonly decision?: string;
  /** Only commands after this entry. */
  readonly since?: number;
  /** Adds terms to the rejections that are shown, by decision. */
  readonly explain?: (decision: string) => Explain | undefined;
}

export function rehearse(
  store: Store,
  { before, after, decision, since = 0, explain, rules, giveWay }: RehearsalOptions,
): AsyncGenerator<RehearsedCommand, void, undefined> {
  const names = decisionNames(before, after);
  const isAsked = (entry: CommandEntry & LogEntry): boolean => {
    const name = names.get(entry.command);
    return entry.number > since && name !== undefined && (decision === undefined || name === decision);
  };
  const each = (again: DecidedAgain, handlers: Handlers): RehearsedCommand => {
    const { entry } = again;
    const was = happened(handlers, entry);
    const is = decided(handlers, again);
    return {
      entry: entry.number,
      command: entry.command,
      decision: names.get(entry.command) ?? '',
      streamId: entry.streamId,
      kind: again.outcome instanceof NotRecorded ? 'not_decidable' : kindOf(was, is),
      was: () => shownOutcome(was),
      is: () => explainedOutcome(shownOutcome(is), again, explain),
    };
  };
  return decideRecorded(store, after, { isAsked, each, rules, giveWay });
}

/** Only outcomes that differ are shown, so only their guards are explained. */
function explainedOutcome(
  shown: ShownOutcome,
  { outcome }: DecidedAgain,
  explain: RehearsalOptions['explain'],
): ShownOutcome {
  const rejected = outcome instanceof Failure ? undefined : outcome.rejection;
  const explained = rejected && explain?.(rejected.decision)?.(rejected);
  return explained === undefined ? shown : { ...shown, reason: rejectionText(explained) };
}

/** The decision of each command: the one in force, or the one that will be. */
function decisionNames(before: Domain, after: Domain): ReadonlyMap<string, string> {
  const both: readonly DecisionDefinition<object, object>[] = [...before.decisions, ...after.decisions];
  return new Map(both.map(({ command, name }) => [command, name]));
}

interface ComparedOutcome extends Omit<ShownOutcome, 'events'> {
  readonly events: readonly ComparedEvent[];
}

function kindOf(was: ComparedOutcome, is: ComparedOutcome): RehearsalKind {
  if (was.outcome !== is.outcome)
    return is.outcome === 'emitted' ? 'now_accepted' : is.outcome === 'rejected' ? 'now_rejected' : 'failed';
  const isSame =
    was.events.length === is.events.length && was.events.every((one, at) => isSameEvent(one, is.events[at]));
  return isSame ? 'same' : 'other_events';
}

function isSameEvent(a: ComparedEvent, b: ComparedEvent | undefined): boolean {
  if (b === undefined || a.type !== b.type || a.fields.length !== b.fields.length) return false;
  if (a.stream.streamType !== b.stream.streamType || a.stream.streamId !== b.stream.streamId) return false;
  return a.fields.every((one, place) => {
    const other = b.fields[place];
    if (other === undefined || one.volatile) return other !== undefined;
    const [left, right] = [a.value(one, place), b.value(other, place)];
    // Lists and structs are equal by their texts.
    return (
      left === right ||
      (isNested(left) && isNested(right) && writeJson(left, one.type) === writeJson(right, other.type))
    );
  });
}

function isNested(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}

function shownOutcome({ events, ...rest }: ComparedOutcome): ShownOutcome {
  return { ...rest, events: events.map(shownEvent) };
}

function happened(handlers: Handlers, entry: CommandEntry & LogEntry): ComparedOutcome {
  const failure = entry.cells?.failure;
  if (failure !== undefined) return { outcome: 'failed', events: [], reason: failure };
  if (entry.rejection !== undefined) return { outcome: 'rejected', events: [], reason: entry.rejection };
  return { outcome: 'emitted', events: entry.events.map((event) => recordedEvent(handlers, event, entry.at)) };
}

/** Fields of the definition to come; an event that it does not have, or cannot read, differs from every other. */
function recordedEvent(handlers: Handlers, event: StoredEvent, at: string): ComparedEvent {
  const reader = handlers.reader(event.type);
  const known = handlers.event(reader.event);
  try {
    if (known === undefined) throw new TypeError(event.type);
    const values = reader.values(event, at);
    return { type: reader.event, stream: event, fields: reader.fields, value: (_, place) => values[place] ?? null };
  } catch (error) {
    // A TypeError is a record that the definition cannot have written.
    if (!(error instanceof Failure) && !(error instanceof TypeError)) throw error;
    return { type: event.type, stream: event, fields: [], value: () => null };
  }
}

function decided(handlers: Handlers, { outcome }: DecidedAgain): ComparedOutcome {
  if (outcome instanceof Failure)
    return { outcome: 'failed', events: [], reason: `${outcome.code} ${outcome.message}` };
  if (outcome.rejection !== undefined)
    return { outcome: 'rejected', events: [], reason: rejectionText(outcome.rejection) };
  return { outcome: 'emitted', events: outcome.events.map((event) => emittedEvent(handlers, event)) };
}

function emittedEvent(handlers: Handlers, event: EmittedEvent): ComparedEvent {
  const { type, fields: values } = event;
  const fields = handlers.event(type)?.fields ?? [];
  return { type, stream: event, fields, value: (_, place) => values[place]?.value ?? null };
}

function shownEvent({ type, stream: { streamType, streamId }, fields, value }: ComparedEvent): ShownEvent {
  const data = fields.flatMap((one, place): [string, string][] => {
    if (one.volatile) return [];
    const found = value(one, place);
    return [[one.name, writeJson(one.sensitive ? masked({ ...one, value: found }) : found, one.type)]];
  });
  return { event_type: type, stream_type: streamType, stream_id: streamId, data: new Map(data) };
}
