/**
 * The events of a store for an archive elsewhere, as lines of JSON: a head, an array for each event, and an end. Takes what one caller may read;
 * gives the rows that `logSource` would give for the same log. Read from the log, so that they need nothing of the read model.
 */
import { createHmac } from 'node:crypto';
import type { Domain } from '../../../language/contract/domain.ts';
import { toPayload, type Payload } from '../../../language/values/payload.ts';
import type { Store, StorePosition } from '../../../runtime/store/store.ts';
import { filteredBy } from '../asker.ts';
import type { Caller } from '../caller.ts';
import { isCleared, may } from '../rights.ts';
import type { ArchiveColumn } from './archive-columns.ts';
import { readableAggregates } from './readable-aggregate.ts';

/** Raised when a line changes its meaning. */
export const archiveLinesFormat = 2;

/** The facts about a log that every archive of it begins with. */
export interface ArchivedLog {
  /** The name of the store (`storeName`). */
  readonly store: string;
  /** Number of schema entries in force. */
  readonly registry: number;
  /** Number of the last entry. */
  readonly entries: number;
  /** Streams of aggregates that the registry no longer has. */
  readonly leftOut: readonly { readonly aggregate: string; readonly events: number }[];
}

export interface ArchiveHead extends ArchivedLog {
  readonly format: number;
  /** Position of the last event that this answer can have. */
  readonly position: number;
  /** Whether values of SENSITIVE fields are masked. */
  readonly masked: boolean;
  /** The id of the event at the position after which the rows begin, if the caller may read it. */
  readonly markId: string | null;
  /** Position after which the rows begin. */
  readonly after: number;
  readonly aggregates: readonly {
    readonly name: string;
    readonly columns: readonly ArchiveColumn[];
    /** By stored type, a hash of how it is read. */
    readonly readings: Readonly<Record<string, string>>;
  }[];
}

/** The aggregate's place in the head, entry, time, position, id, stored type, and the values in the order of the columns. */
export type ArchiveLine = readonly [
  aggregate: number,
  entry: number,
  at: string,
  position: number,
  id: string,
  storedType: string,
  row: readonly Payload[],
];

/** The last line, which shows that the answer was not cut. */
export interface ArchiveEnd {
  readonly end: number;
  /** The id of the event at that position, if the caller may read it. */
  readonly id: string | null;
}

export interface ArchiveLinesOptions {
  readonly store: Store;
  readonly domain: Domain;
  readonly caller: Caller;
  /** Position after which the rows begin; or the time from which on, in µs since 1970. */
  readonly after: number | { readonly time: bigint };
}

/** Characters of a piece, about. */
const pieceSize = 128 * 1024;
/** Entries of a piece, also of those that add no line: the work of some milliseconds. */
const pieceEntries = 256;

export async function* archiveLines(options: ArchiveLinesOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const { store, domain, caller } = options;
  // An archive is whole: it leaves aggregates out of which the caller may not see every stream.
  const mayRead = (aggregate: string): boolean =>
    may(caller, `read:${aggregate}$Events`) && filteredBy(domain, `${aggregate}$Events`, caller) === undefined;
  const end = await store.turns.fresh();
  const { entry: last, event: position } = end;
  const after = typeof options.after === 'number' ? options.after : await lastBefore(store, options.after.time, end);
  const aggregates = readableAggregates(domain, caller).filter(({ name }) => mayRead(name));
  const places = new Map(aggregates.map(({ name }, place) => [name, place]));
  const first = after === 0 || after > position ? undefined : await entryOf(store, after);
  const kinds = await store.log.eventKinds();
  const registered = new Set(domain.aggregates.map(({ name }) => name));
  const head: ArchiveHead = {
    format: archiveLinesFormat,
    store: storeName(store.secret),
    registry: store.log.schema().length,
    entries: last,
    position,
    masked: !isCleared(caller),
    markId: first === undefined ? null : await markAt(store, first, after, mayRead),
    after,
    aggregates: aggregates.map(({ name, columns, readingOf }) => ({
      name,
      columns,
      readings: Object.fromEntries(
        kinds.flatMap(({ aggregate, event }) => (aggregate === name ? [[event, readingOf(event)]] : [])),
      ),
    })),
    leftOut: kinds.flatMap(({ aggregate, count }) =>
      registered.has(aggregate) || !mayRead(aggregate) ? [] : [{ aggregate, events: count }],
    ),
  };
  let piece = `${JSON.stringify(head)}\n`;
  let entries = 0;
  const from = first ?? (after > position ? last + 1 : 1);
  if (from <= last)
    for await (const entry of store.log.read(from)) {
      if (entry.number > last) break;
      entries += 1;
      if (entry.kind === 'command')
        for (const event of entry.events) {
          const place = places.get(event.streamType);
          const aggregate = aggregates[place ?? -1];
          if (place === undefined || aggregate === undefined || event.position <= after) continue;
          const row = aggregate.row(entry, event);
          const values = aggregate.columns.map(({ type }, at) => toPayload(row[at] ?? null, type));
          const { position: at, id, type } = event;
          const line: ArchiveLine = [place, entry.number, entry.at, at, id, type, values];
          piece += `${JSON.stringify(line)}\n`;
        }
      if (piece.length < pieceSize && entries < pieceEntries) continue;
      yield Buffer.from(piece);
      piece = '';
      entries = 0;
    }
  const id = position === 0 ? null : await markAt(store, await entryOf(store, position), position, mayRead);
  const over: ArchiveEnd = { end: position, id };
  yield Buffer.from(`${piece}${JSON.stringify(over)}\n`);
}

/** A name of the store that tells nothing about its secret. */
export function storeName(secret: Uint8Array): string {
  return createHmac('sha256', secret).update('schemac archive').digest('hex').slice(0, 32);
}

/** Position of the last event before a time. */
async function lastBefore(store: Store, time: bigint, end: StorePosition): Promise<number> {
  if (time > end.at) return end.event;
  return (await store.log.moment({ time: time - 1n })).position;
}

/** Number of the entry that has the event at a position. */
async function entryOf(store: Store, position: number): Promise<number> {
  return (await store.log.moment({ position })).entry;
}

async function markAt(
  store: Store,
  entry: number,
  position: number,
  mayRead: (aggregate: string) => boolean,
): Promise<string | null> {
  for await (const found of store.log.read(entry)) {
    const event = found.kind === 'command' ? found.events.find((each) => each.position === position) : undefined;
    return event !== undefined && mayRead(event.streamType) ? event.id : null;
  }
  return null;
}
