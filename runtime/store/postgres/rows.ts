/**
 * Lines of the log as rows of the tables `entry` and `event`, and back. A payload is in the row of its event, as text, and everything else of the
 * line in the row of the entry; together they give the line again, byte for byte.
 */
import { crc32 } from 'node:zlib';
import type { LogEntry } from '../entry.ts';
import { decodeLine } from '../line.ts';

/** Columns of the rows of one batch, each a list of equal length. */
export interface BatchRows {
  readonly entries: {
    /** µs since 1970, as text. */
    readonly at: readonly string[];
    readonly kind: readonly string[];
    readonly line: readonly string[];
    readonly firstEvent: readonly number[];
    readonly events: readonly number[];
    readonly size: readonly number[];
    readonly checksum: readonly number[];
  };
  readonly events: {
    readonly position: readonly number[];
    readonly entry: readonly number[];
    readonly id: readonly string[];
    readonly streamType: readonly string[];
    readonly streamId: readonly string[];
    readonly seq: readonly number[];
    readonly type: readonly string[];
    readonly version: readonly number[];
    readonly at: readonly string[];
    readonly data: readonly string[];
  };
  readonly schemaEntries: number;
}

/** `first` is the number of the first line's entry. */
export function batchRows(first: number, lines: readonly string[]): BatchRows {
  const entries = { at: [], kind: [], line: [], firstEvent: [], events: [], size: [], checksum: [] } as Columns<
    BatchRows['entries']
  >;
  const events = {
    position: [],
    entry: [],
    id: [],
    streamType: [],
    streamId: [],
    seq: [],
    type: [],
    version: [],
    at: [],
    data: [],
  } as Columns<BatchRows['events']>;
  let schemaEntries = 0;
  for (const [index, line] of lines.entries()) {
    const number = first + index;
    const entry = entryOf(line);
    const own = entry?.kind === 'command' ? entry.events : [];
    if (entry?.kind === 'schema') schemaEntries += 1;
    entries.at.push(entry?.at ?? '0');
    entries.kind.push(entry?.kind ?? 'text');
    entries.line.push(own.length === 0 ? line : line.slice(0, line.indexOf('\t')));
    entries.firstEvent.push(own[0]?.position ?? 0);
    entries.events.push(own.length);
    entries.size.push(line.length);
    entries.checksum.push(checksumOf(number, line));
    for (const event of own) {
      events.position.push(event.position);
      events.entry.push(number);
      events.id.push(event.id);
      events.streamType.push(event.streamType);
      events.streamId.push(event.streamId);
      events.seq.push(event.seq);
      events.type.push(event.type);
      events.version.push(event.version);
      events.at.push(entry?.at ?? '0');
      events.data.push(event.data);
    }
  }
  return { entries, events, schemaEntries };
}

type Columns<T> = { readonly [K in keyof T]: T[K] extends readonly (infer C)[] ? C[] : never };

/** The entry of a line; a log also takes lines that are none. */
function entryOf(line: string): LogEntry | undefined {
  return /^\["[csi]",/.test(line) ? decodeLine(line) : undefined;
}

/** The number is included, so that rows that were exchanged are found. */
function checksumOf(number: number, line: string): number {
  return crc32(`${number} ${line}`);
}

/** A row of an entry, and the payloads of its events in the order of their positions. */
export interface StoredLine {
  readonly number: number;
  readonly line: string;
  readonly events: number;
  readonly checksum: number;
  readonly payloads: readonly string[];
}

/** The line; undefined when its rows are not those that were appended. */
export function lineOf({ number, line, events, checksum, payloads }: StoredLine): string | undefined {
  if (payloads.length !== events) return undefined;
  const whole = payloads.length === 0 ? line : `${line}\t${payloads.join('\t')}`;
  return checksumOf(number, whole) === checksum ? whole : undefined;
}
