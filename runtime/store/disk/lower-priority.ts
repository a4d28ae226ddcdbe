import { existsSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { constants, getPriority, setPriority } from 'node:os';

const behind = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Gives all other threads a higher priority than the calling one, so that long work does not delay them. On Linux threads have priorities of
 * their own; elsewhere nothing changes.
 */
export function lowerPriority(): void {
  const self = '/proc/thread-self';
  if (process.platform !== 'linux' || !existsSync(self)) return;
  const thread = Number(basename(readlinkSync(self)));
  // A process that was started behind others must not come forward, and may not.
  if (getPriority(thread) < behind) setPriority(thread, behind);
}
