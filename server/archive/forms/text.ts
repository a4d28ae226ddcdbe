/** CSV and lines of JSON, as HTTP answers with them. */
import { csvLines } from '../../http/representation/csv.ts';
import { jsonObjects } from '../../http/representation/json.ts';
import type { ArchiveForm } from './form.ts';

const none = new Uint8Array(0);
const rows = 8192;

export const csvForm = csvArchive('csv', false);
export const safeCsvForm = csvArchive('csv=safe', true);

function csvArchive(name: ArchiveForm['name'], safe: boolean): ArchiveForm {
  return {
    name,
    extension: '.csv',
    rows,
    begin: (columns) => {
      const { header, line } = csvLines(columns, safe);
      return { head: () => Buffer.from(header), rows: (some) => Buffer.from(some.map(line).join('')), end: () => none };
    },
  };
}

export const linesForm: ArchiveForm = {
  name: 'jsonl',
  extension: '.jsonl',
  rows,
  begin: (columns) => {
    const object = jsonObjects(columns);
    return {
      head: () => none,
      rows: (some) => Buffer.from(some.map((row) => `${object(row)}\n`).join('')),
      end: () => none,
    };
  },
};
