import * as fsp from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ShortPath {
  /** Leads to the directory, and leaves room for the name of a socket. */
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Socket paths over about 100 bytes are cut silently, so a long directory is reached through a short link. */
export async function shortPath(directory: string): Promise<ShortPath> {
  if (Buffer.byteLength(directory) < 70) return { path: directory, remove: () => Promise.resolve() };
  const folder = await fsp.mkdtemp(join(tmpdir(), 'schemac-'));
  const path = join(folder, 'd');
  await fsp.symlink(directory, path);
  return {
    path,
    remove: async () => {
      await fsp.rm(folder, { recursive: true, force: true });
    },
  };
}
