import { existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { LogEntry } from '../../runtime/store/entry.ts';
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import type { Store, StorePosition } from '../../runtime/store/store.ts';
import type { LogFinding } from '../../runtime/store/log/verify.ts';
import type { Run } from '../declaration.ts';
import { inputFault, usageFault, type ExitStatus } from '../exit-fault.ts';
import { createEntryMask } from '../log/mask-entry.ts';
import { writeJsonLine } from '../shell.ts';
import { withProgress } from '../progress.ts';
import { logPlace, readModelPlace, type LogDirectory, type LogPlace } from '../log/log-place.ts';
import type { Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { productVersion } from '../version.ts';

/** `schemac log verify`: the content of every segment, and all damage. A torn tail is not damage: the next start cuts it. */
export const runLogVerify: Run = async (shell, _words, flags) => {
  if (typeof flags['archive'] === 'string') {
    if (flags['readModel'] === true) throw usageFault('--archive and --read-model are two checks; name one');
    const { verifyArchiveOf } = await import('../log/archive.ts');
    return verifyArchiveOf(shell, flags, flags['archive'], async () => openLog(await logPlace(shell, flags)));
  }
  if (flags['readModel'] === true) {
    const { directory, log } = await readModelPlace(shell, flags);
    const { verifyReadModel } = await import('../log/verify-read-model.ts');
    return verifyReadModel(shell, existing(directory), flags, () => openLog(log));
  }
  const place = await logPlace(shell, flags);
  let verdict = 'the log is sound';
  const tell = (finding: LogFinding): void => {
    if (flags['json'] === true) writeJsonLine(shell.output, finding);
    else shell.output.write(`${findingText(finding)}\n`);
  };
  for await (const finding of await findings(place)) {
    if (finding.finding === 'damage') verdict = 'the log is damaged';
    else if (finding.finding === 'newer' && verdict === 'the log is sound') verdict = 'the log needs a newer schemac';
    tell(finding);
  }
  if (verdict === 'the log is sound') {
    const { unreadableEvents } = await import('../../server/archive/unreadable-events.ts');
    const log = await openLog(place, { needsSecret: false });
    try {
      for await (const problem of unreadableEvents(log, productVersion())) {
        verdict = 'the log is intact, and has values that cannot be read';
        tell({ finding: 'unreadable', problem });
      }
    } finally {
      await log.close();
    }
  }
  if (flags['json'] !== true) shell.output.write(`${verdict}\n`);
  return verdict === 'the log is sound' ? 0 : 1;
};

async function findings(place: LogPlace): Promise<AsyncIterable<LogFinding>> {
  if (place.kind === 'database') {
    const { verifyDatabaseLog } = await import('../../runtime/store/postgres/database-log.ts');
    return verifyDatabaseLog(place);
  }
  const { verifyLog } = await import('../../runtime/store/log/verify.ts');
  return verifyLog(existing(place));
}

/** `schemac log dump`: one JSON line per entry, sensitive values masked; for a damaged log, all entries before the damage. */
export const runLogDump: Run = async (shell, _words, flags) => {
  const place = await logPlace(shell, flags);
  const { parseScript } = await import('../../compiler/index.ts');
  const mask = createEntryMask(parseScript);
  for await (const entry of await dumped(place)) {
    writeJsonLine(shell.output, mask(entry));
    await shell.output.drained();
    if (shell.output.closed()) break;
  }
  return 0;
};

async function dumped(place: LogPlace): Promise<AsyncIterable<LogEntry>> {
  if (place.kind === 'database') {
    const { dumpDatabaseLog } = await import('../../runtime/store/postgres/database-log.ts');
    return dumpDatabaseLog(place);
  }
  const { dumpLog } = await import('../../runtime/store/log/verify.ts');
  return dumpLog(existing(place));
}

/**
 * `schemac log export <file>`: everything, in the clear. With `--format`, an archive of events for other tools. Needs no ownership, so data
 * on a full or read-only disk can be saved too.
 */
export const runLogExport: Run = async (shell, [file], flags) => {
  const { archiveFlags, exportToArchive } = await import('../log/archive.ts');
  if (flags['format'] !== undefined) {
    if (file !== undefined) throw usageFault(`an archive is a folder, which --out names; leave '${file}' out`);
    // For a log `out` is the folder of the generated server.
    const { out: _, ...others } = flags;
    return exportToArchive(shell, flags, async () => openLog(await logPlace(shell, others), { durable: true }));
  }
  const only = archiveFlags.find((flag) => flags[flag] !== undefined);
  if (only !== undefined) throw usageFault(`--${only} is for an archive: add --format`);
  if (file === undefined) throw usageFault('name the file to write, or with --format and --out an archive');
  return exportToFile(shell, file, flags);
};

/** `schemac log snapshot <file>`: the tables of the read model as an SQLite file, also while a server runs. */
export const runLogSnapshot: Run = async (shell, [file = ''], flags) => {
  const path = resolve(shell.cwd, file);
  if (existsSync(path)) throw inputFault(`'${file}' already exists`);
  const { writeSnapshot } = await import('../../server/archive/write-snapshot.ts');
  const log = await openLog(await logPlace(shell, flags));
  try {
    const report = await withProgress(shell, 'writing the tables', () => writeSnapshot(log, path, productVersion()));
    if (flags['json'] === true) writeJsonLine(shell.output, { file: path, ...report });
    else shell.output.write(`the tables at position ${report.position} are in ${path}\n`);
  } finally {
    await log.close();
  }
  shell.messages.write('the file contains sensitive values in the clear\n');
  return 0;
};

/** `durable`: a power cut takes nothing of it from then on. */
async function openLog(
  place: LogPlace,
  { durable = false, needsSecret = true }: { readonly durable?: boolean; readonly needsSecret?: boolean } = {},
): Promise<OpenLog> {
  if (place.kind === 'database') {
    const { openDatabaseLog } = await import('../../runtime/store/postgres/database-log.ts');
    return openDatabaseLog(place, { needsSecret });
  }
  const { openDirectoryLog } = await import('../../runtime/store/transfer/open-log.ts');
  return openDirectoryLog(existing(place), { durable });
}

async function exportToFile(shell: Shell, file: string, flags: Flags): Promise<ExitStatus> {
  const asJson = flags['json'] === true;
  if (asJson && file === '-') throw usageFault('--json reports on stdout, where - writes the export; name a file');
  const place = await logPlace(shell, flags);
  const { exportStore } = await import('../../runtime/store/transfer/export-store.ts');
  const store = await openLog(place);
  try {
    const lines = counted(exportStore(store, store.secret));
    const total = store.entries;
    const said = (): string => `${Math.min(lines.count(), total)} of ${total} entries exported`;
    if (file === '-') await printLines(shell, lines.all);
    else await withProgress(shell, said, () => writeLines(resolve(shell.cwd, file), file, lines.all));
    if (asJson) writeJsonLine(shell.output, { file: resolve(shell.cwd, file), entries: total });
  } finally {
    await store.close();
  }
  shell.messages.write('the export contains sensitive values in the clear\n');
  return 0;
}

/** `schemac log import <file>` into a directory without a log, or into an empty log of a database. */
export const runLogImport: Run = async (shell, [file], flags) => {
  const place = await logPlace(shell, flags);
  if (flags['discard'] === true) return discarded(shell, file, place, flags['json'] === true);
  if (file === undefined) throw usageFault('name the file that log export wrote; - is stdin');
  const path = resolve(shell.cwd, file);
  if (file !== '-' && !existsSync(path)) throw inputFault(`there is no file '${file}'`);
  const input: Readable = file === '-' ? shell.input : (await open(path)).createReadStream();
  const lines = counted(createInterface({ input, crlfDelay: Infinity }));
  const { size } = file === '-' ? { size: 0 } : await stat(path);
  let paused: readonly string[] = [];
  const pause = async (store: Store): Promise<void> => {
    await requireReadable(store);
    const { pauseReactions } = await import('../../runtime/delivery/reaction/pause-reactions.ts');
    paused = await pauseReactions(store, 'log import');
  };
  const share = (): string =>
    size === 0 ? '' : ` (${Math.min(100, Math.floor((100 * lines.characters()) / size))} %)`;
  const { entry, event } = await withProgress(
    shell,
    () => `${lines.count()} lines imported${share()}`,
    () => imported(lines.all, place, pause),
  );
  const numbers = { entries: entry, events: event };
  if (flags['json'] === true) {
    const to = place.kind === 'directory' ? { directory: place.directory } : { eventstore: place.eventstore };
    writeJsonLine(shell.output, { ...to, ...numbers, ...(paused.length > 0 && { paused }) });
  } else {
    const to = place.kind === 'directory' ? place.directory : `event store ${place.eventstore}`;
    shell.output.write(`imported ${entry} entries, ${event} events to ${to}\n`);
    if (paused.length > 0)
      shell.output.write(
        `paused, so that nothing is executed a second time: ${paused.join(', ')}; POST /api/reactions/<name>/start lets a reaction go on\n`,
      );
  }
  return 0;
};

/** Refuses an import with an event that no reader takes: once in place, it could not be removed. */
async function requireReadable(store: Store): Promise<void> {
  const { unreadableEvents } = await import('../../server/archive/unreadable-events.ts');
  for await (const problem of unreadableEvents(store.log, productVersion()))
    throw inputFault(`nothing is imported: ${problem}`);
}

async function discarded(
  shell: Shell,
  file: string | undefined,
  place: LogPlace,
  asJson: boolean,
): Promise<ExitStatus> {
  if (file !== undefined) throw usageFault('--discard takes no file: it only gives up what was interrupted');
  if (place.kind === 'directory')
    throw usageFault(
      '--discard is for a log in PostgreSQL: an interrupted import into a directory leaves no log there',
    );
  const { discardImport } = await import('../../runtime/store/postgres/import-database.ts');
  const { eventstore } = place;
  if (!(await discardImport(place))) throw inputFault(`event store ${eventstore} has no interrupted import`);
  if (asJson) writeJsonLine(shell.output, { eventstore, discarded: true });
  else shell.output.write(`gave up the interrupted import into event store ${eventstore}\n`);
  return 0;
}

async function imported(
  lines: AsyncIterable<string>,
  place: LogPlace,
  finish: (store: Store) => Promise<void>,
): Promise<StorePosition> {
  if (place.kind === 'database') {
    const { importDatabase } = await import('../../runtime/store/postgres/import-database.ts');
    return importDatabase(lines, place, { product: productVersion(), finish });
  }
  const { importDirectory } = await import('../../runtime/store/embedded/import-directory.ts');
  return importDirectory(lines, place.directory, finish);
}

function existing({ directory }: LogDirectory): string {
  if (!existsSync(directory)) throw inputFault(`there is no data directory ${directory}`);
  return directory;
}

function findingText(finding: LogFinding): string {
  switch (finding.finding) {
    case 'segment':
      return `${finding.file}: entries ${finding.firstEntry} to ${finding.lastEntry}, ${finding.bytes} bytes`;
    case 'rows':
      return `${finding.place}: ${finding.entries} entries, ${finding.events} events`;
    case 'torn':
      return `${finding.file}, byte ${finding.offset}: torn tail, cut at the next start (${finding.problem})`;
    case 'damage':
    case 'unreadable':
    case 'newer':
      return finding.problem;
  }
}

async function printLines(shell: Shell, lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    shell.output.write(`${line}\n`);
    await shell.output.drained();
    if (shell.output.closed()) return;
  }
}

/** Writes a new file, accessible only to its owner. It has another name until it is complete, because a part of an export is useless. */
async function writeLines(path: string, shown: string, lines: AsyncIterable<string>): Promise<void> {
  if (existsSync(path)) throw inputFault(`'${shown}' already exists`);
  const part = `${path}.part`;
  const target = await open(part, 'w', 0o600);
  try {
    try {
      for await (const line of lines) await target.write(`${line}\n`);
      await target.sync();
    } finally {
      await target.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** The lines, and a count of those that were read. */
function counted(lines: AsyncIterable<string>): {
  readonly all: AsyncIterable<string>;
  readonly count: () => number;
  readonly characters: () => number;
} {
  let [count, characters] = [0, 0];
  // Started at once: readline drops lines that it reads before the first request.
  const begun = lines[Symbol.asyncIterator]();
  const all = async function* (): AsyncGenerator<string, void, undefined> {
    for await (const line of { [Symbol.asyncIterator]: () => begun }) {
      count += 1;
      characters += line.length + 1;
      yield line;
    }
  };
  return { all: all(), count: () => count, characters: () => characters };
}
