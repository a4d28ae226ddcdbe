/**
 * One log entry as one line of text: what a frame's body holds, what the read model is fed with. A JSON array, and for each
 * event a tab and its payload, byte for byte as it was given: tabs and line ends never stand in JSON as we write it, and `jq`
 * reads the line as it is. Half the size of an object with names and twice as fast to write and read (measured: 257 against 464
 * bytes, 1.5 against 0.8 million lines a second).
 */
import type { CommandEntry, InspectionEntry, LogEntry, SchemaEntry, StoredEvent } from './entry.ts';

/** id, type, version, seq, and the stream where it is not the command's own. */
type EventTuple = [string, string, number, number] | [string, string, number, number, string, string];

export function encodeLine(entry: LogEntry): string {
  switch (entry.kind) {
    case 'command':
      return encodeCommand(entry);
    case 'schema':
      return JSON.stringify(['s', entry.number, entry.at, entry.origin, entry.changes]);
    case 'inspection':
      return JSON.stringify([
        'i',
        entry.number,
        entry.at,
        entry.name,
        entry.inspected,
        entry.block,
        entry.input,
        entry.fullSql,
      ]);
  }
}

function encodeCommand(entry: CommandEntry & LogEntry): string {
  let payloads = '';
  const events: EventTuple[] = [];
  for (const event of entry.events) {
    if (event.data.includes('\t') || event.data.includes('\n'))
      throw new Error('a payload holds a raw tab or line end');
    payloads += '\t' + event.data;
    const own = event.streamId === entry.streamId && event.streamType === entry.streamType;
    events.push(
      own
        ? [event.id, event.type, event.version, event.seq]
        : [event.id, event.type, event.version, event.seq, event.streamType, event.streamId],
    );
  }
  const head: unknown[] = [
    'c',
    entry.number,
    entry.at,
    entry.command,
    entry.streamType,
    entry.streamId,
    entry.events[0]?.position ?? 0,
    events,
  ];
  const tail = [entry.commandId, entry.fingerprint, entry.rejection, entry.correlationId, entry.causationId];
  while (tail.length > 0 && tail.at(-1) === undefined) tail.pop();
  for (const optional of tail) head.push(optional ?? null);
  return JSON.stringify(head) + payloads;
}

/** Throws when the line is none of ours. */
export function decodeLine(line: string): LogEntry {
  const parts = line.split('\t');
  const head: unknown = JSON.parse(parts[0] ?? '');
  if (!Array.isArray(head)) throw new Error('a log line is no array');
  const cells: readonly unknown[] = head;
  switch (cells[0]) {
    case 'c':
      return decodeCommand(cells, parts);
    case 's':
      return {
        kind: 'schema',
        number: cells[1] as number,
        at: cells[2] as string,
        origin: cells[3] as SchemaEntry['origin'],
        changes: cells[4] as SchemaEntry['changes'],
      };
    case 'i':
      return {
        kind: 'inspection',
        number: cells[1] as number,
        at: cells[2] as string,
        name: cells[3] as string,
        inspected: cells[4] as InspectionEntry['inspected'],
        block: cells[5] as string,
        input: cells[6] as string,
        fullSql: cells[7] as string,
      };
    default:
      throw new Error(`a log line of unknown kind ${JSON.stringify(cells[0])}`);
  }
}

function decodeCommand(cells: readonly unknown[], parts: readonly string[]): LogEntry {
  const streamType = cells[4] as string;
  const streamId = cells[5] as string;
  const first = cells[6] as number;
  const tuples = cells[7] as readonly EventTuple[];
  if (parts.length !== tuples.length + 1) throw new Error('a log line lacks payloads');
  const events = tuples.map((tuple, index): StoredEvent => {
    const data = parts[index + 1];
    if (data === undefined) throw new Error('a log line lacks a payload');
    return {
      position: first + index,
      id: tuple[0],
      type: tuple[1],
      version: tuple[2],
      streamType: tuple[4] ?? streamType,
      streamId: tuple[5] ?? streamId,
      seq: tuple[3],
      data,
    };
  });
  const [commandId, fingerprint, rejection, correlationId, causationId] = cells.slice(8) as (
    string | null | undefined
  )[];
  return {
    kind: 'command',
    number: cells[1] as number,
    at: cells[2] as string,
    command: cells[3] as string,
    streamType,
    streamId,
    events,
    ...(typeof commandId === 'string' && { commandId }),
    ...(typeof fingerprint === 'string' && { fingerprint }),
    ...(typeof rejection === 'string' && { rejection }),
    ...(typeof correlationId === 'string' && { correlationId }),
    ...(typeof causationId === 'string' && { causationId }),
  };
}
