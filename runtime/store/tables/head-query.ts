import type { CompiledQuery } from '../../../language/contract/query.ts';
import { quoted } from './core/engine.ts';
import { eventTable } from './core/tables.ts';

/** The seq of a stream's last event, by its id; NULL when it has none. */
export function headQuery(aggregate: string): CompiledQuery {
  return {
    parameters: [{ name: 'stream_id', type: { kind: 'STRING' } }],
    columns: [{ name: 'head', type: { kind: 'BIGINT' }, nullable: true, sensitive: false }],
    reads: [`${aggregate}$Events`],
    sqlite: { sql: `SELECT MAX(seq) AS c0 FROM ${quoted(eventTable(aggregate))} WHERE stream_id = ?1` },
  };
}
