import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { LogFinding } from '../../runtime/store/log/verify.ts';
import type { Run } from '../declaration.ts';
import { inputFault } from '../exit-fault.ts';
import { createEntryMask } from '../log/mask-entry.ts';
import { writeJsonLine } from '../output/json-line.ts';
import { withProgress } from '../progress.ts';
import { resolveSettings, type Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

/** `schemac log verify`: what every segment holds, and what is wrong. A torn tail is no fault: the next start cuts it. */
export const runLogVerify: Run = async (shell, _words, flags) => {
  const directory = existingDirectory(shell, flags);
  const { verifyLog } = await import('../../runtime/store/log/verify.ts');
  let damaged = false;
  for await (const finding of verifyLog(directory)) {
    if (finding.finding === 'damage') damaged = true;
    if (flags['json'] === true) writeJsonLine(shell.output, finding);
    else shell.output.write(`${findingText(finding)}\n`);
  }
  if (flags['json'] !== true) shell.output.write(damaged ? 'the log is damaged\n' : 'the log is sound\n');
  return damaged ? 1 : 0;
};

/** `schemac log dump`: one JSON line an entry, sensitive values masked; of a damaged log, all that stand before the damage. */
export const runLogDump: Run = async (shell, _words, flags) => {
  const directory = existingDirectory(shell, flags);
  const { dumpLog } = await import('../../runtime/store/log/verify.ts');
  const { parseScript } = await import('../../compiler/index.ts');
  const mask = createEntryMask(parseScript);
  for await (const entry of dumpLog(directory)) {
    writeJsonLine(shell.output, mask(entry));
    await shell.output.drained();
    if (shell.output.closed()) break;
  }
  return 0;
};

/** `schemac log export <file>`: everything, in the clear. Needs no ownership, so a full or read-only disk can be saved too. */
export const runLogExport: Run = async (shell, [file = '-'], flags) => {
  const directory = existingDirectory(shell, flags);
  const { openReadOnlyStore } = await import('../../runtime/store/embedded/read-only-store.ts');
  const { exportStore } = await import('../../runtime/store/transfer/export-store.ts');
  const store = await openReadOnlyStore({ directory });
  try {
    if (file === '-') await printLines(shell, exportStore(store));
    else await withProgress(shell, 'exporting', () => writeLines(resolve(shell.cwd, file), file, exportStore(store)));
  } finally {
    await store.close();
  }
  shell.messages.write('the export holds sensitive values in the clear\n');
  return 0;
};

/** `schemac log import <file>` into a directory without a log. */
export const runLogImport: Run = async (shell, [file = '-'], flags) => {
  const directory = dataDirectory(shell, flags);
  const { openEmbeddedStore } = await import('../../runtime/store/embedded/embedded-store.ts');
  const { importStore } = await import('../../runtime/store/transfer/import-store.ts');
  const path = resolve(shell.cwd, file);
  if (file !== '-' && !existsSync(path)) throw inputFault(`there is no file '${file}'`);
  const input: Readable = file === '-' ? shell.input : (await open(path)).createReadStream();
  const lines = createInterface({ input, crlfDelay: Infinity });
  const store = await withProgress(shell, 'importing', () =>
    importStore(lines, (secret) => openEmbeddedStore({ directory, readModel: 'inline', secret })),
  );
  const { entry, event } = store.position();
  await store.close();
  shell.output.write(`imported ${entry} entries, ${event} events to ${directory}\n`);
  return 0;
};

/** The data directory of the settings, else `./data`. */
function dataDirectory(shell: Shell, flags: Flags): string {
  return resolveSettings(shell, flags).data ?? resolve(shell.cwd, 'data');
}

function existingDirectory(shell: Shell, flags: Flags): string {
  const directory = dataDirectory(shell, flags);
  if (!existsSync(directory)) throw inputFault(`there is no data directory ${directory}`);
  return directory;
}

function findingText(finding: LogFinding): string {
  switch (finding.finding) {
    case 'segment':
      return `${finding.file}: entries ${finding.firstEntry} to ${finding.lastEntry}, ${finding.bytes} bytes`;
    case 'torn':
      return `${finding.file}, byte ${finding.offset}: torn tail, cut at the next start (${finding.problem})`;
    case 'damage':
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

/** Writes a new file for its owner alone; a part of one is worth nothing and is taken away. */
async function writeLines(path: string, shown: string, lines: AsyncIterable<string>): Promise<void> {
  const target = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? inputFault(`'${shown}' is there already`) : error;
  });
  try {
    for await (const line of lines) await target.write(`${line}\n`);
    await target.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await target.close();
  }
}
