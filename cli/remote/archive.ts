/** The events of a server for an archive here: `GET /api/archive`, with the rights and masks of the caller. */
import { fromPayload } from '../../language/values/payload.ts';
import { maskValue } from '../../language/values/mask.ts';
import { printTimestamp } from '../../language/values/timestamp.ts';
import type { ArchiveSource, OpenSource, SourceEvent } from '../../server/archive/archive-source.ts';
import {
  archiveLinesFormat,
  type ArchiveEnd,
  type ArchiveHead,
  type ArchiveLine,
} from '../../server/operation/export/archive-lines.ts';
import { environmentFault, inputFault } from '../exit-fault.ts';
import { faultOf, Refusal, remoteServer, type RemoteServer } from './server.ts';

export function remoteSource(url: string, token: string | undefined): OpenSource {
  const server = remoteServer(url, { token });
  return async ({ position = 0, time }, clear) => {
    let answer = await ask(server, time === undefined ? position : { time });
    const { head } = answer;
    if (head.masked && clear)
      throw inputFault(`--clear needs the right 'sensitive:read' of ${url}; its token comes from SCHEMAC_TOKEN`);
    let end: ReturnType<ArchiveSource['end']> = { entry: 0, position: 0, eventId: undefined };
    return {
      store: head.store,
      registry: head.registry,
      entries: head.entries,
      aggregates: head.aggregates.map(({ name, columns, readings }) => ({
        name,
        columns,
        readingOf: (storedType) => readings[storedType] ?? 'none',
      })),
      unreadable: [],
      leftOut: head.leftOut,
      markId: head.markId ?? undefined,
      before: head.after,
      async *events(after) {
        const first = Math.min(head.position, ...Array.from(after.values(), (place) => place.position));
        if (first !== head.after) {
          // Files are written again from the beginning.
          await answer.lines.return();
          answer = await ask(server, first);
          if (answer.head.registry !== head.registry)
            throw environmentFault('the registry of the server has changed meanwhile; run the export again');
        }
        for (;;) {
          const step = await answer.lines.next();
          if (step.done === true) throw environmentFault('the answer was cut; run the export again');
          const line = JSON.parse(step.value) as ArchiveLine | ArchiveEnd; // the head showed its format
          if ('end' in line) {
            if (line.id !== null) end = { entry: head.entries, position: line.end, eventId: line.id };
            return;
          }
          const event = eventOf(line, step.value.length, head, clear);
          end = { entry: event.entry, position: event.position, eventId: event.id };
          yield [event];
        }
      },
      end: () => end,
    };
  };
}

interface Asked {
  readonly head: ArchiveHead;
  /** Lines after the head. */
  readonly lines: AsyncGenerator<string, void, undefined>;
}

async function ask(server: RemoteServer, after: number | { readonly time: bigint }): Promise<Asked> {
  const begin =
    typeof after === 'number' ? `after=${after}` : `since=${encodeURIComponent(printTimestamp(after.time))}`;
  try {
    const lines = await server.lines(`/api/archive?${begin}`);
    const first = await lines.next();
    const head = first.done === true ? undefined : (JSON.parse(first.value) as ArchiveHead); // checked by its format
    if (head?.format !== archiveLinesFormat)
      throw environmentFault('the server has another version, which sends archives in another format');
    return { head, lines };
  } catch (error) {
    throw error instanceof Refusal ? faultOf(new Refusal(error.status, `the server refuses: ${error.message}`)) : error;
  }
}

function eventOf(
  [aggregate, entry, at, position, id, storedType, values]: ArchiveLine,
  size: number,
  { aggregates }: ArchiveHead,
  clear: boolean,
): SourceEvent {
  const { name = '', columns = [] } = aggregates[aggregate] ?? {};
  return {
    aggregate: name,
    entry,
    at,
    position,
    id,
    storedType,
    size,
    row: () =>
      columns.map(({ type, sensitive }, place) => {
        const value = fromPayload(values[place], type);
        return sensitive && !clear ? maskValue(value, type) : value;
      }),
  };
}
