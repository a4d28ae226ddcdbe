import { inputFault } from '../exit-fault.ts';

/** A record of RFC 4180 and the line on which it begins, from 1. A quoted cell differs from an empty one. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly { readonly text: string; readonly quoted: boolean }[];
}

/** Records as they are read; blank lines are left out. Throws a fault that names the line of a cell with text behind its quotes, or without an end. */
export async function* csvRecords(
  source: AsyncIterable<string>,
): AsyncGenerator<readonly CsvRecord[], void, undefined> {
  let rest = '';
  let line = 1;
  let isFirst = true;
  for await (const text of source) {
    rest += isFirst ? text.replace(/^\ufeff/, '') : text;
    isFirst = isFirst && text === '';
    const { records, read, lines } = recordsOf(rest, line, false);
    rest = rest.slice(read);
    line += lines;
    if (rest.length > mostRecord) throw inputFault(`line ${line} begins a record larger than 16 MiB`);
    yield records;
  }
  if (rest !== '') yield recordsOf(rest, line, true).records;
}

const mostRecord = 16 * 1024 * 1024;

/** All whole records of a text; the last one may be whole without an end of line only at the end of the source. */
function recordsOf(
  text: string,
  firstLine: number,
  isEnd: boolean,
): { readonly records: readonly CsvRecord[]; readonly read: number; readonly lines: number } {
  const records: CsvRecord[] = [];
  let [at, read, lines, seen] = [0, 0, 0, 0];
  let cells: { text: string; quoted: boolean }[] = [];
  for (;;) {
    const cell = cellAt(text, at, firstLine + lines, isEnd);
    if (cell === undefined) break;
    cells.push({ text: cell.text, quoted: cell.quoted });
    seen += cell.lines;
    at = cell.end;
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    const end = /^\r?\n/.exec(text.slice(at, at + 2))?.[0];
    if (end === undefined && at < text.length) {
      if (text[at] === '\r' && at + 1 === text.length && !isEnd) break;
      const what = cell.quoted
        ? 'text behind a quoted cell'
        : 'a carriage return that neither ends the line nor is in quotes';
      throw inputFault(`line ${firstLine + lines + seen} has ${what}`);
    }
    if (end === undefined && !isEnd) break;
    const isBlank = cells.length === 1 && cells[0]?.text === '' && !cells[0].quoted;
    if (!isBlank) records.push({ line: firstLine + lines, cells });
    cells = [];
    at += end?.length ?? 0;
    lines += seen + 1;
    seen = 0;
    read = at;
    if (at >= text.length) break;
  }
  return { records, read, lines };
}

interface Cell {
  readonly text: string;
  readonly quoted: boolean;
  readonly end: number;
  /** Ends of lines in it. */
  readonly lines: number;
}

/** Undefined for a cell that continues behind the text. */
function cellAt(text: string, at: number, line: number, isEnd: boolean): Cell | undefined {
  if (text[at] !== '"') {
    const plain = /[^,\r\n]*/y;
    plain.lastIndex = at;
    const found = plain.exec(text)?.[0] ?? '';
    return { text: found, quoted: false, end: at + found.length, lines: 0 };
  }
  const end = endOfQuoted(text, at);
  // A quote at the end of what was read may be the first of two.
  if (end === undefined || (end === text.length && !isEnd)) {
    if (isEnd) throw inputFault(`line ${line} has a quoted cell without an end`);
    return undefined;
  }
  const value = text.slice(at + 1, end - 1).replaceAll('""', '"');
  return { text: value, quoted: true, end, lines: value.split('\n').length - 1 };
}

/** Behind the quote that ends the cell; undefined without one. Searched, because an expression fails on a cell of many MiB. */
function endOfQuoted(text: string, at: number): number | undefined {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 2))
    if (text[quote + 1] !== '"') return quote + 1;
  return undefined;
}
