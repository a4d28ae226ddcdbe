import { ask, textOf } from './ask.ts';
import { ClientError } from './client-error.ts';
import { reshape, reshapeFields, type Columns } from './column-types.ts';
import type { Connection } from './connection.ts';
import { parseExact, plainJson } from './json-rows.ts';
import type { CommandOptions } from './options.ts';
import { retried } from './retried.ts';

/** The outcome of a command. A rejection by its guards is an outcome, not an error. */
export type CommandResult<Event, Rejection> =
  | {
      readonly outcome: 'emitted';
      /** Whether this is the outcome of an earlier call with the same key. */
      readonly replayed: boolean;
      readonly events: readonly Event[];
    }
  | { readonly outcome: 'rejected'; readonly replayed: boolean; readonly rejection: Rejection };

export interface EmittedEvent<Type extends string, Fields> {
  readonly event_type: Type;
  readonly stream_id: string;
  readonly seq: bigint;
  readonly fields: Fields;
}

/** Why no branch of the decision emitted: the state that it read, and the arguments of the command. */
export interface Rejection<Decision extends string, State, Command> {
  readonly decision: Decision;
  readonly guards: readonly FailedGuard[];
  /** Absent for a caller who may not read what STATE reads. */
  readonly state?: State;
  readonly command: Command;
}

/** A branch of a decision whose guard was not TRUE. */
export interface FailedGuard {
  readonly branch: string | null;
  readonly guard: string | null;
  /** Its parts, if `explain` asks for them. */
  readonly terms?: readonly GuardTerm[];
}

/** A part of a guard, with what it was for the command. */
export interface GuardTerm {
  readonly term: string;
  /** Absent if the part failed or is masked. */
  readonly value?: boolean | null;
  readonly failed?: string;
  /** Set when it reads a SENSITIVE value, or state that the caller may not read. */
  readonly masked?: true;
  /** The values that it read, in the forms of `state` and `command`; arguments begin with `:`. */
  readonly operands?: Readonly<Record<string, unknown>>;
  readonly terms?: readonly GuardTerm[];
}

/** The types by which the values of an outcome are read. */
export interface OutcomeTypes {
  /** Payloads by event type. */
  readonly events: Readonly<Record<string, Columns>>;
  readonly state: Columns;
  readonly command: Columns;
}

/**
 * Sends a command until its outcome is known or attempts run out; all carry the same key, so that it has one effect.
 */
export async function execute<Event, Rejection>(
  connection: Connection,
  path: string,
  types: OutcomeTypes,
  command: object,
  given: CommandOptions,
): Promise<CommandResult<Event, Rejection>> {
  const key = given.idempotencyKey ?? randomKey(connection);
  const body = JSON.stringify(command, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  const question = {
    method: 'POST',
    path: given.explain === true ? `${path}?explain=true` : path,
    accept: 'application/json',
    headers: commandHeaders(given, key),
    body,
  } as const;
  try {
    return await retried(connection, given, async () => {
      const answer = await ask(connection, question, given);
      const replayed = answer.headers.get('idempotent-replayed') === 'true';
      const outcome = readOutcome(parseExact(await textOf(answer.chunks)), types);
      // The generated module pairs these types with the columns.
      return { ...outcome, replayed } as CommandResult<Event, Rejection>;
    });
  } catch (error) {
    if (error instanceof ClientError) error.idempotencyKey = key;
    throw error;
  }
}

function commandHeaders(given: CommandOptions, key: string): Readonly<Record<string, string>> {
  const { expectedSeq, correlationId, causationId } = given;
  return {
    'content-type': 'application/json',
    'idempotency-key': key,
    ...(expectedSeq === undefined ? {} : { 'if-match': `"${expectedSeq}"` }),
    ...(correlationId === undefined ? {} : { 'x-correlation-id': correlationId }),
    ...(causationId === undefined ? {} : { 'x-causation-id': causationId }),
  };
}

/** A UUID of version 4; the platform's own function is missing in pages loaded without TLS. */
function randomKey(connection: Connection): string {
  const bytes = connection.randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

interface OutcomeRow {
  readonly event_type: string | null;
  readonly status: string;
  readonly fields: string;
}

function readOutcome(table: unknown, types: OutcomeTypes): object {
  if (!Array.isArray(table)) throw new ClientError('damaged', 'the answer is no list of rows');
  const events: object[] = [];
  for (const row of table as readonly OutcomeRow[]) {
    const fields = parseExact(row.fields) as Readonly<Record<string, unknown>>;
    if (row.status === 'rejected') return { outcome: 'rejected', rejection: readRejection(fields, types) };
    const { event_type: type, stream_id: stream, seq } = readHead(row);
    events.push({ event_type: type, stream_id: stream, seq, fields: readFields(String(type), fields, types) });
  }
  return { outcome: 'emitted', events };
}

const readHead = reshapeFields({ event_type: 'STRING', stream_id: 'STRING', seq: 'BIGINT' }, plainJson);

/** The payload of an event; as JSON if its type is unknown. */
export function readFields(type: string, fields: unknown, { events }: OutcomeTypes): unknown {
  const payload = Object.hasOwn(events, type) ? events[type] : undefined;
  return payload === undefined ? plainJson(fields) : reshapeFields(payload, plainJson)(fields);
}

export function readRejection(fields: Readonly<Record<string, unknown>>, types: OutcomeTypes): object {
  return {
    decision: fields['decision'],
    guards: (fields['guards'] as readonly FailedGuard[]).map((guard) => withTerms(guard, types)),
    ...(fields['state'] === undefined ? {} : { state: reshapeFields(types.state, plainJson)(fields['state']) }),
    command: reshapeFields(types.command, plainJson)(fields['command']),
  };
}

function withTerms<T extends { readonly terms?: readonly GuardTerm[] }>(holder: T, types: OutcomeTypes): T {
  if (holder.terms === undefined) return holder;
  const terms = holder.terms.map((term) => withTerms(withOperands(term, types), types));
  return { ...holder, terms };
}

function withOperands(term: GuardTerm, { state, command }: OutcomeTypes): GuardTerm {
  if (term.operands === undefined) return term;
  const read = ([name, value]: readonly [string, unknown]): readonly [string, unknown] => {
    const type = name.startsWith(':') ? command[name.slice(1)] : state[name];
    return [name, type === undefined ? plainJson(value) : reshape(type, plainJson)(value)];
  };
  return { ...term, operands: Object.fromEntries(Object.entries(term.operands).map(read)) };
}
