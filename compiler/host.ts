/** Files for the compiler: the one place where it touches a disk. Everything else of it is text in, text out. */
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileHost } from './emit/file-host.ts';

/** The files under a folder, which is made when the first one is written. */
export function createFileHost(folder: string): FileHost {
  const made = new Set<string>();
  return {
    read: (path) => {
      try {
        return readFileSync(join(folder, path), 'utf8');
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    write: (path, text) => {
      const target = join(folder, path);
      const parent = dirname(target);
      if (!made.has(parent)) mkdirSync(parent, { recursive: true });
      made.add(parent);
      const temporary = `${target}.${process.pid}.tmp`;
      writeFileSync(temporary, text);
      renameSync(temporary, target);
    },
    remove: (path) => {
      rmSync(join(folder, path), { force: true });
      removeEmptyFolders(folder, dirname(path));
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function removeEmptyFolders(folder: string, path: string): void {
  for (let at = path; at !== '.' && at !== ''; at = dirname(at)) {
    try {
      rmdirSync(join(folder, at));
    } catch {
      return; // not empty: somebody else's files stand there
    }
  }
}
