import { Failure } from '../../language/failure/failure.ts';
import { checkEntry } from './check-entry.ts';
import type { LogEntry } from './entry.ts';
import { readEntry } from './read-entry.ts';

/** Checks a line after those before it; an R0406 for a line of a newer version. */
export function createSequenceCheck(): (line: string, path: string) => string | Failure | undefined {
  const heads = new Map<string, number>();
  let number = 0;
  let position = 0;
  let at = 0n;
  return (line, path) => {
    number += 1;
    let entry: LogEntry;
    try {
      entry = readEntry(line, () => path);
      const wrong = checkEntry(entry);
      if (wrong !== undefined) return `entry ${number}: ${wrong}`;
      if (entry.number !== number) return `entry ${number} calls itself ${entry.number}`;
      if (BigInt(entry.at) < at) return `entry ${number} is older than the one before it`;
      at = BigInt(entry.at);
    } catch (error) {
      if (error instanceof Failure) return error;
      return `entry ${number}: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (entry.kind !== 'command') return undefined;
    for (const event of entry.events) {
      const stream = `${event.streamType}\0${event.streamId}`;
      const seq = (heads.get(stream) ?? 0) + 1;
      position += 1;
      if (event.position !== position)
        return `entry ${number} has position ${event.position} where ${position} belongs`;
      if (event.seq !== seq) return `entry ${number} has seq ${event.seq} of ${event.streamId} where ${seq} belongs`;
      heads.set(stream, seq);
    }
    return undefined;
  };
}
