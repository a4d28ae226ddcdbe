/** `schemac log verify --read-model`: the file of a read model on disk against the log (docs/operation.md#the-read-model-on-disk). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import { nodeDisk, systemClock } from '../../runtime/store/disk/node-disk.ts';
import { readModelFileName } from '../../runtime/store/tables/files/model-file.ts';
import type { ReadModelLog } from '../../runtime/store/journal/entries.ts';
import { verifyModelFile, type ModelFileFinding } from '../../runtime/store/tables/verify-model-file.ts';
import { inputFault, type ExitStatus } from '../exit-fault.ts';
import { writeJsonLine } from '../shell.ts';
import { withProgress } from '../progress.ts';
import type { Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

/** Removed by the next start if this process is killed. */
const scratchName = 'read-model-past-verify.db';

/** Owns the directory meanwhile, so no server runs there: R0404 else. */
export async function verifyReadModel(
  shell: Shell,
  directory: string,
  flags: Flags,
  openLog: () => Promise<OpenLog>,
): Promise<ExitStatus> {
  const path = join(directory, readModelFileName);
  if (!existsSync(path)) throw inputFault(`there is no read model on disk in ${directory}`);
  const lock = await nodeDisk.lock(directory);
  try {
    const log = counted(await openLog());
    let damages = 0;
    const tell = (finding: ModelFileFinding): void => {
      if (finding.finding === 'damage') damages += 1;
      if (flags['json'] === true) writeJsonLine(shell.output, finding);
      else shell.output.write(`${findingText(finding)}\n`);
    };
    const findings = verifyModelFile({
      path,
      scratch: join(directory, scratchName),
      disk: nodeDisk,
      clock: systemClock,
      log: log.readModel,
    });
    // The first finding comes after the tables have been computed again, and each of the others after a table.
    const next = (): Promise<IteratorResult<ModelFileFinding, void>> =>
      withProgress(shell, log.said, () => findings.next());
    for (let step = await next(); step.done !== true; step = await next()) tell(step.value);
    await log.close();
    if (flags['json'] !== true) shell.output.write(`the read model is ${damages === 0 ? 'sound' : 'damaged'}\n`);
    return damages === 0 ? 0 : 1;
  } finally {
    await lock.release();
  }
}

/** The log for a read model, and how much of it was read. */
function counted({ lines, entries, close }: OpenLog): {
  readonly readModel: ReadModelLog;
  readonly said: () => string;
  readonly close: () => Promise<void>;
} {
  let read = 0;
  return {
    readModel: {
      secret: lines.secret,
      async *read(from, to) {
        for await (const some of lines.read(from, to)) {
          read = Math.max(read, from - 1) + some.length;
          yield some;
        }
      },
      end: () => entries,
      fresh: () => Promise.resolve(entries),
    },
    said: () => `${Math.min(read, entries)} of ${entries} entries read`,
    close,
  };
}

function findingText(finding: ModelFileFinding): string {
  if (finding.finding !== 'table') return finding.problem;
  return `${finding.table}: ${finding.rows} ${finding.rows === 1 ? 'row' : 'rows'}`;
}
