import { parseJson } from './arrow-rows.ts';
import { reshapeFields, type Columns } from './column-types.ts';
import type { Connection } from './connection.ts';
import { plainJson } from './json-rows.ts';
import type { EventOptions, Rows } from './options.ts';
import { pauseOrThrow } from './retried.ts';
import { countRows, gather, readTable, rowsOf, withParameters } from './table.ts';

/** An event as it is stored. */
export interface StoredEvent<Type extends string, Data> {
  readonly event_id: string;
  readonly stream_type: string;
  readonly stream_id: string;
  readonly seq: bigint;
  readonly event_type: Type;
  /** ISO 8601 in UTC, with microseconds. */
  readonly occurred_at: string;
  readonly data: Data;
  readonly global_position: bigint;
}
type AnyEvent = StoredEvent<string, unknown>;

export const eventColumns: Columns = {
  event_id: 'STRING',
  stream_type: 'STRING',
  stream_id: 'STRING',
  seq: 'BIGINT',
  event_type: 'STRING',
  occurred_at: 'TIMESTAMP',
  data: 'STRUCT',
  global_position: 'BIGINT',
};

/**
 * Events in the order of their global positions, page by page until a page is not full. A page that breaks off is
 * requested again from the last returned event, so that each event comes once.
 */
export function events<Event>(
  connection: Connection,
  path: string,
  payloads: Readonly<Record<string, Columns>>,
  given: EventOptions,
): Rows<Event> {
  const payload = payloadReader(connection, payloads);
  const { after: start, asOf: as_of, where, tags } = given;
  async function* batches(): AsyncGenerator<readonly Event[]> {
    let { after, offset, limit: left } = given;
    const pageSize = given.pageSize ?? 5000;
    for (let failures = 0; left !== 0;) {
      const size = Math.min(pageSize, left ?? pageSize);
      let seen = 0;
      try {
        const page = withParameters(path, { limit: size, offset, after, as_of }, { where, tags });
        for await (const batch of readTable(connection, page, eventColumns, given)) {
          const read = batch as unknown as readonly AnyEvent[]; // by `eventColumns`
          seen += read.length;
          after = read.at(-1)?.global_position ?? after;
          if (seen > 0) offset = undefined;
          if (left !== undefined) left -= read.length;
          failures = 0;
          yield read.map((row) => ({ ...row, data: payload(row) }) as Event);
        }
      } catch (error) {
        await pauseOrThrow(connection, given, ++failures, error);
        continue;
      }
      if (seen < size) return;
    }
  }
  const counted = withParameters(path, { limit: 0, after: start, as_of }, { where, tags });
  return rowsOf(
    () => gather(batches()),
    batches,
    () => countRows(connection, counted, given),
  );
}

/** Reads the payloads of events by their types, from values of this format. */
export function payloadReader(
  connection: Pick<Connection, 'format'>,
  payloads: Readonly<Record<string, Columns>>,
): (row: AnyEvent) => unknown {
  const readJson = connection.format === 'arrow' ? parseJson : plainJson;
  const readers = new Map(Object.entries(payloads).map(([type, fields]) => [type, reshapeFields(fields, readJson)]));
  return ({ event_type: type, data }) => {
    const read = readers.get(type);
    return read === undefined ? givenFields(data) : read(data);
  };
}

/** An event that is unknown to the client has the fields as sent, without those of other events. */
function givenFields(data: unknown): object {
  const entries = Object.entries(plainJson(data) as object);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}
