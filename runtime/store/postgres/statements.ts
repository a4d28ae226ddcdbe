/** The statements of a log in one namespace. The namespace is a checked name (`namespace.ts`), so that it can be part of a text. */
import { lockMilliseconds } from '../journal.ts';
import { lineOfVersion } from './product.ts';
import type { BatchRows } from './rows.ts';

export interface Statements {
  /** Begins a transaction with its limits, whatever role and database have as defaults. */
  readonly begin: string;
  readonly append: string;
  readonly end: string;
  readonly lock: string;
  readonly find: string;
  readonly page: string;
  readonly fence: string;
  readonly touch: string;
}

export interface StatementOptions {
  readonly namespace: string;
  /** Each batch is announced on this channel, when given. */
  readonly channel?: string;
  /** The server's default would acknowledge before the disk has the batch. */
  readonly waitForDisk: boolean;
  readonly milliseconds: number;
  /** The form of the tables. */
  readonly format: number;
}

/**
 * The transaction names its isolation itself. With a stricter one the second of two appends that meet would fail instead of finding itself
 * behind, and a transaction that has waited for the lock would still read the state from before.
 */
export function createStatements({
  namespace,
  channel,
  waitForDisk,
  milliseconds,
  format,
}: StatementOptions): Statements {
  const head = `"${namespace}".head`;
  const entry = `"${namespace}".entry`;
  const event = `"${namespace}".event`;
  const settings = [
    `lock_timeout = ${milliseconds}`,
    `statement_timeout = ${milliseconds}`,
    `idle_in_transaction_session_timeout = ${lockMilliseconds}`,
    ...(waitForDisk ? ['synchronous_commit = on'] : []),
  ];
  const at = (micros: string): string => `'epoch'::timestamptz + ${micros} * interval '1 microsecond'`;
  return {
    begin: `BEGIN ISOLATION LEVEL READ COMMITTED; ${settings.map((setting) => `SET LOCAL ${setting}`).join('; ')}`,
    append: `
WITH moved AS (
  UPDATE ${head} SET entry = entry + $3::bigint, batch = $4, event = greatest(event, $5::bigint),
    last_event_id = coalesce($6, last_event_id), at = greatest(at, $7::bigint),
    schema_entries = schema_entries + $8::bigint, line_format = greatest(line_format, $9::integer),
    product = CASE WHEN product_line < $28::integer OR product IS NULL THEN $27 ELSE product END, product_line = greatest(product_line, $28::integer)
  WHERE entry = $1::bigint AND batch = $2 AND product_line <= coalesce($28::integer, product_line)
  RETURNING entry
), entries AS (
  INSERT INTO ${entry} (entry, recorded_at, kind, batch, line, first_event, events, size, checksum, product)
  SELECT $1::bigint + n, ${at('u.at')}, u.kind, CASE WHEN n = $3::bigint THEN $4 END, u.line, u.first_event, u.events, u.size, u.checksum, $27::text
  FROM unnest($10::bigint[], $11::text[], $12::text[], $13::bigint[], $14::integer[], $15::integer[], $16::bigint[])
    WITH ORDINALITY u (at, kind, line, first_event, events, size, checksum, n), moved
), events AS (
  INSERT INTO ${event} (global_position, entry, event_id, stream_type, stream_id, seq, event_type, event_version, occurred_at, data)
  SELECT u.position, u.entry, u.id, u.stream_type, u.stream_id, u.seq, u.type, u.version, ${at('u.at')}, u.data::json
  FROM unnest($17::bigint[], $18::bigint[], $19::text[], $20::text[], $21::text[], $22::bigint[], $23::text[], $24::integer[], $25::bigint[], $26::text[])
    u (position, entry, id, stream_type, stream_id, seq, type, version, at, data), moved
)
SELECT ${channel === undefined ? 'entry' : `entry, pg_notify('${channel}', entry::text)`} FROM moved`,
    end: `
SELECT h.entry, h.batch, (SELECT e.batch FROM ${entry} e WHERE e.entry = h.entry),
  (SELECT e.batch FROM ${entry} e WHERE e.entry = $1::bigint), (extract(epoch FROM clock_timestamp()) * 1000)::bigint, h.store_id,
  pg_is_in_recovery(), ${format < 2 ? "NULL, '0', '0'" : 'h.product, h.product_line, h.announced'}
FROM ${head} h`,
    lock: `SELECT entry, batch FROM ${head} FOR UPDATE`,
    find: `SELECT entry FROM ${entry} WHERE batch = $1`,
    // A single statement, so that one state gives all rows. The head of an entry comes before its payloads, at position 0.
    page: `
WITH page AS (
  SELECT * FROM (
    SELECT *, sum(size) OVER (ORDER BY entry) - size AS before FROM ${entry} WHERE entry BETWEEN $1::bigint AND $2::bigint
  ) sized WHERE before < $3::bigint
)
SELECT entry, 0 AS position, line, events, checksum, batch FROM page
UNION ALL
SELECT entry, global_position, data::text, NULL, NULL, NULL FROM ${event}
WHERE global_position BETWEEN (SELECT min(first_event) FROM page WHERE events > 0) AND (SELECT max(first_event + events - 1) FROM page)
ORDER BY 1, 2`,
    fence: `UPDATE ${head} SET batch = $1`,
    touch: `UPDATE ${head} SET batch = batch`,
  };
}

/** The parameters of `append`. */
export function appendParameters(
  batch: { readonly after: { readonly entry: number; readonly batch: string }; readonly id: string },
  { entries, events, schemaEntries }: BatchRows,
  lineFormat: number,
  product: string | undefined,
): readonly unknown[] {
  return [
    batch.after.entry,
    batch.after.batch,
    entries.line.length,
    batch.id,
    events.position.at(-1) ?? 0,
    events.id.at(-1) ?? null,
    entries.at.at(-1) ?? '0',
    schemaEntries,
    lineFormat,
    entries.at,
    entries.kind,
    entries.line,
    entries.firstEvent,
    entries.events,
    entries.size,
    entries.checksum,
    events.position,
    events.entry,
    events.id,
    events.streamType,
    events.streamId,
    events.seq,
    events.type,
    events.version,
    events.at,
    events.data,
    product ?? null,
    product === undefined ? null : lineOfVersion(product),
  ];
}
