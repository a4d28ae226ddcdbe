/**
 * Tables of recorded inspections as files: a line of JSON that describes them, a line of checksums, then a line for
 * each row, in payload forms. Written to a temporary name and renamed; written and read one page at a time. A missing
 * or damaged file is reported, and its content never guessed.
 */
import { crc32 } from 'node:zlib';
import { fail, Failure } from '../../../language/failure/failure.ts';
import { joinPath, withFile, type Disk, type DiskFile } from '../disk.ts';
import type { InspectionTables, KeptTable, TableColumn, TableWriter } from './inspection-tables.ts';
import { decodePages, encodeRows, type Lines } from './table-rows.ts';

const prefix = 'inspection-';
const suffix = '.jsonl';
const format = 2;
const chunkBytes = 256 * 1024;

interface Head {
  readonly format: number;
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly about?: string;
}

/**
 * The second line: checksums of the first line and of everything after the second, and the number of rows; every number
 * has ten digits.
 */
interface Sums {
  readonly head: number;
  readonly body: number;
  readonly rows: number;
}

export function createInspectionFiles(disk: Disk, directory: string): InspectionTables {
  const fileOf = (name: string): string => `${prefix}${tableFileName(name)}${suffix}`;
  /** The checksum of a whole file is verified once for each content. */
  const sound = new Map<string, string>();
  return {
    write: async (name, head) => {
      const file = fileOf(name);
      const made = `${file}.new`;
      return orUnkept(name, async () => {
        if ((await disk.list(directory)).includes(made)) await disk.remove(joinPath(directory, made));
        return writeTable(disk, joinPath(directory, made), { format, name, ...head }, async () => {
          await disk.rename(joinPath(directory, made), joinPath(directory, file));
          await disk.syncDirectory(directory);
        });
      });
    },
    open: async (name) => {
      const file = fileOf(name);
      if (!(await disk.list(directory)).includes(file)) return 'missing';
      const path = joinPath(directory, file);
      const found = await withFile(disk, path, 'read', readHead);
      if (found === undefined) return 'damaged';
      const stamp = `${found.size} ${sumsLine(found.sums)}`;
      if (sound.get(file) !== stamp) {
        if (!(await withFile(disk, path, 'read', (open) => isSound(open, found)))) return 'damaged';
        sound.set(file, stamp);
      }
      return keptTable(disk, path, found);
    },
    remove: async (name) => {
      const file = fileOf(name);
      if (!(await disk.list(directory)).includes(file)) return;
      await disk.remove(joinPath(directory, file));
      await disk.syncDirectory(directory);
    },
    names: async () =>
      (await disk.list(directory))
        .filter((file) => file.startsWith(prefix) && file.endsWith(suffix))
        .map((file) => file.slice(prefix.length, -suffix.length)),
  };
}

/** Names of tables, after a prefix for some, are accepted by their form and never rewritten: a path is made of them. */
export function tableFileName(name: string): string {
  if (!/^([a-z]+\.)?[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name))
    throw new Error(`${JSON.stringify(name)} is no name of a table`);
  return name.toLowerCase();
}

async function writeTable(disk: Disk, path: string, head: Head, takePlace: () => Promise<void>): Promise<TableWriter> {
  const file = await disk.open(path, 'create');
  const first = Buffer.from(`${JSON.stringify(head)}\n`);
  let sums: Sums = { head: crc32(first), body: 0, rows: 0 };
  let end = first.length;
  const discard = async (): Promise<void> => {
    await file.close().catch(() => undefined);
    await disk.remove(path).catch(() => undefined);
  };
  const attempt = (work: () => Promise<void>): Promise<void> =>
    orUnkept(head.name, async () => {
      try {
        await work();
      } catch (error) {
        // An incomplete table would take the room that the log needs.
        await discard();
        throw error;
      }
    });
  const second = Buffer.from(sumsLine(sums));
  await attempt(() => file.write(Buffer.concat([first, second]), 0));
  end += second.length;
  return {
    add: async (rows) => {
      const bytes = Buffer.from(encodeRows(head.columns, rows));
      await attempt(() => file.write(bytes, end));
      end += bytes.length;
      sums = { ...sums, body: crc32(bytes, sums.body), rows: sums.rows + rows.length };
    },
    keep: () =>
      attempt(async () => {
        await file.write(Buffer.from(sumsLine(sums)), first.length);
        await file.sync();
        await file.close();
        await takePlace();
      }),
    discard,
  };
}

/** Runs a part of writing a table; a failure of the disk is an R0415. */
async function orUnkept<T>(table: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw fail('R0415', { table, reason: error instanceof Error ? error.message : String(error) });
  }
}

function sumsLine({ head, body, rows }: Sums): string {
  return `${[head, body, rows].map((number) => String(number).padStart(10, '0')).join(' ')}\n`;
}

interface FoundHead {
  readonly head: Head;
  readonly sums: Sums;
  readonly size: number;
  readonly bodyAt: number;
}

/** Undefined when the head is incomplete, or has another format. */
async function readHead(file: DiskFile): Promise<FoundHead | undefined> {
  const size = await file.size();
  let bytes = Buffer.alloc(0);
  for (;;) {
    const end = bytes.indexOf(10);
    const bodyAt = end < 0 ? 0 : bytes.indexOf(10, end + 1) + 1;
    if (bodyAt > 0) {
      const sums = readSums(bytes.toString('utf8', end + 1, bodyAt - 1));
      if (sums === undefined || crc32(bytes.subarray(0, end + 1)) !== sums.head) return undefined;
      const head = JSON.parse(bytes.toString('utf8', 0, end)) as Head;
      return head.format === format ? { head, sums, size, bodyAt } : undefined;
    }
    const more = Buffer.alloc(chunkBytes);
    const filled = await file.read(more, bytes.length);
    if (filled === 0) return undefined;
    bytes = Buffer.concat([bytes, more.subarray(0, filled)]);
  }
}

function readSums(line: string): Sums | undefined {
  const [, head, body, rows] = /^(\d{10}) (\d{10}) (\d{10})$/.exec(line) ?? [];
  return head === undefined ? undefined : { head: Number(head), body: Number(body), rows: Number(rows) };
}

async function isSound(file: DiskFile, { sums, bodyAt }: FoundHead): Promise<boolean> {
  let sum = 0;
  for await (const chunk of chunks(file, bodyAt)) sum = crc32(chunk, sum);
  return sum === sums.body;
}

async function* chunks(file: DiskFile, from: number): AsyncGenerator<Buffer> {
  for (let at = from; ;) {
    const chunk = Buffer.alloc(chunkBytes);
    const filled = await file.read(chunk, at);
    if (filled === 0) return;
    at += filled;
    yield chunk.subarray(0, filled);
  }
}

function keptTable(disk: Disk, path: string, { head, sums, bodyAt }: FoundHead): KeptTable {
  const { columns, about } = head;
  async function* pages(): AsyncGenerator<Lines> {
    const file = await disk.open(path, 'read');
    try {
      yield* linesOf(file, bodyAt);
    } finally {
      await file.close();
    }
  }
  return {
    columns,
    ...(about !== undefined && { about }),
    rows: sums.rows,
    pages: (offset) => decodePages(columns, pages(), offset),
  };
}

/** The lines that end in each chunk. */
async function* linesOf(file: DiskFile, from: number): AsyncGenerator<Lines> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks(file, from)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
    if (lines.length > 0) yield { rows: lines.length, lines: () => lines };
  }
}
