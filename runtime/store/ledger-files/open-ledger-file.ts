/** A ledger file that is read: single records at once, whole sections in order. */
import { crc32 } from 'node:zlib';
import { joinPath, type Disk, type DiskFile } from '../disk.ts';
import { keyFilterOf } from './key-filter.ts';
import {
  decodeTrailer,
  heads,
  ids,
  isSealed,
  pageBytes,
  pagesOf,
  trailerBytes,
  type Footer,
  type Section,
} from './layout.ts';
import { readValue } from './records.ts';

/** The bytes of a ledger file are not those that were written. */
export class DamagedLedgerFile extends Error {}

export interface LedgerFile {
  readonly name: string;
  readonly footer: Footer;
  /** The values of the records with that key. Waits for the disk; throws a `DamagedLedgerFile`. */
  readonly find: (section: Section, key: Buffer) => readonly number[];
  /** All records of a section, in order. */
  readonly records: (section: Section) => AsyncGenerator<Buffer>;
  readonly close: () => Promise<void>;
}

/** Pages that are read at once. */
const pagesPerRead = 64;
/** Keys are random, so the place of one can be computed nearly; after this many steps a file is searched as any other. */
const guesses = 8;

/** Throws a `DamagedLedgerFile` if its end is not whole. */
export async function openLedgerFile(disk: Disk, directory: string, name: string): Promise<LedgerFile> {
  const path = joinPath(directory, name);
  const file = await disk.open(path, 'read');
  try {
    const { footer, filter } = await readEnd(file, path);
    return openedFile(file, name, path, footer, filter);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readEnd(
  file: DiskFile,
  path: string,
): Promise<{ readonly footer: Footer; readonly filter: Uint8Array }> {
  const damaged = (problem: string): Error => new DamagedLedgerFile(`${path} is damaged: ${problem}`);
  const size = await file.size();
  const read = async (length: number, end: number): Promise<Buffer> => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, end)));
    await file.read(bytes, end - bytes.length);
    return bytes;
  };
  const trailer = decodeTrailer(await read(trailerBytes, size));
  if (trailer === undefined) throw damaged('it has no end');
  const json = await read(trailer.length, size - trailerBytes);
  if (json.length !== trailer.length || crc32(json) !== trailer.checksum)
    throw damaged('the checksum of its footer does not hold');
  const footer = JSON.parse(json.toString()) as Footer; // as its writer made it: the checksum holds
  const filter = await read(footer.filterBytes, size - trailerBytes - json.length);
  if (filter.length !== footer.filterBytes || crc32(filter) !== footer.filterChecksum)
    throw damaged('the checksum of its filter does not hold');
  const whole = (pagesOf(heads, footer.heads) + pagesOf(ids, footer.ids)) * pageBytes;
  if (size !== whole + filter.length + json.length + trailerBytes) throw damaged('it has another length');
  return { footer, filter };
}

function openedFile(file: DiskFile, name: string, path: string, footer: Footer, bits: Uint8Array): LedgerFile {
  const filter = keyFilterOf(bits);
  const page = Buffer.alloc(pageBytes);
  const count = (section: Section): number => footer[section.name];
  const firstPage = (section: Section): number => (section === heads ? 0 : pagesOf(heads, footer.heads));
  const damagedPage = (place: number): Error =>
    new DamagedLedgerFile(`${path} is damaged: page ${place + 1} does not have its checksum`);
  /** Number of records on the page of the section. */
  const filled = (section: Section, place: number): number =>
    Math.min(section.perPage, count(section) - place * section.perPage);

  /** Reads a page of the section; gives the number of its records. */
  const load = (section: Section, place: number): number => {
    const at = firstPage(section) + place;
    if (file.readNow(page, at * pageBytes) !== pageBytes || !isSealed(page, at)) throw damagedPage(at);
    return filled(section, place);
  };
  /** The order of the key and that of the record, in the page that was read. */
  const against = ({ recordBytes, keyBytes }: Section, key: Buffer, record: number): number =>
    page.compare(key, 0, keyBytes, record * recordBytes, record * recordBytes + keyBytes) * -1;

  /** A page that has the key, if there is one; it is loaded. */
  const search = (section: Section, key: Buffer): number | undefined => {
    const pages = pagesOf(section, count(section));
    let [low, high] = [0, pages - 1];
    let place = Math.floor(fraction(key, 0) * pages);
    for (let step = 1; low <= high; step += 1) {
      if (step > guesses) place = (low + high) >> 1;
      place = Math.min(high, Math.max(low, place));
      const records = load(section, place);
      const distance = (fraction(key, 0) - fraction(page, 0)) * pages;
      if (against(section, key, 0) < 0) {
        high = place - 1;
        place -= Math.max(1, Math.ceil(-distance));
      } else if (against(section, key, records - 1) > 0) {
        low = place + 1;
        place += Math.max(1, Math.floor(distance));
      } else return place;
    }
    return undefined;
  };

  /** Adds the values of the key in the loaded page. */
  const collect = (section: Section, key: Buffer, records: number, values: number[]): void => {
    let [low, high] = [0, records];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (against(section, key, middle) > 0) low = middle + 1;
      else high = middle;
    }
    for (; low < records && against(section, key, low) === 0; low += 1)
      values.push(readValue(page, low * section.recordBytes, section));
  };

  async function* records(section: Section): AsyncGenerator<Buffer> {
    const pages = pagesOf(section, count(section));
    for (let first = 0; first < pages; first += pagesPerRead) {
      const some = Math.min(pagesPerRead, pages - first);
      const bytes = Buffer.allocUnsafe(some * pageBytes);
      const at = firstPage(section) + first;
      const read = await file.read(bytes, at * pageBytes);
      for (let index = 0; index < some; index += 1) {
        const one = bytes.subarray(index * pageBytes, (index + 1) * pageBytes);
        if (read < (index + 1) * pageBytes || !isSealed(one, at + index)) throw damagedPage(at + index);
        yield one.subarray(0, filled(section, first + index) * section.recordBytes);
      }
    }
  }

  return {
    name,
    footer,
    find: (section, key) => {
      if (count(section) === 0 || !filter.mayHave(key, 0, section.kind)) return [];
      const found = search(section, key);
      if (found === undefined) return [];
      const values: number[] = [];
      const records = filled(section, found);
      collect(section, key, records, values);
      // Records of one key may be in several pages.
      const [isFirst, isLast] = [against(section, key, 0) === 0, against(section, key, records - 1) === 0];
      for (let place = found - 1, goOn = isFirst; goOn && place >= 0; place -= 1) {
        collect(section, key, load(section, place), values);
        goOn = against(section, key, 0) === 0;
      }
      const pages = pagesOf(section, count(section));
      for (let place = found + 1, goOn = isLast; goOn && place < pages; place += 1) {
        const next = load(section, place);
        collect(section, key, next, values);
        goOn = against(section, key, next - 1) === 0;
      }
      return values;
    },
    records,
    close: file.close,
  };
}

/** The first bytes of a key, which are random, as a number below 1. */
function fraction(bytes: Buffer, at: number): number {
  return bytes.readUIntBE(at, 6) / 2 ** 48;
}
