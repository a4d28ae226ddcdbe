import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startedModule } from '../kit/started-module.ts';

export interface ReadTable {
  readonly columns: readonly string[];
  /** The number of rows of each batch. */
  readonly batches: readonly number[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A process that reads Arrow streams; `close` ends it. */
export function openArrowReader(): { read: (bytes: Uint8Array) => Promise<ReadTable>; close: () => void } {
  const child: ChildProcess = fork(fileURLToPath(startedModule('test/arrow/arrow-reader-process')));
  const waiting = new Map<number, { resolve: (table: ReadTable) => void; reject: (error: Error) => void }>();
  let last = 0;
  child.on('message', (message: { id: number; table?: ReadTable; error?: string }) => {
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.table !== undefined) caller?.resolve(message.table);
    else caller?.reject(new Error(message.error));
  });
  return {
    read: (bytes) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        child.send({ id: last, bytes: Buffer.from(bytes).toString('base64') });
      }),
    close: () => child.disconnect(),
  };
}
