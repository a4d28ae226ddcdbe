/** Reads the output of `exportStore` into an empty store of any kind. */
import { crc32 } from 'node:zlib';
import { fail } from '../../../language/failure/failure.ts';
import type { LogEntry } from '../entry.ts';
import type { Store } from '../store.ts';
import { encodeLine } from '../line.ts';
import { checkEntry } from '../check-entry.ts';
import { exportFormat, readExportFormats } from './export-store.ts';

/** Entries of one turn, so that a large store is not collected in memory first. */
const batchEntries = 500;

/**
 * Opens a store with the export's secret and fills it; resolves with it. Throws a `Failure` R0407 that names the line
 * when the text is incomplete or damaged; the store then contains the batches before it and is closed, so the directory
 * must be deleted.
 *
 * With `isOfAnother` a store with the first entries of the export is filled further; one with others fails with this error.
 */
export async function importStore(
  lines: AsyncIterable<string>,
  open: (secret: string) => Promise<Store>,
  isOfAnother?: () => Error,
): Promise<Store> {
  const iterator = lines[Symbol.asyncIterator]();
  let number = 0;
  let checksum = 0;
  const next = async (): Promise<{ line: string; value: unknown; before: number } | undefined> => {
    const step = await iterator.next();
    if (step.done === true) return undefined;
    number += 1;
    const before = checksum;
    checksum = crc32(`${step.value}\n`, checksum);
    return { line: step.value, value: parse(step.value, number), before };
  };
  const secret = headOf((await next())?.value);
  const store = await open(secret);
  try {
    const had = store.turns.position().entry;
    const differs = isOfAnother ?? (() => problem(1, 'the store to import into is not empty'));
    if (had !== 0 && isOfAnother === undefined) throw differs();
    if (had !== 0 && Buffer.from(store.secret).toString('hex') !== secret) throw differs();
    const stored = store.log.read(1)[Symbol.asyncIterator]();
    let batch: LogEntry[] = [];
    let imported = 0;
    for (let item = await next(); ; item = await next()) {
      if (item === undefined) throw problem(number, 'the end is missing');
      const end = endOf(item.value);
      if (end !== undefined) {
        await appendBatch(store, batch, number - batch.length);
        imported += batch.length;
        if (imported < had) throw differs();
        if (end.end !== imported || end.checksum !== item.before) throw problem(number, 'lines are missing or damaged');
        if ((await next()) !== undefined) throw problem(number, 'there is text after the end');
        return store;
      }
      const wrong = checkEntry(item.value);
      if (wrong !== undefined) throw problem(number, wrong);
      const entry = item.value as LogEntry; // checked on the line before
      if (imported < had) {
        const step = await stored.next();
        if (step.done === true || encodeLine(step.value) !== encodeLine(entry)) throw differs();
        imported += 1;
        continue;
      }
      batch.push(entry);
      if (batch.length < batchEntries) continue;
      await appendBatch(store, batch, number - batch.length + 1);
      imported += batch.length;
      batch = [];
    }
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function appendBatch(store: Store, entries: readonly LogEntry[], firstLine: number): Promise<void> {
  await store.turns.exclusively((turn) => {
    for (const [index, entry] of entries.entries()) {
      const { number, at, ...body } = entry;
      let appended: LogEntry;
      try {
        appended = turn.append(body, BigInt(at));
      } catch (error) {
        throw error instanceof Error && error.message.includes('cannot follow')
          ? problem(firstLine + index, error.message)
          : error;
      }
      if (appended.number !== number || appended.at !== at)
        throw problem(firstLine + index, `entry ${number} is out of order`);
    }
  });
}

function headOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('schemac' in value) || value.schemac !== 'log') {
    throw problem(1, 'it does not begin as an export does');
  }
  const { format, secret } = value as { readonly format?: unknown; readonly secret?: unknown };
  if (!readExportFormats.includes(format)) {
    const known = `this version reads the formats ${readExportFormats.join(', ')}`;
    const newer = typeof format === 'number' && format > exportFormat ? ', which a newer schemac wrote' : '';
    const found = format === undefined ? 'no format' : `format ${JSON.stringify(format)}`;
    throw problem(1, `it has ${found}${newer}; ${known}`);
  }
  if (typeof secret !== 'string' || !/^[0-9a-f]{64}$/.test(secret)) throw problem(1, 'it has no secret');
  return secret;
}

function endOf(value: unknown): { readonly end: unknown; readonly checksum: unknown } | undefined {
  return typeof value === 'object' && value !== null && 'end' in value && 'checksum' in value ? value : undefined;
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw problem(number, 'it is no JSON');
  }
}

function problem(line: number, what: string): Error {
  return fail('R0407', { line, problem: what });
}
