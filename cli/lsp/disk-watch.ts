import { basename, dirname } from 'node:path';
import { configName, findConfig } from './project-files.ts';

export interface DiskWatch {
  /** Watches the project of a file. */
  readonly add: (path: string) => void;
  readonly close: () => Promise<void>;
}

/** Saves come in bursts. */
const quietMilliseconds = 50;

const startMilliseconds = 100;

/** For editors that do not watch files themselves: reports changed schema files and configurations. */
export function watchDisk(changed: (paths: readonly string[]) => void, onFault: (error: unknown) => void): DiskWatch {
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
  // Behind the first diagnostics, which it would delay. What has changed until it watches is read once it does.
  const watcher = new Promise<void>((resolve) => setTimeout(resolve, startMilliseconds)).then(async () => {
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
      clearTimeout(timer);
      await (await watcher)?.close();
    },
  };
}

function ignored(path: string): boolean {
  return /[\\/](node_modules|\.git|generated|dist)([\\/]|$)/.test(path);
}
