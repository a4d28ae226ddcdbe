import type { Column } from '../../contract/query.ts';
import type { Table } from '../../engine/outcome.ts';
import type { Row } from '../../store/store.ts';
import type { ArrowEncoding } from '../options.ts';
import { Problem } from '../problem.ts';
import { preferred } from './accept.ts';
import { csvLines } from './csv.ts';
import { jsonObjects } from './json.ts';

/** One of the forms that a table is answered in. */
export interface Representation {
  readonly name: 'arrow' | 'json' | 'csv';
  readonly contentType: string;
  readonly whole: (table: Table) => Uint8Array | string;
  /** Fails where its source fails, before anything that would make the bytes look complete. */
  readonly stream: (
    columns: readonly Column[],
    batches: AsyncIterable<readonly Row[]>,
  ) => AsyncIterable<Uint8Array | string>;
}

/** The representations of tables; Arrow, the first, is what a caller without wishes gets. */
export function createRepresentations(arrow: ArrowEncoding): (accept: string | undefined) => Representation {
  const all: readonly Representation[] = [
    { name: 'arrow', contentType: 'application/vnd.apache.arrow.stream', ...arrow },
    { name: 'json', contentType: 'application/json', whole: wholeJson, stream: streamJson },
    { name: 'csv', contentType: 'text/csv', whole: wholeCsv, stream: streamCsv },
  ];
  const offers = all.map((representation) => representation.contentType);
  return (accept) => {
    const chosen = preferred(accept, offers);
    const representation = all.find((candidate) => candidate.contentType === chosen);
    if (representation === undefined)
      throw new Problem(406, `a table is given as ${offers.join(', ')}; Accept names none of them`);
    return representation;
  };
}

function wholeJson(table: Table): string {
  const object = jsonObjects(table.columns);
  return `[${table.rows.map(object).join(',\n')}]\n`;
}

async function* streamJson(columns: readonly Column[], batches: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  const object = jsonObjects(columns);
  let before = '[';
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    yield before + rows.map(object).join(',\n');
    before = ',\n';
  }
  yield before === '[' ? '[]\n' : ']\n';
}

function wholeCsv(table: Table): string {
  const { header, line } = csvLines(table.columns);
  return header + table.rows.map(line).join('');
}

async function* streamCsv(columns: readonly Column[], batches: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  const { header, line } = csvLines(columns);
  yield header;
  for await (const rows of batches) if (rows.length > 0) yield rows.map(line).join('');
}
