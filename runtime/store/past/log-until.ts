import { decodeLine, encodeLine } from '../line.ts';
import type { ReadModelLog } from '../journal/entries.ts';
import { lastWholeEntry, type Moment } from '../journal/moment.ts';

/** The log as it was at a moment. `moment` may move forwards, from one whose last entry is whole. */
export function logUntil(
  { secret, read }: Pick<ReadModelLog, 'secret' | 'read'>,
  moment: () => Pick<Moment, 'entry' | 'cut' | 'position'>,
): ReadModelLog {
  return {
    secret,
    end: () => moment().entry,
    fresh: () => Promise.resolve(moment().entry),
    async *read(from, to) {
      const { entry, cut, position } = moment();
      const end = Math.min(to, lastWholeEntry({ entry, cut }));
      if (from <= end) yield* read(from, end);
      if (!cut || to < entry) return;
      for await (const lines of read(entry, entry)) yield lines.map((line) => cutLine(line, position));
    },
  };
}

/** The line of a command without its events after a position. */
function cutLine(line: string, position: number): string {
  const entry = decodeLine(line);
  if (entry.kind !== 'command') return line;
  return encodeLine({ ...entry, events: entry.events.filter((event) => event.position <= position) });
}
