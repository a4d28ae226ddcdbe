/**
 * Tables of recorded inspections as files: a line of JSON that says what follows, then a line for each row, in payload forms. The
 * first line has the checksum of all that follows. Replaced by renaming; a missing or damaged one is told, never guessed at.
 */
import { crc32 } from 'node:zlib';
import type { Column } from '../contract/query.ts';
import { fromPayload, toPayload } from '../values/payload.ts';
import { joinPath, type Disk } from './disk.ts';
import type { InspectionTables, KeptTable, Row } from './store.ts';

const prefix = 'inspection-';
const suffix = '.jsonl';
const format = 1;

interface Head {
  readonly format: number;
  readonly name: string;
  readonly checksum: number;
  readonly columns: readonly Column[];
  readonly about?: string;
}

export function createInspectionFiles(disk: Disk, directory: string): InspectionTables {
  const pathOf = (name: string): string => joinPath(directory, `${prefix}${safe(name)}${suffix}`);
  const present = async (name: string): Promise<boolean> =>
    (await disk.list(directory)).includes(`${prefix}${safe(name)}${suffix}`);
  return {
    save: async (name, table) => {
      const path = pathOf(name);
      const made = `${path}.new`;
      if ((await disk.list(directory)).includes(made.slice(directory.length).replace(/^\//, '')))
        await disk.remove(made);
      const file = await disk.open(made, 'create');
      try {
        await file.write(Buffer.from(encodeTable(name, table)), 0);
        await file.sync();
      } finally {
        await file.close();
      }
      await disk.rename(made, path);
      await disk.syncDirectory(directory);
    },
    load: async (name) => {
      if (!(await present(name))) return 'missing';
      const file = await disk.open(pathOf(name), 'read');
      try {
        const bytes = Buffer.alloc(await file.size());
        const filled = await file.read(bytes, 0);
        return decodeTable(bytes.subarray(0, filled)) ?? 'damaged';
      } finally {
        await file.close();
      }
    },
    remove: async (name) => {
      if (!(await present(name))) return;
      await disk.remove(pathOf(name));
      await disk.syncDirectory(directory);
    },
    names: async () =>
      (await disk.list(directory))
        .filter((name) => name.startsWith(prefix) && name.endsWith(suffix))
        .map((name) => name.slice(prefix.length, -suffix.length)),
  };
}

/** The same for a store that ends with the process. */
export function createInspectionMemory(): InspectionTables {
  const tables = new Map<string, KeptTable>();
  return {
    save: (name, table) => {
      tables.set(safe(name), table);
      return Promise.resolve();
    },
    load: (name) => Promise.resolve(tables.get(safe(name)) ?? 'missing'),
    remove: (name) => {
      tables.delete(safe(name));
      return Promise.resolve();
    },
    names: () => Promise.resolve([...tables.keys()].sort()),
  };
}

/** Names of tables are allowed by form, never cleaned: a path is made of them. */
function safe(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a table`);
  return name.toLowerCase();
}

function encodeTable(name: string, { columns, rows, about }: KeptTable): string {
  const lines = rows.map((row) =>
    JSON.stringify(columns.map(({ type }, index) => toPayload(row[index] ?? null, type))),
  );
  const body = lines.map((line) => `${line}\n`).join('');
  const head: Head = { format, name, checksum: crc32(body), columns, ...(about !== undefined && { about }) };
  const text = JSON.stringify(head);
  // The head's own checksum stands after it, so that a damaged column list is noticed too.
  return `${text}\n${crc32(text)}\n${body}`;
}

function decodeTable(bytes: Buffer): KeptTable | undefined {
  const headEnd = bytes.indexOf(10);
  const checksumEnd = bytes.indexOf(10, headEnd + 1);
  if (headEnd < 0 || checksumEnd < 0) return undefined;
  const text = bytes.toString('utf8', 0, headEnd);
  if (String(crc32(text)) !== bytes.toString('utf8', headEnd + 1, checksumEnd)) return undefined;
  const head = JSON.parse(text) as Head;
  const body = bytes.subarray(checksumEnd + 1);
  if (head.format !== format || crc32(body) !== head.checksum) return undefined;
  const lines = body.toString('utf8').split('\n').slice(0, -1);
  const rows = lines.map((line): Row => {
    const cells = JSON.parse(line) as readonly unknown[];
    return head.columns.map(({ type }, index) => fromPayload(cells[index], type));
  });
  return { columns: head.columns, rows, ...(head.about !== undefined && { about: head.about }) };
}
