/** `schemac log verify --read-model`: the file of a read model on disk against the log (docs/operation.md#the-read-model-on-disk). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import { nodeDisk, systemClock } from '../../runtime/store/disk/node-disk.ts';
import { readModelFileName } from '../../runtime/store/read-model/model-file.ts';
import { verifyModelFile, type ModelFileFinding } from '../../runtime/store/read-model/verify-model-file.ts';
import { inputFault, type ExitStatus } from '../exit-fault.ts';
import { writeJsonLine } from '../output/json-line.ts';
import type { Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

/** Removed by the next start if this process is killed. */
const besideName = 'read-model-past-verify.db';

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
    const { lines, entries, close } = await openLog();
    const log = { ...lines, end: () => entries, fresh: () => Promise.resolve(entries) };
    const options = { path, beside: join(directory, besideName), disk: nodeDisk, clock: systemClock, log };
    let damages = 0;
    for await (const finding of verifyModelFile(options)) {
      if (finding.finding === 'damage') damages += 1;
      if (flags['json'] === true) writeJsonLine(shell.output, finding);
      else shell.output.write(`${findingText(finding)}\n`);
    }
    await close();
    if (flags['json'] !== true) shell.output.write(`the read model is ${damages === 0 ? 'sound' : 'damaged'}\n`);
    return damages === 0 ? 0 : 1;
  } finally {
    await lock.release();
  }
}

function findingText(finding: ModelFileFinding): string {
  if (finding.finding !== 'table') return finding.problem;
  return `${finding.table}: ${finding.rows} ${finding.rows === 1 ? 'row' : 'rows'}`;
}
