import { basename, dirname } from 'node:path';
import { configName, findConfig } from './project-files.ts';

export interface DiskWatch {
  /** Watches the project of a file. */
  readonly add: (path: string) => void;
  readonly close: () => Promise<void>;
}

/** Saves come in bursts. */
const quietMilliseconds = 50;

/**
 * For editors that do not watch files themselves: reports changed schema files and configurations. It begins when `begin` resolves, behind the
 * first diagnostics, which it would delay; what has changed until then is read once it watches.
 */
export function watchDisk(
  changed: (paths: readonly string[]) => void,
  onFault: (error: unknown) => void,
  begin: Promise<void>,
): DiskWatch {
  const folders = new Set<string>();
  let pending: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const tell = (path: string): void => {
    if (!path.endsWith('.schema') && basename(path) !== configName) return;
    pending.push(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = pending;
      pending = [];
      changed(paths);
    }, quietMilliseconds);
  };
  let closed = false;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const watcher = Promise.race([begin, ended]).then(async () => {
    if (closed) return undefined;
    const { watch } = await import('chokidar');
    const made = watch([], { ignoreInitial: true, ignorePermissionErrors: true, ignored });
    made.on('all', (_, path) => tell(path));
    made.on('ready', () => changed([]));
    made.on('error', onFault);
    return made;
  });
  watcher.catch(onFault);
  return {
    add: (path) => {
      const config = findConfig(path);
      const folder = dirname(config ?? path);
      // Without a configuration the folder may be anything, as large as a home; the file alone is compiled.
      const watched = config === undefined ? path : folder;
      if (folders.has(watched)) return;
      folders.add(watched);
      void watcher.then((made) => made?.add(watched)).catch(onFault);
    },
    close: async () => {
      closed = true;
      end();
      clearTimeout(timer);
      await (await watcher)?.close();
    },
  };
}

function ignored(path: string): boolean {
  return /[\\/](node_modules|\.git|generated|dist)([\\/]|$)/.test(path);
}
