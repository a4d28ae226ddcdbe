/** Files for the compiler: the one place where it touches a disk. Everything else of it is text in, text out. */
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileHost } from './emit/project/file-host.ts';

/** What a file held when it was looked at last, and by what one sees that it still does. */
interface Known {
  readonly text: string;
  readonly size: number;
  readonly changed: number;
}

/** The files under a folder, which is made when the first one is written. A file that nobody touched is read once. */
export function createFileHost(folder: string): FileHost {
  const known = new Map<string, Known>();
  const keep = (path: string, text: string): string => {
    const { size, mtimeMs } = statSync(join(folder, path));
    known.set(path, { text, size, changed: mtimeMs });
    return text;
  };
  return {
    read: (path) => {
      try {
        const { size, mtimeMs } = statSync(join(folder, path));
        const last = known.get(path);
        if (last?.size === size && last.changed === mtimeMs) return last.text;
        return keep(path, readFileSync(join(folder, path), 'utf8'));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    write: (path, text) => {
      const target = join(folder, path);
      const temporary = `${target}.${process.pid}.tmp`;
      try {
        writeFileSync(temporary, text);
      } catch (error) {
        if (!isMissing(error)) throw error;
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(temporary, text);
      }
      renameSync(temporary, target);
      keep(path, text);
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
