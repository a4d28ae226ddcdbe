import { ask, textOf } from './ask.ts';
import { ClientError } from './client-error.ts';
import { reshapeFields } from './column-types.ts';
import type { Connection } from './connection.ts';
import { readFields, readRejection, type OutcomeTypes } from './execute.ts';
import { parseExact, plainJson } from './json-rows.ts';
import type { CallOptions, Condition, Moment } from './options.ts';
import { retried } from './retried.ts';

export interface InspectOptions extends CallOptions {
  /** On the state as of this moment. */
  readonly asOf?: Moment | undefined;
  /** Definitions in place of the registered ones of their names. */
  readonly schema?: string | undefined;
  /** Records the result under this name. */
  readonly into?: string | undefined;
}

export interface EachOptions extends CallOptions {
  /** Only commands after this moment. */
  readonly since?: Moment | undefined;
  /** Columns of the recorded commands (`X$Commands`) and what must hold for them, all of it. */
  readonly where?: Readonly<Record<string, Condition | undefined>> | undefined;
  /** The most commands. Without it more than the server allows are an error. */
  readonly limit?: number | undefined;
  /** Definitions in place of the registered ones of their names. */
  readonly schema?: string | undefined;
}

export interface RehearseOptions<Decision extends string> extends CallOptions {
  /** Definitions in place of the registered ones of their names. */
  readonly schema: string;
  /** Only commands of this decision. */
  readonly decision?: Decision | undefined;
  /** Only commands after this moment. */
  readonly since?: Moment | undefined;
}

/**
 * An event that a command would emit, or why it would be rejected. `seq` counts the events of the inspection in each
 * stream.
 */
export type Inspected<Event, Rejection> = Event | RejectedCommand<Rejection>;

export interface RejectedCommand<Rejection> {
  readonly event_type: null;
  readonly stream_id: string;
  readonly seq: null;
  readonly rejection: Rejection;
}

/** A recorded command that the definitions cannot decide. */
export interface FailedCommand {
  readonly event_type: null;
  readonly stream_id: string;
  readonly seq: null;
  readonly failure: string;
}

/** Asks about commands of one decision. */
export interface Inspect<Command, Row> {
  (commands: readonly Command[], given?: InspectOptions): Promise<readonly Row[]>;
  /** Decides the recorded commands again, each on the state just before it. */
  readonly each: (given?: EachOptions) => Promise<readonly (Row | FailedCommand)[]>;
}

/** The outcomes of recorded commands under other definitions. */
export interface Rehearsal {
  readonly commands: number;
  /** Commands of which the log has not all arguments. */
  readonly not_decidable: number;
  readonly decisions: readonly RehearsedDecision[];
  readonly differences: readonly RehearsedDifference[];
  readonly projections: readonly RehearsedProjection[];
}

/** Commands by how their outcome compares with what happened. */
export interface RehearsedDecision {
  readonly decision: string;
  readonly same: number;
  readonly other_events: number;
  readonly now_rejected: number;
  readonly now_accepted: number;
  readonly failed: number;
}

/** A command whose outcome differs. */
export interface RehearsedDifference {
  /** The number of its entry in the log. */
  readonly entry: number;
  readonly decision: string;
  readonly command: string;
  readonly stream_id: string;
  readonly kind: 'other_events' | 'now_rejected' | 'now_accepted' | 'failed';
  readonly was: RehearsedOutcome;
  readonly is: RehearsedOutcome;
  /** The guards of a command that is rejected now. */
  readonly terms?: unknown;
}

export interface RehearsedOutcome {
  readonly outcome: 'emitted' | 'rejected' | 'failed';
  readonly events: readonly {
    readonly event_type: string;
    readonly stream_type: string;
    readonly stream_id: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  /** The rejection as JSON text, or the failure in words. */
  readonly reason?: string;
}

/** Rows of a projection that differ, with some examples, or why they were not compared. */
export type RehearsedProjection =
  | {
      readonly name: string;
      readonly added: number;
      readonly gone: number;
      readonly changed: number;
      readonly examples: {
        readonly added: readonly unknown[];
        readonly gone: readonly unknown[];
        readonly changed: readonly { readonly was: unknown; readonly is: unknown }[];
      };
    }
  | { readonly name: string; readonly problem: string };

interface InspectedRow {
  readonly event_type: string;
  readonly stream_id: string;
  readonly data: unknown;
  readonly rejection: string | null;
}

const readHead = reshapeFields({ event_type: 'STRING', stream_id: 'STRING', seq: 'BIGINT' }, plainJson);

/** Asks about commands of a decision, each by itself and without effect; answers in their order. */
export function inspect<Command, Row>(
  connection: Connection,
  decision: string,
  types: OutcomeTypes,
): Inspect<Command, Row> {
  const rowsOf = async (body: object, call: CallOptions): Promise<readonly (Row | FailedCommand)[]> => {
    const table = parseExact(await post(connection, { decision, ...body }, call));
    if (!Array.isArray(table)) throw new ClientError('damaged', 'the answer is no list of rows');
    // The generated module pairs these types with the columns.
    return table.map((row: InspectedRow) => readRow(row, types)) as (Row | FailedCommand)[];
  };
  const each = (given: EachOptions = {}): Promise<readonly (Row | FailedCommand)[]> => {
    const { since, where, limit, schema } = given;
    return rowsOf({ as_of: 'each', since: sentMoment(since), where, limit, schema }, given);
  };
  const all = async (commands: readonly Command[], given: InspectOptions = {}): Promise<readonly Row[]> => {
    const { asOf, schema, into } = given;
    // Commands that cannot be decided end the inspection.
    return rowsOf({ commands, as_of: sentMoment(asOf), schema, into }, given) as Promise<readonly Row[]>;
  };
  return Object.assign(all, { each });
}

/** Decides the recorded commands under other definitions, and compares their outcomes with what happened. */
export async function rehearse(connection: Connection, given: RehearseOptions<string>): Promise<Rehearsal> {
  const { schema, decision, since } = given;
  const text = await post(connection, { rehearse: true, schema, decision, since: sentMoment(since) }, given);
  // the form is in the server's document
  return plainJson(parseExact(text)) as Rehearsal;
}

function sentMoment(moment: Moment | undefined): string | undefined {
  return moment === undefined ? undefined : String(moment);
}

/** The answer's text. */
function post(connection: Connection, asked: object, call: CallOptions): Promise<string> {
  const question = {
    method: 'POST',
    path: '/api/inspect',
    accept: 'application/json',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  } as const;
  return retried(connection, call, async () => textOf((await ask(connection, question, call)).chunks));
}

function readRow(row: InspectedRow, types: OutcomeTypes): object {
  const { event_type, stream_id, seq } = readHead(row);
  if (row.rejection === null)
    return { event_type, stream_id, seq, fields: readFields(row.event_type, row.data, types) };
  if (event_type === '__FAILED__') return { event_type: null, stream_id, seq, failure: row.rejection };
  const rejection = readRejection(parseExact(row.rejection) as Readonly<Record<string, unknown>>, types);
  return { event_type: null, stream_id, seq, rejection };
}
