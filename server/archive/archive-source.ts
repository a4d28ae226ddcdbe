/** Where the events of an archive come from: a log that is here, or a server (docs/archive.md#from-a-running-server). */
import type { Row } from '../../runtime/store/store.ts';
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import type { ArchiveColumn } from '../operation/export/archive-columns.ts';
import { storeName, type ArchivedLog } from '../operation/export/archive-lines.ts';
import { operator, owner } from '../operation/caller.ts';
import { readableAggregates } from '../operation/export/readable-aggregate.ts';
import { readLog } from './readable-log.ts';
import type { LogSurvey, Wanted } from './survey-log.ts';

export interface ArchiveSource extends ArchivedLog {
  readonly aggregates: readonly SourceAggregate[];
  /** The first values that `events` gave as NULL since they cannot be read, as sentences; those of a server are in its log. */
  readonly unreadable: readonly string[];
  /** The id of the event at the position that was asked for. */
  readonly markId: string | undefined;
  /** Position of the last event before the time that was asked for. */
  readonly before: number;
  /** The events of these aggregates after their places, and perhaps some before, in the order of the log, by entry. */
  readonly events: (after: ReadonlyMap<string, Place>) => AsyncIterable<readonly SourceEvent[]>;
  /** The last entry and event; of a server, of those that `events` has given. */
  readonly end: () => Place & { readonly eventId: string | undefined };
}

export interface Place {
  readonly entry: number;
  readonly position: number;
}

export interface SourceAggregate {
  readonly name: string;
  readonly columns: readonly ArchiveColumn[];
  /** A hash of how events stored under this type are read. */
  readonly readingOf: (storedType: string) => string;
}

export interface SourceEvent extends Place {
  readonly aggregate: string;
  /** µs since 1970. */
  readonly at: string;
  readonly id: string;
  readonly storedType: string;
  /** Characters of its payload, about. */
  readonly size: number;
  /** In the order of the columns; unless the archive is clear, values of SENSITIVE columns are masked. */
  readonly row: () => Row;
}

/** Opens a source for an archive that has the events up to `wanted`. */
export type OpenSource = (
  wanted: Wanted,
  clear: boolean,
  onEntry: (entry: number, of: number) => void,
) => Promise<ArchiveSource>;

const mostUnreadable = 20;

/** A log that is here: it is read once for its definitions, and once for the events. */
export function logSource(log: OpenLog, version: string): OpenSource {
  return async (wanted, clear, onEntry) => {
    const { survey, domain } = await readLog(log, version, wanted, (entry) => onEntry(entry, log.entries));
    const unreadable: string[] = [];
    const aggregates = readableAggregates(domain, clear ? owner : operator, (text) => {
      if (unreadable.length < mostUnreadable) unreadable.push(text);
    });
    const byName = new Map(aggregates.map((aggregate) => [aggregate.name, aggregate]));
    return {
      store: storeName(log.secret),
      registry: survey.schema.length,
      entries: log.entries,
      aggregates,
      unreadable,
      leftOut: leftOut(survey, new Set(byName.keys())),
      markId: survey.markId,
      before: survey.before,
      async *events(after) {
        const starts = [...after].flatMap(([name, { entry }]) => {
          const first = survey.starts.get(name);
          return first === undefined ? [] : [Math.max(first, entry + 1)];
        });
        for await (const entry of log.read(Math.min(survey.entry + 1, ...starts))) {
          if (entry.kind !== 'command') continue;
          yield entry.events.flatMap((event): readonly SourceEvent[] => {
            const aggregate = byName.get(event.streamType);
            if (aggregate === undefined) return [];
            const { position, id, type, data } = event;
            return [
              {
                aggregate: aggregate.name,
                entry: entry.number,
                position,
                at: entry.at,
                id,
                storedType: type,
                size: data.length,
                row: () => aggregate.row(entry, event),
              },
            ];
          });
        }
      },
      end: () => survey,
    };
  };
}

function leftOut({ kinds }: Pick<LogSurvey, 'kinds'>, known: ReadonlySet<string>): ArchiveSource['leftOut'] {
  const counts = new Map<string, number>();
  for (const { aggregate, count } of kinds)
    if (!known.has(aggregate)) counts.set(aggregate, (counts.get(aggregate) ?? 0) + count);
  return Array.from(counts, ([aggregate, events]) => ({ aggregate, events }));
}
