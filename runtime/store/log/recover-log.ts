/**
 * Prepares a log at a start: cuts a torn tail, continues without a lost end if that was accepted, refuses everything
 * else.
 */
import { joinPath, withFile } from '../disk.ts';
import { readChecked } from './checked.ts';
import type { LogOptions } from './log.ts';
import { lostEndFailure, snapshotsBeyond, type LostEnd } from './lost-end.ts';
import { manifestName } from './manifest.ts';
import { surveyLog, type FoundLog, type TornTail } from './recover.ts';

export async function recoverLog(options: LogOptions): Promise<FoundLog> {
  const { directory, disk, log, acceptLoss, opening } = options;
  const checked = await readChecked(disk, directory, log);
  const { segments, torn, damage, lost, manifest } = await surveyLog(disk, directory, log, checked, opening);
  if (damage !== undefined) throw damage;
  if (lost !== undefined && lost.first !== acceptLoss) throw lostEndFailure(directory, lost);
  if (torn !== undefined) await cut(options, torn);
  if (lost === undefined) return { segments, ...(manifest !== undefined && { manifest }) };
  await goOnWithout(options, lost);
  return { segments };
}

/** Removes the evidence of the loss. Snapshots are renamed, because they may be the only rest of the lost entries. */
async function goOnWithout({ directory, disk, log }: LogOptions, lost: LostEnd): Promise<void> {
  const names = await disk.list(directory);
  for (const { name } of await snapshotsBeyond(disk, directory, names, lost.first - 1)) {
    await disk.rename(joinPath(directory, name), joinPath(directory, `${name}.lost`));
    log('warn', `renamed ${name} to ${name}.lost: it shows entries that the log lost`);
  }
  if (names.includes(manifestName)) await disk.remove(joinPath(directory, manifestName));
  await disk.syncDirectory(directory);
  log('warn', `${lostEndFailure(directory, lost).message}: accepted`);
}

async function cut({ directory, disk, log }: LogOptions, torn: TornTail): Promise<void> {
  const path = joinPath(directory, torn.name);
  if (torn.offset === undefined) {
    await disk.remove(path);
    await disk.syncDirectory(directory);
    log('warn', `removed ${path}: ${torn.problem}`);
    return;
  }
  const { offset } = torn;
  await withFile(disk, path, 'write', async (file) => {
    const size = await file.size();
    await file.truncate(offset);
    await file.sync();
    log('warn', `cut a torn tail of ${size - offset} bytes at ${path}, byte ${offset}: ${torn.problem}`);
  });
}
