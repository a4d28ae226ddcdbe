/**
 * Writes modules of a running registry to a folder and loads them. Takes emitted texts, gives their exports. A loaded module can be
 * released, unlike an ES module, which a process keeps forever. Never runs a text that was not passed in.
 */
import { chmodSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fail } from '../../../language/failure/failure.ts';
import { makeFolder } from '../../../runtime/store/disk/make-folder.ts';

export interface ModuleFolder {
  /**
   * The exports of the module. Its file is written unless it exists with the same text; afterwards the file is there only for people to
   * read. Fails with R0408 if that is not possible.
   */
  readonly load: (file: { readonly path: string; readonly text: string }) => unknown;
  /** Removes all modules except those with these paths. A file that the system does not delete now is left for the next time: it is never run. */
  readonly keepOnly: (paths: ReadonlySet<string>) => void;
}

/** `events/Added-0123456789abcdef.cjs`, and the remains of an interrupted write. */
const modulePath = /^[a-z]+s\/.+-[0-9a-f]{16}\.(?:cjs|js)(?:\.new)?$/;

/** The folder is created when the first module is written. It is accessible only to this user (0700), and used by one loader only. */
export function openModuleFolder(directory: string): ModuleFolder {
  let prepared = false;
  const prepare = (): void => {
    if (!prepared) prepareFolder(directory);
    prepared = true;
  };
  return {
    load: ({ path, text }) =>
      refusingHere(directory, () => {
        prepare();
        const whole = join(directory, path);
        if (textOf(whole) !== text) writeWhole(whole, text);
        return loadOnce(whole);
      }),
    keepOnly: (paths) => {
      try {
        for (const path of modulesIn(directory)) if (!paths.has(path)) rmSync(join(directory, path), { force: true });
      } catch (error) {
        if (!isOfSystem(error)) throw error;
      }
    },
  };
}

function prepareFolder(directory: string): void {
  makeFolder(directory, 0o700);
  const { uid, mode } = statSync(directory);
  if (process.geteuid !== undefined && uid !== process.geteuid())
    throw fail('R0408', { directory, problem: 'it belongs to another user' });
  if ((mode & 0o077) !== 0) chmodSync(directory, 0o700);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function writeWhole(path: string, text: string): void {
  makeFolder(dirname(path), 0o700);
  const temporary = `${path}.new`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

/** The cache of `require` for a module belongs to the `require` function that loaded it. */
function loadOnce(path: string): unknown {
  const require = createRequire(path);
  try {
    return require(path);
  } finally {
    // oxlint-disable-next-line typescript/no-dynamic-delete -- a cache is keyed by paths
    delete require.cache[path];
  }
}

function modulesIn(directory: string): readonly string[] {
  return subfolders(directory).flatMap((folder) =>
    readdirSync(join(directory, folder))
      .map((name) => `${folder}/${name}`)
      .filter((path) => modulePath.test(path)),
  );
}

function subfolders(directory: string): readonly string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** System errors about files are faults of the folder; any other error comes from a module. */
function refusingHere<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    throw fail('R0408', { directory, problem: error.message });
  }
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
