import { once } from 'node:events';
import { basename, resolve } from 'node:path';
import { ExitFault } from './exit-fault.ts';
import { stateOfFiles } from './schema-files.ts';
import type { Shell } from './shell.ts';

/** Saves come in bursts; the work starts when none has come for this long, and at the latest after this long. */
const quietMilliseconds = 30;
const patienceMilliseconds = 300;
/** The interval of checks of the files themselves, and the pause relative to the duration of a check. */
const lookMilliseconds = 500;
const lookShare = 20;

/**
 * Runs `work` now, and again after every change of a schema file below the paths, until the tool is stopped. One run at a time; changes
 * during a run start exactly one more. Ends with the first error of `work`.
 */
export async function watchPaths(shell: Shell, paths: readonly string[], work: () => Promise<void>): Promise<void> {
  const { watch } = await import('chokidar');
  const stopped = shell.stopSignal();
  const watcher = watch([...paths], {
    cwd: shell.cwd,
    ignoreInitial: true,
    ignorePermissionErrors: true, // the reader of the files reports it
    ignored: (path) => /[\\/](node_modules|\.git)([\\/]|$)/.test(path),
  });
  await once(watcher, 'ready');
  const changes = createBell();
  let timer: NodeJS.Timeout | undefined;
  let first: number | undefined;
  const ringSoon = (): void => {
    clearTimeout(timer);
    first ??= performance.now();
    const left = first + patienceMilliseconds - performance.now();
    timer = setTimeout(
      () => {
        first = undefined;
        changes.ring();
      },
      Math.max(0, Math.min(quietMilliseconds, left)),
    );
  };
  const recordChange = (path: unknown): void => {
    if (typeof path === 'string' && path.endsWith('.schema') && !basename(path).startsWith('.')) ringSoon();
  };
  // Replacing a folder silently ends its watch.
  let known: string | undefined;
  let looking: NodeJS.Timeout | undefined;
  const lookAround = (): void => {
    const began = performance.now();
    if (known !== undefined && stateOfFiles(shell.cwd, paths) !== known) ringSoon();
    looking = setTimeout(lookAround, Math.max(lookMilliseconds, lookShare * (performance.now() - began)));
  };
  const given = new Map(paths.map((path) => [resolve(shell.cwd, path), path]));
  watcher.on('all', (event, path) => {
    recordChange(path);
    const gone = event === 'unlinkDir' ? given.get(resolve(shell.cwd, path)) : undefined;
    if (gone === undefined) return;
    // Deleting a folder ends its watch; the folder may come back, or already exist again.
    watcher.add(gone);
    ringSoon();
  });
  watcher.on('error', (error) => shell.messages.write(`schemac: watching files: ${(error as Error).message}\n`));
  // If a file changes twice within 50 ms, only the first change is an event of the kind above.
  watcher.on('raw', (_event, path) => recordChange(path));
  stopped.addEventListener('abort', changes.ring, { once: true });
  lookAround();
  try {
    while (!stopped.aborted) {
      const change = changes.next();
      known = stateOfFiles(shell.cwd, paths);
      await work();
      await change;
    }
  } finally {
    clearTimeout(timer);
    clearTimeout(looking);
    await watcher.close();
  }
}

/**
 * Watches paths for work that reports its result. Its errors are reported, and do not end the watch: a file may be in the middle of being
 * moved.
 */
export function watchAndTell(shell: Shell, paths: readonly string[], work: () => Promise<unknown>): Promise<void> {
  return watchPaths(shell, paths, async () => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ExitFault)) throw error;
      shell.messages.write(`schemac: ${error.message}\n`);
    }
    shell.messages.write('watching for changes\n');
  });
}

/** `next()` resolves with the first `ring` after its call. */
function createBell(): { readonly ring: () => void; readonly next: () => Promise<void> } {
  let wake = (): void => undefined;
  return {
    ring: () => wake(),
    next: () => new Promise((resolve) => (wake = resolve)),
  };
}
