/**
 * Small separate file systems, for tests that fill a disk or cut its power. They need root and Linux; without them
 * tests say so and skip.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder } from '../store/fresh-folder.ts';

const mounted = new Set<string>();
// Runs before the folders that contain these are removed.
process.prependListener('exit', () => {
  for (const place of [...mounted].reverse()) spawnSync('umount', ['--lazy', place]);
});

export interface Mount {
  readonly type: 'tmpfs' | 'ext4';
  readonly options: string;
  /** A device or an image; unused for tmpfs. */
  readonly from: string;
}

/** Mounts at `place`, which is created. Throws with mount's own message. */
export function mount({ type, options, from }: Mount, place: string): void {
  mkdirSync(place, { recursive: true });
  run('mount', ['-t', type, '-o', options, from, place]);
  mounted.add(place);
}

/** With other options, such as `remount`, or options to add. */
export function remount(place: string, options: string): void {
  run('mount', ['-o', `remount,${options}`, place]);
}

export function unmount(place: string): void {
  run('umount', [place]);
  mounted.delete(place);
}

/** An image with an empty ext4 in it. */
export function makeImage(path: string, megabytes: number): void {
  run('truncate', ['--size', `${megabytes}M`, path]);
  run('mkfs.ext4', ['-q', '-F', '-m', '0', path]);
}

/** Why a file system of that type cannot be mounted here; undefined when it can. */
export function mountRefusal(type: Mount['type']): string | undefined {
  const folder = freshFolder();
  const place = join(folder, 'mounted');
  try {
    if (type === 'ext4') makeImage(join(folder, 'image'), 4);
    mount({ type, options: type === 'ext4' ? 'loop' : 'size=64k', from: join(folder, 'image') }, place);
    unmount(place);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function run(command: string, words: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${error?.message ?? stderr.trim()}`);
}
