/** The simulated disk for the database of a read model: its calls return when they are done. */
import type { FileSystem, SyncFile } from '../../runtime/store/disk.ts';
import type { Content, Fault, Operation } from './simulated-disk.ts';

export interface SimulatedFileSystem extends FileSystem {
  readonly operations: readonly Operation[];
  readonly mark: (what: string) => void;
  readonly content: () => Content;
}

export function createSimulatedFileSystem(
  start: Content = new Map(),
  fault: Fault = () => undefined,
): SimulatedFileSystem {
  const operations: Operation[] = [];
  const files: Buffer[] = [];
  const names = new Map<string, number>();
  for (const [path, bytes] of start) names.set(path, files.push(Buffer.from(bytes)) - 1);

  const attempt = (call: string): void => {
    const failed = fault(call);
    if (failed !== undefined) throw failed.error;
  };
  const resized = (file: number, length: number): Buffer => {
    const before = files[file] ?? Buffer.alloc(0);
    if (before.length === length) return before;
    const after = Buffer.alloc(length);
    before.copy(after);
    files[file] = after;
    return after;
  };
  const opened = (file: number): SyncFile => ({
    size: () => files[file]?.length ?? 0,
    read: (into, position) => {
      attempt('read');
      return files[file]?.subarray(position).copy(into) ?? 0;
    },
    write: (bytes, position) => {
      const failed = fault('write');
      const done = Buffer.from(failed === undefined ? bytes : bytes.subarray(0, failed.after ?? 0));
      if (done.length > 0) {
        operations.push({ kind: 'write', file, position, bytes: done });
        const length = Math.max(files[file]?.length ?? 0, position + done.length);
        done.copy(resized(file, length), position);
      }
      if (failed !== undefined) throw failed.error;
    },
    truncate: (length) => {
      attempt('truncate');
      operations.push({ kind: 'truncate', file, length });
      resized(file, length);
    },
    sync: () => {
      attempt('sync');
      operations.push({ kind: 'sync', file });
    },
    close: () => undefined,
  });

  return {
    operations,
    mark: (what) => operations.push({ kind: 'mark', what }),
    content: () => new Map([...names].map(([path, file]) => [path, files[file] ?? Buffer.alloc(0)])),
    open: (path) => {
      attempt('open');
      const known = names.get(path);
      if (known !== undefined) return opened(known);
      const file = files.push(Buffer.alloc(0)) - 1;
      names.set(path, file);
      operations.push({ kind: 'create', path, file });
      return opened(file);
    },
    isAt: () => true,
    size: (path) => {
      const file = names.get(path);
      return file === undefined ? undefined : files[file]?.length;
    },
    remove: (path) => {
      attempt('remove');
      if (!names.delete(path)) return;
      operations.push({ kind: 'remove', path });
    },
    syncDirectory: () => {
      attempt('syncDirectory');
      operations.push({ kind: 'sync-directory' });
    },
  };
}
