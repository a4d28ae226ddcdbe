/**
 * `subscriptions.log` in the data directory: a line for each change, `CRC-32 JSON`, appended and synced before a consumer is answered, all lines
 * of a moment with one sync. The file is written again, short, when it has grown to four times what it says.
 */
import { fail } from '../../../language/failure/failure.ts';
import { joinPath, wholeContent, type Disk, type DiskFile, type StoreLog } from '../disk.ts';
import { applyChange, changesOf, newState, type ConsumerChange, type ConsumerState } from './consumer-state.ts';
import { checksumOf } from './sealed-file.ts';
import { createConsumers, type Consumers } from './consumers.ts';

export const consumerFileName = 'subscriptions.log';
const temporaryName = 'subscriptions.new';
/** A file below this size is never written again. */
const smallestRewrite = 256 * 1024;
const growth = 4;

interface Line {
  readonly s: string;
  readonly c: readonly ConsumerChange[];
}

/** Opens the file, which is created with the first change. A torn end is cut; a line that is damaged elsewhere stops every subscription. */
export async function openConsumerFile(disk: Disk, directory: string, log: StoreLog): Promise<Consumers> {
  const path = joinPath(directory, consumerFileName);
  const names = await disk.list(directory);
  if (names.includes(temporaryName)) await disk.remove(joinPath(directory, temporaryName));
  const states = new Map<string, ConsumerState>();
  let file: DiskFile | undefined = names.includes(consumerFileName) ? await disk.open(path, 'write') : undefined;
  let length = 0;
  let rewriteAt = smallestRewrite;
  let isUnsure = false;
  let problem: string | undefined;
  let stops: readonly { readonly name: string; readonly reason: string }[] = [];
  let isDirectoryUnsure = false;
  if (file !== undefined) {
    const found = readLines(await wholeContent(file));
    for (const { s, c } of found.lines) for (const change of c) applyChange(stateIn(states, s), change);
    length = found.length;
    isUnsure = true; // a torn end is cut before the next write
    if (found.damaged !== undefined) {
      const reason = `${consumerFileName} is damaged at byte ${found.damaged}; say where to begin with start and a position`;
      log('error', reason);
      stops = [...states.keys()].map((name) => ({ name, reason }));
    }
  }

  let waiting: { readonly bytes: Buffer; readonly resolve: () => void; readonly reject: (error: unknown) => void }[] =
    [];
  let writing: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await append(Buffer.concat(batch.map(({ bytes }) => bytes)));
        problem = undefined;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        isUnsure = true;
        const why = error instanceof Error ? error.message : String(error);
        problem = `the positions of subscriptions cannot be written: ${why}`;
        log('warn', problem);
        for (const { reject } of batch) reject(fail('R0416', { reason: why }));
      }
    }
    writing = undefined;
  };
  const append = async (bytes: Buffer): Promise<void> => {
    if (file === undefined) {
      file = await disk.open(path, 'create');
      isDirectoryUnsure = true;
    }
    if (isDirectoryUnsure) await disk.syncDirectory(directory);
    isDirectoryUnsure = false;
    // After a failed write the file may have a part of it.
    if (isUnsure) await file.truncate(length);
    isUnsure = true;
    await file.writeThrough(bytes, length);
    isUnsure = false;
    length += bytes.byteLength;
    if (length >= rewriteAt) await rewrite();
  };
  /** The appended lines are durable, and their changes not applied yet: they follow the short file. */
  const rewrite = async (): Promise<void> => {
    const old = file;
    if (old === undefined) return;
    const folded = new Map<string, ConsumerState>();
    for (const { s, c } of readLines(await wholeContent(old)).lines)
      for (const change of c) applyChange(stateIn(folded, s), change);
    const bytes = Buffer.concat(
      [...folded].flatMap(([s, state]) => {
        const c = changesOf(state);
        return c.length === 0 ? [] : [encodeLine({ s, c })];
      }),
    );
    rewriteAt = Math.max(smallestRewrite, bytes.byteLength * growth);
    const temporary = joinPath(directory, temporaryName);
    try {
      const next = await disk.open(temporary, 'create');
      await next.write(bytes, 0);
      await next.sync();
      await disk.rename(temporary, path);
      // From here on the short file is the file, whatever fails.
      file = next;
      length = bytes.byteLength;
      isDirectoryUnsure = true;
      await old.close();
    } catch (error) {
      // The long file is as good; it is tried again when it has grown further.
      rewriteAt = length * 2;
      log(
        'warn',
        `${consumerFileName} could not be shortened: ${error instanceof Error ? error.message : String(error)}`,
      );
      if ((await disk.list(directory)).includes(temporaryName)) await disk.remove(temporary);
    }
  };

  const consumers = createConsumers(
    states,
    (s, c) =>
      new Promise((resolve, reject) => {
        waiting.push({ bytes: encodeLine({ s, c }), resolve, reject });
        writing ??= writeAll();
      }),
    {
      notes: () => (problem === undefined ? [] : [problem]),
      close: async () => {
        await writing;
        await file?.close();
      },
    },
  );
  for (const { name, reason } of stops)
    await consumers.turn(name, () => ({ changes: [{ is: 'stopped', reason }], result: () => undefined }));
  return consumers;
}

function stateIn(states: Map<string, ConsumerState>, name: string): ConsumerState {
  const known = states.get(name) ?? newState();
  states.set(name, known);
  return known;
}

function encodeLine(line: Line): Buffer {
  const text = JSON.stringify(line);
  return Buffer.from(`${checksumOf(text)} ${text}\n`);
}

/** The lines up to the first that is not whole. `damaged`: whole lines follow it, so it is no torn end. */
function readLines(bytes: Buffer): {
  readonly lines: readonly Line[];
  readonly length: number;
  readonly damaged?: number;
} {
  const lines: Line[] = [];
  let good = 0;
  let damaged: number | undefined;
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    if (end < 0) break;
    const line = decodeLine(bytes.toString('utf8', at, end));
    if (line === undefined) damaged ??= at;
    else {
      lines.push(line);
      good = end + 1;
    }
    at = end + 1;
  }
  return { lines, length: good, ...(damaged !== undefined && damaged < good && { damaged }) };
}

function decodeLine(text: string): Line | undefined {
  const body = text.slice(9);
  if (text.slice(0, 9) !== `${checksumOf(body)} `) return undefined;
  return JSON.parse(body) as Line; // the checksum says that this program wrote it
}
