import type { Log } from '../http/log/log.ts';

/**
 * From now on an uncaught exception is logged and ends the process with 1, without answering or accepting anything else: the state of such
 * a process is unknown, and the log has everything that was acknowledged. Returns a function that undoes this.
 */
export function endOnFault(log: Log): () => void {
  const end = (error: unknown): void => {
    log.error({ err: error }, 'an uncaught exception ends the server');
    process.exit(1);
  };
  // Before any other listener, such as the tool around a server.
  process.prependListener('uncaughtException', end);
  process.prependListener('unhandledRejection', end);
  return () => {
    process.off('uncaughtException', end);
    process.off('unhandledRejection', end);
  };
}

/**
 * Calls `report` when nothing is left that could finish the work of this process: Node would end it with the status 13 and without a word.
 * Returns a function that undoes this, for the end of the work.
 */
export function onUnfinished(report: (error: Error) => void): () => void {
  const tell = (): void => report(new Error('the work is not finished, and nothing is left that would finish it'));
  process.once('beforeExit', tell);
  return () => process.off('beforeExit', tell);
}
