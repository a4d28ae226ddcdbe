import { fail } from '../../../language/failure/failure.ts';

/** Callers that wait until this process has an entry that the log already has, or will have. */
export interface Readers {
  /** Resolves when the entry is there. Rejects with R0303 once the signal is aborted, and as `fail` says. */
  readonly wait: (entry: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Everything up to this entry is there now. */
  readonly reached: (entry: number) => void;
  /** None of the present callers gets its entry. */
  readonly fail: (error: Error) => void;
}

interface Reader {
  readonly entry: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export function createReaders(): Readers {
  const waiting = new Set<Reader>();
  return {
    wait: (entry, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(reader);
          signal?.removeEventListener('abort', abort);
        };
        const reader: Reader = {
          entry,
          resolve: () => {
            leave();
            resolve();
          },
          reject: (error) => {
            leave();
            reject(error);
          },
        };
        const abort = (): void => reader.reject(fail('R0303', {}));
        waiting.add(reader);
        signal?.addEventListener('abort', abort);
        if (signal?.aborted === true) abort();
      }),
    reached: (entry) => {
      for (const reader of [...waiting]) if (reader.entry <= entry) reader.resolve();
    },
    fail: (error) => {
      for (const reader of [...waiting]) reader.reject(error);
    },
  };
}
