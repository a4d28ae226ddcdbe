import { lockMilliseconds } from '../journal.ts';

/** The right to append to a log, which one connection of several can have; the others wait in the order they came. */
export interface AppendLock {
  /** Whether no other connection has it. */
  readonly isFree: (connection: symbol) => boolean;
  readonly take: (connection: symbol) => Promise<void>;
  /** Also the place in the queue of a connection that still waits. */
  readonly release: (connection: symbol) => void;
}

export function createAppendLock(milliseconds = lockMilliseconds): AppendLock {
  const queue: { readonly connection: symbol; readonly begin: () => void }[] = [];
  let expiry: NodeJS.Timeout | undefined;

  const beginFirst = (): void => {
    clearTimeout(expiry);
    const first = queue[0];
    if (first === undefined) return;
    expiry = setTimeout(() => release(first.connection), milliseconds);
    first.begin();
  };

  const release = (connection: symbol): void => {
    const index = queue.findIndex((waiting) => waiting.connection === connection);
    if (index < 0) return;
    const [removed] = queue.splice(index, 1);
    removed?.begin();
    if (index === 0) beginFirst();
  };

  return {
    isFree: (connection) => queue.length === 0 || queue[0]?.connection === connection,
    take: (connection) =>
      new Promise((resolve) => {
        queue.push({ connection, begin: resolve });
        if (queue.length === 1) beginFirst();
      }),
    release,
  };
}
