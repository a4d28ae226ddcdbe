/** `schemac log export --format` and `schemac log verify --archive`: an archive of events for other tools (docs/archive.md). */
import { resolve } from 'node:path';
import { parseTimestamp } from '../../language/values/timestamp.ts';
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import type { OpenSource } from '../../server/archive/archive-source.ts';
import type { ArchiveFinding } from '../../server/archive/verify-archive.ts';
import type { FormName } from '../../server/archive/forms/form.ts';
import type { Wanted } from '../../server/archive/survey-log.ts';
import { inputFault, usageFault, type ExitStatus } from '../exit-fault.ts';
import { writeJsonLine } from '../shell.ts';
import { withProgress } from '../progress.ts';
import { resolveSettings, type Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { productVersion } from '../version.ts';

/** Options that only an archive has. */
export const archiveFlags = ['out', 'aggregate', 'since', 'clear', 'url'] as const;

/** `openedLog`: the log, unless `--url` names a server. */
export async function exportToArchive(
  shell: Shell,
  flags: Flags,
  openedLog: () => Promise<OpenLog>,
): Promise<ExitStatus> {
  const { formNames } = await import('../../server/archive/forms/form.ts');
  const form = formNames.find((name) => name === flags['format']);
  if (form === undefined) throw usageFault(`--format is ${formNames.join(', ')}, not '${String(flags['format'])}'`);
  if (typeof flags['out'] !== 'string') throw usageFault('an archive is a folder: name it with --out');
  const directory = resolve(shell.cwd, flags['out']);
  const since = sinceFlag(flags);
  const aggregates = flags['aggregate'] as readonly string[] | undefined;
  const clear = flags['clear'] === true;
  const given = { form, directory, clear, since, aggregates, json: flags['json'] === true };
  const { url, token } = resolveSettings(shell, flags);
  if (flags['url'] !== undefined && url !== undefined) {
    if (flags['data'] !== undefined || flags['eventstore'] !== undefined)
      throw usageFault('--url goes with neither --data nor --eventstore');
    const { remoteSource } = await import('../remote/archive.ts');
    return exportFrom(shell, remoteSource(url, token), given);
  }
  const { logSource } = await import('../../server/archive/archive-source.ts');
  const log = await openedLog();
  try {
    return await exportFrom(shell, logSource(log, productVersion()), given);
  } finally {
    await log.close();
  }
}

interface Given {
  readonly form: FormName;
  readonly directory: string;
  readonly clear: boolean;
  readonly since: Wanted | undefined;
  readonly aggregates: readonly string[] | undefined;
  readonly json: boolean;
}

async function exportFrom(shell: Shell, open: OpenSource, given: Given): Promise<ExitStatus> {
  const { form, directory, clear, since, aggregates, json } = given;
  const [{ exportArchive }, { nodeDisk }] = await Promise.all([
    import('../../server/archive/export-archive.ts'),
    import('../../runtime/store/disk/node-disk.ts'),
  ]);
  let said = 'reading the log';
  const onProgress = (what: 'surveyed' | 'exported', entry: number, of: number): void => {
    said = `${entry} of ${of} entries ${what}`;
  };
  const report = await withProgress(
    shell,
    () => said,
    () =>
      asInputFault(() =>
        exportArchive({
          source: open,
          disk: nodeDisk,
          directory,
          form,
          clear,
          version: productVersion(),
          onProgress,
          ...(since !== undefined && { since }),
          ...(aggregates !== undefined && { aggregates }),
        }),
      ),
  );
  if (json) writeJsonLine(shell.output, { directory, ...report });
  else {
    for (const { aggregate, because } of report.rewritten)
      shell.output.write(`${aggregate} is rewritten: ${because}\n`);
    for (const { aggregate, events } of report.leftOut)
      shell.output.write(`${aggregate} is left out: the registry no longer has this aggregate (${count(events)})\n`);
    for (const text of report.unreadable) shell.output.write(`${text}\n`);
    shell.output.write(`${count(report.events)} written to ${directory}, up to position ${report.position}\n`);
  }
  if (clear) shell.messages.write('the archive contains sensitive values in the clear\n');
  return 0;
}

export async function verifyArchiveOf(
  shell: Shell,
  flags: Flags,
  directory: string,
  open: () => Promise<OpenLog>,
): Promise<ExitStatus> {
  const { verifyArchive } = await import('../../server/archive/verify-archive.ts');
  const { nodeDisk } = await import('../../runtime/store/disk/node-disk.ts');
  const log = await open();
  try {
    const request = { log, disk: nodeDisk, directory: resolve(shell.cwd, directory), version: productVersion() };
    const damages = await asInputFault(async () => {
      let found = 0;
      for await (const finding of verifyArchive(request)) {
        if (finding.finding === 'damage') found += 1;
        if (flags['json'] === true) writeJsonLine(shell.output, finding);
        else shell.output.write(`${findingText(finding)}\n`);
      }
      return found;
    });
    if (flags['json'] !== true) shell.output.write(`the archive is ${damages === 0 ? 'sound' : 'damaged'}\n`);
    return damages === 0 ? 0 : 1;
  } finally {
    await log.close();
  }
}

function findingText(finding: ArchiveFinding): string {
  if (finding.finding !== 'aggregate') return finding.problem;
  const { aggregate, files, events, position } = finding;
  return `${aggregate}: ${count(events)} in ${files} ${files === 1 ? 'file' : 'files'}, up to position ${position}`;
}

function count(events: number): string {
  return `${events} ${events === 1 ? 'event' : 'events'}`;
}

function sinceFlag(flags: Flags): Wanted | undefined {
  const given = flags['since'];
  if (typeof given !== 'string') return undefined;
  if (/^\d{1,15}$/.test(given)) return { position: Number(given) };
  const time = parseTimestamp(given);
  if (time === undefined) throw usageFault(`--since takes a position or an ISO 8601 time, not '${given}'`);
  return { time };
}

async function asInputFault<T>(work: () => Promise<T>): Promise<T> {
  const { ArchiveFault } = await import('../../server/archive/archive-fault.ts');
  try {
    return await work();
  } catch (error) {
    if (error instanceof ArchiveFault) throw inputFault(error.message);
    throw error;
  }
}
