import { crc32 } from 'node:zlib';
import { joinPath, type Disk, type DiskFile } from '../disk.ts';
import { isMissing } from '../disk/node-disk.ts';
import { createKeyFilter, type KeyFilter } from './key-filter.ts';
import {
  encodeEnd,
  heads,
  ids,
  ledgerFileName,
  pageBytes,
  partSuffix,
  sealPage,
  type Footer,
  type Section,
} from './layout.ts';
import type { Records } from './records.ts';

export interface LedgerFileContent {
  readonly heads: Records;
  readonly ids: Records;
  /** At most that many records. */
  readonly records: number;
  readonly about: Omit<Footer, 'heads' | 'ids' | 'filterBytes' | 'filterChecksum'>;
}

/** Pages that are written at once. */
const pagesPerWrite = 64;

/** Writes a ledger file and gives its name. The file is complete and durable before it has that name. */
export async function writeLedgerFile(
  disk: Disk,
  directory: string,
  { heads: headRecords, ids: idRecords, records, about }: LedgerFileContent,
  /** Throws when nothing may be written to the directory any longer. */
  check: () => void,
): Promise<string> {
  const name = ledgerFileName(about.from, about.entry);
  const part = joinPath(directory, name + partSuffix);
  check();
  try {
    await disk.remove(part);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const file = await disk.open(part, 'create');
  try {
    const out = createOutput(file);
    const filter = createKeyFilter(records);
    const counts = {
      heads: await writeSection(out, heads, headRecords, filter),
      ids: await writeSection(out, ids, idRecords, filter),
    };
    const bits = filter.bytes();
    await out.put(bits);
    await out.put(encodeEnd({ ...about, ...counts, filterBytes: bits.length, filterChecksum: crc32(bits) }));
    await out.flush();
    await file.sync();
  } finally {
    await file.close();
  }
  check();
  await disk.rename(part, joinPath(directory, name));
  await disk.syncDirectory(directory);
  return name;
}

interface Output {
  readonly put: (bytes: Uint8Array) => Promise<void>;
  readonly flush: () => Promise<void>;
  /** Number of pages that were put. */
  readonly pages: () => number;
}

function createOutput(file: DiskFile): Output {
  let gathered: Uint8Array[] = [];
  let size = 0;
  let position = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(gathered);
    gathered = [];
    size = 0;
    await file.write(bytes, position);
    position += bytes.length;
  };
  return {
    put: async (bytes) => {
      gathered.push(bytes);
      size += bytes.length;
      if (size >= pagesPerWrite * pageBytes) await flush();
    },
    flush,
    pages: () => (position + size) / pageBytes,
  };
}

async function writeSection(out: Output, section: Section, records: Records, filter: KeyFilter): Promise<number> {
  const { recordBytes, perPage, kind } = section;
  let count = 0;
  let page = Buffer.alloc(pageBytes);
  let filled = 0;
  const end = async (): Promise<void> => {
    sealPage(page, out.pages());
    await out.put(page);
    page = Buffer.alloc(pageBytes);
    filled = 0;
  };
  for await (const chunk of records) {
    for (let at = 0; at < chunk.length; at += recordBytes) {
      chunk.copy(page, filled * recordBytes, at, at + recordBytes);
      filter.add(chunk, at, kind);
      filled += 1;
      count += 1;
      if (filled === perPage) await end();
    }
  }
  if (filled > 0) await end();
  return count;
}
