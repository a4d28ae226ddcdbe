import type { CommandEntry, LogEntry } from '../../runtime/store/entry.ts';

/** An event as the log has it at the end of a run. */
export interface Fact {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly streamType: string;
  readonly streamId: string;
  readonly seq: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** µs since 1970. */
  readonly at: bigint;
  readonly entry: number;
  readonly correlation: string | undefined;
}

export interface Facts {
  readonly events: readonly Fact[];
  readonly byId: ReadonlyMap<string, Fact>;
  readonly log: readonly LogEntry[];
  /** Faults of the log itself. */
  readonly faults: readonly string[];
}

/** Reads a log with nothing of the product but the form of an entry. */
export function factsOf(log: readonly LogEntry[]): Facts {
  const events: Fact[] = [];
  const byId = new Map<string, Fact>();
  const faults: string[] = [];
  const heads = new Map<string, number>();
  for (const [index, entry] of log.entries()) {
    if (entry.number !== index + 1) faults.push(`entry ${entry.number} is the ${index + 1}th`);
    if (entry.kind !== 'command') continue;
    for (const event of eventsOf(entry)) {
      events.push(event);
      if (byId.has(event.id)) faults.push(`two events have the id ${event.id}`);
      byId.set(event.id, event);
      if (event.position !== events.length) faults.push(`event ${event.position} is the ${events.length}th`);
      const stream = `${event.streamType} ${event.streamId}`;
      const seq = (heads.get(stream) ?? 0) + 1;
      if (event.seq !== seq) faults.push(`event ${event.position} has seq ${event.seq} in ${stream}, not ${seq}`);
      heads.set(stream, seq);
    }
  }
  return { events, byId, log, faults };
}

export function eventsOf(entry: LogEntry & CommandEntry): readonly Fact[] {
  return entry.events.map((event) => ({
    position: event.position,
    id: event.id,
    type: event.type,
    seq: event.seq,
    streamType: event.streamType,
    streamId: event.streamId,
    data: JSON.parse(event.data) as Fact['data'],
    at: BigInt(entry.at),
    entry: entry.number,
    correlation: entry.correlationId,
  }));
}

/** Sentences about the differences between fields as they were delivered and as they should be. */
export function differences(
  told: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(right)
    .filter(([field, value]) => comparable(told[field]) !== comparable(value))
    .map(([field, value]) => `${field} is ${comparable(told[field])}, not ${comparable(value)}`);
}

/** Numbers and their texts are equal, as are moments in any form; keys have no order. */
export function comparable(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => `${key}: ${comparable(each)}`)
      .sort()
      .join(', ')}}`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return moment.test(text) ? `${microsecondsOf(text)} µs` : text;
}

const moment = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?Z?$/;

export function microsecondsOf(text: string): bigint {
  const [, whole = '', fraction = ''] = /^(.{19})(?:\.(\d+))?/.exec(text) ?? [];
  return BigInt(Date.parse(`${whole.replace(' ', 'T')}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** A moment as text, with µs. */
export function momentOf(at: bigint): string {
  const [whole = ''] = new Date(Number(at / 1000n)).toISOString().split('.');
  return `${whole}.${String(at % 1_000_000n).padStart(6, '0')}Z`;
}
