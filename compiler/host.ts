/** Files for the compiler: the only place where it uses a disk. The rest of the compiler is text in, text out. */
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileHost } from './emit/project/file-host.ts';

/** The content of a file when it was last read, and the marks that show whether it is unchanged. */
interface Known {
  readonly text: string;
  readonly size: number;
  readonly changed: number;
}

/** The files under a folder, which is created with the first file. An unchanged file is read once. */
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
      return; // not empty: it holds other files
    }
  }
}
