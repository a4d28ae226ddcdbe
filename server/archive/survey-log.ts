/**
 * Collects the facts about a log that an export needs before it reads events: definitions, stored types, and the beginning of each
 * aggregate.
 */
import type { LogEntry, SchemaEntry } from '../../runtime/store/entry.ts';
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import type { EventKind } from '../../runtime/store/store.ts';

export interface LogSurvey {
  readonly schema: readonly (LogEntry & SchemaEntry)[];
  readonly kinds: readonly EventKind[];
  /** By aggregate, the entry of its first event. */
  readonly starts: ReadonlyMap<string, number>;
  /** Number of the last entry and position of the last event, with its id. */
  readonly entry: number;
  readonly position: number;
  readonly eventId: string | undefined;
  /** The id of the event at the position that was asked for. */
  readonly markId: string | undefined;
  /** Position of the last event before the time that was asked for. */
  readonly before: number;
}

export interface Wanted {
  readonly position?: number;
  /** µs since 1970. */
  readonly time?: bigint;
}

/** Reads the whole log once; takes the memory of one page, of the definitions and of one counter for each kind of event. */
export async function surveyLog(
  log: Pick<OpenLog, 'read'>,
  wanted: Wanted,
  onEntry: (entry: number) => void,
): Promise<LogSurvey> {
  const schema: (LogEntry & SchemaEntry)[] = [];
  const kinds = new Map<string, EventKind>();
  const starts = new Map<string, number>();
  let [number, position, before] = [0, 0, 0];
  let eventId: string | undefined;
  let markId: string | undefined;
  for await (const entry of log.read(1)) {
    number = entry.number;
    onEntry(number);
    if (entry.kind === 'schema') schema.push(entry);
    if (entry.kind !== 'command') continue;
    for (const { streamType, type, version, position: at, id } of entry.events) {
      const key = `${streamType}\n${type}\n${version}`;
      const count = (kinds.get(key)?.count ?? 0) + 1;
      kinds.set(key, { aggregate: streamType, event: type, version, count });
      if (!starts.has(streamType)) starts.set(streamType, number);
      [position, eventId] = [at, id];
      if (at === wanted.position) markId = id;
    }
    if (wanted.time !== undefined && BigInt(entry.at) < wanted.time) before = position;
  }
  return { schema, kinds: [...kinds.values()], starts, entry: number, position, eventId, markId, before };
}
