import { ask, textOf } from './ask.ts';
import { ClientError } from './client-error.ts';
import { reshapeFields } from './column-types.ts';
import type { Connection } from './connection.ts';
import { readFields, readRejection, type OutcomeTypes } from './execute.ts';
import { parseExact, plainJson } from './json-rows.ts';
import type { CallOptions } from './options.ts';
import { retried } from './retried.ts';

export interface InspectOptions extends CallOptions {
  /** On the state as of this position of the store, or this ISO 8601 time. */
  readonly asOf?: number | bigint | string | undefined;
  /** Definitions in place of the registered ones of their names. */
  readonly schema?: string | undefined;
  /** Records the result under this name. */
  readonly into?: string | undefined;
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

interface InspectedRow {
  readonly event_type: string;
  readonly stream_id: string;
  readonly data: unknown;
  readonly rejection: string | null;
}

/** Asks about commands of one decision. */
export type Inspect<Command, Row> = (commands: readonly Command[], given?: InspectOptions) => Promise<readonly Row[]>;

const readHead = reshapeFields({ event_type: 'STRING', stream_id: 'STRING', seq: 'BIGINT' }, plainJson);

/** What the commands would do, each by itself and without effect; in their order. */
export async function inspect<Row>(
  connection: Connection,
  decision: string,
  types: OutcomeTypes,
  commands: readonly object[],
  given: InspectOptions,
): Promise<readonly Row[]> {
  const { asOf, schema, into } = given;
  const asked = { decision, commands, as_of: asOf === undefined ? undefined : String(asOf), schema, into };
  const question = {
    method: 'POST',
    path: '/api/inspect',
    accept: 'application/json',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  } as const;
  return retried(connection, given, async () => {
    const answer = await ask(connection, question, given);
    const table = parseExact(await textOf(answer.chunks));
    if (!Array.isArray(table)) throw new ClientError('damaged', 'the answer is no list of rows');
    // The generated module pairs these types with the columns.
    return table.map((row: InspectedRow) => readRow(row, types)) as Row[];
  });
}

function readRow(row: InspectedRow, types: OutcomeTypes): object {
  const { event_type, stream_id, seq } = readHead(row);
  if (row.rejection === null)
    return { event_type, stream_id, seq, fields: readFields(row.event_type, row.data, types) };
  const rejection = readRejection(parseExact(row.rejection) as Readonly<Record<string, unknown>>, types);
  return { event_type: null, stream_id, seq, rejection };
}
