import { once } from 'node:events';
import type { Shell } from './shell.ts';

/** Saves come in bursts; the work starts when none came for so long, and for all that after so long. */
const quietMilliseconds = 30;
const patienceMilliseconds = 300;

/**
 * Does `work` now, and again after every change of a schema file below the paths, until the tool is stopped. One run at a time; changes
 * that come while it runs start exactly one more. Ends with the first error of `work`.
 */
export async function watchPaths(shell: Shell, paths: readonly string[], work: () => Promise<void>): Promise<void> {
  const { watch } = await import('chokidar');
  const stopped = shell.stopSignal();
  const watcher = watch([...paths], {
    cwd: shell.cwd,
    ignoreInitial: true,
    ignored: (path) => /[\\/](node_modules|\.git)([\\/]|$)/.test(path),
  });
  await once(watcher, 'ready');
  const changes = createBell();
  let timer: NodeJS.Timeout | undefined;
  let first: number | undefined;
  const noteChange = (path: unknown): void => {
    if (typeof path !== 'string' || !path.endsWith('.schema')) return;
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
  watcher.on('all', (_event, path) => noteChange(path));
  // Of two changes of one file within 50 ms only the first is an event of the kind above.
  watcher.on('raw', (_event, path) => noteChange(path));
  stopped.addEventListener('abort', changes.ring, { once: true });
  try {
    while (!stopped.aborted) {
      const change = changes.next();
      await work();
      await change;
    }
  } finally {
    clearTimeout(timer);
    await watcher.close();
  }
}

/** `next()` resolves with the first `ring` after it was asked for. */
function createBell(): { readonly ring: () => void; readonly next: () => Promise<void> } {
  let wake = (): void => undefined;
  return {
    ring: () => wake(),
    next: () => new Promise((resolve) => (wake = resolve)),
  };
}
