import { Readable } from 'node:stream';
import type { Table } from '../../runtime/engine/outcome.ts';
import { csvLines } from '../../server/http/representation/csv.ts';
import { csvRecords } from '../execute/csv-records.ts';
import { usageFault } from '../exit-fault.ts';
import { diffTexts } from '../expectations/diff.ts';

/** The lines in which a matrix of access differs from the CSV that is expected; none if they are equal, however cells are quoted. */
export async function matrixDifferences(
  { path, text }: { readonly path: string; readonly text: string },
  matrix: Table,
): Promise<readonly string[]> {
  if (!/^\ufeff?"?kind"?,"?name"?(?=[,\r\n])/.test(text))
    throw usageFault(`--expect ${path}: it takes the output of access --matrix --csv, which begins with kind,name`);
  const records: (readonly string[])[] = [];
  for await (const read of csvRecords(Readable.from([text]) as AsyncIterable<string>))
    records.push(...read.map(({ cells }) => cells.map(textOf)));
  const got = [matrix.columns.map((column) => column.name), ...matrix.rows.map((row) => row.map(String))];
  const [before, after] = [linesOf(records), linesOf(got)];
  return before === after ? [] : diffTexts(before, after);
}

function textOf({ text }: { readonly text: string }): string {
  return text;
}

/** Each record as one line, in the form of the tool. */
function linesOf(records: readonly (readonly string[])[]): string {
  return records.map((cells) => lineOf(cells)).join('\n');
}

function lineOf(cells: readonly string[]): string {
  const columns = cells.map(
    (_, at) => ({ name: String(at), type: { kind: 'STRING' }, nullable: false, sensitive: false }) as const,
  );
  return csvLines(columns).line(cells).slice(0, -2);
}
