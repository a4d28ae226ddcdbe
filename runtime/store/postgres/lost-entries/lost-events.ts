/** Tells which events were in entries that the log has lost: the read model of this process still has them. */
import { quoted } from '../../tables/core/engine.ts';
import { eventTable } from '../../tables/core/tables.ts';
import type { CompiledQuery } from '../../../../language/contract/query.ts';
import { joinPath, type Disk, type StoreLog } from '../../disk.ts';
import type { Store } from '../../store.ts';
import { lostInWords, type LostEntries } from './landmarks.ts';

interface LostEvent {
  readonly global_position: number;
  readonly event_id: string;
  readonly event_type: string;
  readonly stream_type: string;
  readonly stream_id: string;
  readonly seq: number;
}

/** Maximum number of events in the log of the server; the file has more. */
const mostLines = 100;
/** Maximum number of events of an aggregate. */
const mostEvents = 100_000;

/** Logs them, and writes them to a file if the process has a directory. The server has stopped, so a failure is only logged. */
export async function tellLostEvents(
  store: Pick<Store, 'tables' | 'log'>,
  lost: LostEntries,
  { log, disk, directory }: { readonly log: StoreLog; readonly disk: Disk; readonly directory: string | undefined },
): Promise<void> {
  try {
    const events = await eventsAfter(store, lost.afterEvent);
    const name = `lost-events-${lost.first}.jsonl`;
    const isWritten = directory !== undefined && !(await disk.list(directory)).includes(name);
    if (isWritten) {
      const file = await disk.open(joinPath(directory, name), 'create');
      await file.writeThrough(Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join('')), 0);
      await file.close();
    }
    const where = isWritten ? `, all in ${name}` : '';
    log('error', `${lostInWords(lost)}, with ${events.length} events that this server had read${where}`);
    for (const { event_type: type, stream_type: aggregate, stream_id: stream, seq, event_id: id } of events.slice(
      0,
      mostLines,
    ))
      log('error', `lost: ${type} of ${aggregate} ${JSON.stringify(stream)}, seq ${seq}, event ${id}`);
  } catch (error) {
    log('error', `the lost events cannot be listed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function eventsAfter(
  { tables, log }: Pick<Store, 'tables' | 'log'>,
  position: number,
): Promise<readonly LostEvent[]> {
  const kinds = await log.eventKinds();
  const found: LostEvent[] = [];
  for (const aggregate of new Set(kinds.map(({ aggregate }) => aggregate))) {
    const rows = await tables.query(eventsQuery(aggregate), [BigInt(position)], { local: true });
    // Texts, by the columns of the query.
    for (const [at, id, type, stream, seq] of rows)
      found.push({
        global_position: Number(at),
        event_id: id as string,
        event_type: type as string,
        stream_type: aggregate,
        stream_id: stream as string,
        seq: Number(seq),
      });
  }
  return found.sort((one, other) => one.global_position - other.global_position);
}

function eventsQuery(aggregate: string): CompiledQuery {
  const column = (name: string, kind: 'BIGINT' | 'STRING'): CompiledQuery['columns'][number] => ({
    name,
    type: { kind },
    nullable: false,
    sensitive: false,
  });
  return {
    parameters: [{ name: 'position', type: { kind: 'BIGINT' } }],
    columns: [
      column('global_position', 'BIGINT'),
      column('event_id', 'STRING'),
      column('event_type', 'STRING'),
      column('stream_id', 'STRING'),
      column('seq', 'BIGINT'),
    ],
    reads: [`${aggregate}$Events`],
    sqlite: {
      sql:
        'SELECT global_position AS c0, event_id AS c1, event_type AS c2, stream_id AS c3, seq AS c4 ' +
        `FROM ${quoted(eventTable(aggregate))} WHERE global_position > ?1 ORDER BY 1 LIMIT ${mostEvents}`,
    },
  };
}
