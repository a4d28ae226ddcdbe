import { untilStopped, type Shell } from './shell.ts';

/** Saves come in bursts; the work starts when none came for this long. */
const quietMilliseconds = 60;

/**
 * Does `work` now and again after every change below the paths, until the tool is stopped. One run at a time; changes that come while
 * it runs start exactly one more.
 */
export async function watchPaths(shell: Shell, paths: readonly string[], work: () => Promise<void>): Promise<void> {
  const { watch } = await import('chokidar');
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;

  const run = async (): Promise<void> => {
    do {
      again = false;
      await work();
    } while (again);
    running = undefined;
  };
  const start = (): void => {
    if (running === undefined) running = run();
    else again = true;
  };

  await work();
  const watcher = watch([...paths], {
    cwd: shell.cwd,
    ignoreInitial: true,
    ignored: (path) => /[\\/](node_modules|\.git)([\\/]|$)/.test(path),
  });
  watcher.on('all', (_event, path) => {
    if (!path.endsWith('.schema')) return;
    clearTimeout(timer);
    timer = setTimeout(start, quietMilliseconds);
  });
  await untilStopped(shell);
  clearTimeout(timer);
  await watcher.close();
  await running;
}
