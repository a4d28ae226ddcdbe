/** A thread that steps back and tells its own priority. */
import { readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../runtime/store/disk/lower-priority.ts';

lowerPriority();
parentPort?.postMessage(
  process.platform === 'linux' ? getPriority(Number(basename(readlinkSync('/proc/thread-self')))) : undefined,
);
