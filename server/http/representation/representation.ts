import type { Column } from '../../../language/contract/query.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';
import type { ArrowEncoding } from '../options.ts';
import { Problem } from '../wire/problem.ts';
import { preferred, safeCsv } from '../wire/accept.ts';
import { csvLines } from './csv.ts';
import { jsonObjects } from './json.ts';
import { textStream, type TextForm } from './text-stream.ts';

/** A form of a table's answer. A page is made for its request (`pages/rows-page.ts`). */
export interface Representation {
  readonly name: 'arrow' | 'json' | 'csv' | 'safe csv' | 'ndjson' | 'page';
  readonly contentType: string;
  /** The type that `Accept` names, if it is not the type of the content. */
  readonly offer?: string;
  readonly whole: (table: Table) => Uint8Array | string;
  /** Fails if its source fails, before any byte that would make the answer look complete. */
  readonly stream: (
    columns: readonly Column[],
    batches: AsyncIterable<readonly Row[]>,
  ) => AsyncIterable<Uint8Array | string>;
  /** Accepts rows by column, if it can. */
  readonly byColumn?: ArrowEncoding['byColumn'];
}

const htmlType = 'text/html';

/** Whether a caller prefers a page to JSON. */
export function prefersPage(accept: string | undefined): boolean {
  return preferred(accept, ['application/json', htmlType], [htmlType]) === htmlType;
}

/** Whether a caller takes a page at all. */
export function takesPage(accept: string | undefined): boolean {
  return accept !== undefined && preferred(accept, [htmlType], [htmlType]) !== undefined;
}

/** Headers whose choice is remembered: most callers send the same. */
const remembered = 100;

/** Chooses the form of a table by `Accept`; `asLines`: lines of JSON are one of the forms, and pages none. */
export type Represent = (accept: string | undefined, asLines?: boolean) => Representation | 'page';

/** The representations of tables; Arrow, the first, is the default. A page is chosen only where `Accept` names it in full. */
export function createRepresentations(arrow: ArrowEncoding): Represent {
  const all: readonly Representation[] = [
    { name: 'arrow', contentType: 'application/vnd.apache.arrow.stream', ...arrow },
    {
      name: 'json',
      contentType: 'application/json',
      whole: wholeJson,
      stream: (columns, batches) => textStream(jsonForm(columns), batches),
    },
    {
      name: 'csv',
      contentType: 'text/csv',
      whole: (table) => wholeCsv(table, false),
      stream: (columns, batches) => textStream(csvForm(columns, false), batches),
    },
    {
      name: 'safe csv',
      contentType: 'text/csv',
      offer: safeCsv,
      whole: (table) => wholeCsv(table, true),
      stream: (columns, batches) => textStream(csvForm(columns, true), batches),
    },
  ];
  const lines: Representation = {
    name: 'ndjson',
    contentType: 'application/x-ndjson',
    whole: (table) => linesForm(table.columns).batch(table.rows, true),
    stream: (columns, batches) => textStream(linesForm(columns), batches),
  };
  const chooseAmong = createChoice(all, [htmlType]);
  const chooseLines = createChoice([...all, lines], []);
  return (accept = '', asLines = false) => (asLines ? chooseLines : chooseAmong)(accept);
}

function createChoice(
  all: readonly Representation[],
  pages: readonly string[],
): (accept: string) => Representation | 'page' {
  const offerOf = ({ contentType, offer = contentType }: Representation): string => offer;
  const offers = [...all.map(offerOf), ...pages];
  const inFull = [safeCsv, ...pages];
  const known = new Map<string, Representation | 'page'>();
  return (accept) => {
    const before = known.get(accept);
    if (before !== undefined) return before;
    const chosen = preferred(accept, offers, inFull);
    const representation = chosen === htmlType ? 'page' : all.find((candidate) => offerOf(candidate) === chosen);
    if (representation === undefined)
      throw new Problem('H4061', `a table is available as ${offers.join(', ')}; Accept names none of them`);
    if (known.size >= remembered) known.clear();
    known.set(accept, representation);
    return representation;
  };
}

function wholeJson(table: Table): string {
  const { head, batch, tail } = jsonForm(table.columns);
  return head + batch(table.rows, true) + tail();
}

function jsonForm(columns: readonly Column[]): TextForm {
  const object = jsonObjects(columns);
  return {
    head: '[',
    batch: (rows, isFirst) => (isFirst ? '' : ',\n') + rows.map(object).join(',\n'),
    tail: () => ']\n',
  };
}

function wholeCsv(table: Table, safe: boolean): string {
  const { head, batch } = csvForm(table.columns, safe);
  return head + batch(table.rows, true);
}

function linesForm(columns: readonly Column[]): TextForm {
  const object = jsonObjects(columns);
  return { head: '', batch: (rows) => rows.map((row) => `${object(row)}\n`).join(''), tail: () => '' };
}

function csvForm(columns: readonly Column[], safe: boolean): TextForm {
  const { header, line } = csvLines(columns, safe);
  return { head: header, batch: (rows) => rows.map(line).join(''), tail: () => '' };
}
