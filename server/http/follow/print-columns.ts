import type { Domain } from '../../../language/contract/domain.ts';
import { createByteSink, makeRoom, writeBytes, type ByteSink } from '../representation/byte-sink.ts';
import { columnObjects, textAt, wholeAt, type WriteRow } from '../representation/column-json.ts';
import type { PrintedEvents, Printing } from '../../operation/follow/printing.ts';
import type { EventColumns } from '../../operation/follow/source.ts';

/** The text that a form writes around the JSON object of an event. */
export interface Around {
  readonly before: (sink: ByteSink, position: number, type: string | undefined) => void;
  readonly after: Uint8Array;
}

/** Memory in which pages are written, one after the other, before their bytes are copied: a new one for each page would be mostly empty. */
const scratch = createByteSink(64 * 1024);
const mostScratch = 2 * 1024 * 1024;

/** Writes events as JSON objects. */
export function byColumn(around: Around): NonNullable<Printing['columns']> {
  return (domain, parts, most) => printColumns(domain, parts, around, most);
}

function printColumns(
  domain: Domain,
  parts: readonly EventColumns[],
  { before, after }: Around,
  most: number,
): PrintedEvents {
  const printed = parts.filter(({ batch }) => batch.rows > 0).map((part) => printerOf(domain, part));
  const all = printed.reduce((sum, { rows }) => sum + rows, 0);
  const rows = Math.min(all, most);
  const sink = scratch;
  sink.end = 0;
  const order = inOrder(printed);
  let last: number | undefined;
  for (let at = 0; at < rows; at += 1) {
    const { part, row } = order(at);
    last = part.position(row);
    before(sink, last, part.type?.(row));
    part.write(sink, row);
    makeRoom(sink, after.length);
    writeBytes(sink, after, 0, after.length);
  }
  const bytes = sink.bytes.slice(0, sink.end);
  if (sink.bytes.length > mostScratch) sink.bytes = new Uint8Array(0);
  return { bytes, rows, last };
}

interface Printer {
  readonly rows: number;
  readonly position: (row: number) => number;
  /** Undefined if the type is not shown. */
  readonly type: ((row: number) => string) | undefined;
  readonly write: WriteRow;
}

function printerOf({ events }: Domain, { aggregate, columns, batch }: EventColumns): Printer {
  const [types, positions] = batch.columns.slice(-2);
  const fieldsOf = (eventType: string): ReadonlySet<string> | undefined => {
    if (!aggregate.events.includes(eventType)) return undefined;
    const event = events.find(({ name }) => name === eventType);
    return event === undefined ? undefined : new Set(event.fields.map(({ name }) => name));
  };
  return {
    rows: batch.rows,
    position: wholeAt(positions),
    type: columns.some(({ name }) => name === 'event_type') ? textAt(types) : undefined,
    write: columnObjects(columns, { type: textAt(types), fieldsOf })(batch),
  };
}

/** The rows of all parts by position. */
function inOrder(parts: readonly Printer[]): (at: number) => { readonly part: Printer; readonly row: number } {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return (row) => ({ part: only, row });
  const merged = parts.flatMap((part) =>
    Array.from({ length: part.rows }, (_, row) => ({ part, row, position: part.position(row) })),
  );
  merged.sort((one, other) => one.position - other.position);
  return (at) => {
    const found = merged[at];
    if (found === undefined) throw new Error(`there are ${merged.length} rows, not ${at + 1}`);
    return found;
  };
}
