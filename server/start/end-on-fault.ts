import type { Log } from '../http/log/log.ts';

/**
 * From now on an exception that nobody caught is logged and ends the process with 1, answering and accepting nothing any more (http-details.md
 * section 7): nobody knows what such a process would do next, and the log has all that was acknowledged. Gives what takes this back.
 */
export function endOnFault(log: Log): () => void {
  const end = (error: unknown): void => {
    log.error({ err: error }, 'an exception that nobody caught ends the server');
    process.exit(1);
  };
  // Before whoever else listens, such as the tool around a server.
  process.prependListener('uncaughtException', end);
  process.prependListener('unhandledRejection', end);
  return () => {
    process.off('uncaughtException', end);
    process.off('unhandledRejection', end);
  };
}
