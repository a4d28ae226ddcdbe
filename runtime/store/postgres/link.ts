/**
 * A connection that is opened when it is needed and opened again after a failure, for one piece of work at a time. While the database is away
 * most calls fail at once, without another attempt.
 */
import { connect, type Connection, type ConnectionOptions } from './connection.ts';
import { DatabaseFailure } from './failure.ts';

export interface Link {
  /**
   * Runs the work alone on the connection. Work that takes longer than the limit loses the connection. Rejects with a
   * `DatabaseFailure`, or with an error of the work itself.
   */
  readonly use: <T>(work: (connection: Connection) => Promise<T>, milliseconds?: number) => Promise<T>;
  readonly isOpen: () => boolean;
  /** Waits for running work, and closes the connection. */
  readonly close: () => Promise<void>;
}

export interface LinkOptions extends Pick<ConnectionOptions, 'target' | 'onNotice' | 'onLost'> {
  /** Time limit for a piece of work, and for connecting. */
  readonly milliseconds: number;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
}

const firstPause = 20;
const longestPause = 1_000;

export function createLink(options: LinkOptions): Link {
  let connection: Connection | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  let refused: { readonly failure: DatabaseFailure; readonly until: number; readonly pause: number } | undefined;

  const connected = async (): Promise<Connection> => {
    if (closed) throw new DatabaseFailure('the log is closed', 'refused');
    if (connection !== undefined && connection.lost() === undefined) return connection;
    if (refused !== undefined && options.monotonic() < refused.until) throw refused.failure;
    try {
      connection = await connect(options);
      refused = undefined;
      return connection;
    } catch (error) {
      if (!(error instanceof DatabaseFailure)) throw error;
      const pause = Math.min(2 * (refused?.pause ?? firstPause / 2), longestPause);
      refused = { failure: error, until: options.monotonic() + pause, pause };
      throw error;
    }
  };

  const run = async <T>(work: (connection: Connection) => Promise<T>, milliseconds: number): Promise<T> => {
    const used = await connected();
    const limit = setTimeout(() => used.destroy(`no answer within ${milliseconds} ms`), milliseconds);
    try {
      return await work(used);
    } finally {
      clearTimeout(limit);
    }
  };

  return {
    use: (work, milliseconds = options.milliseconds) => {
      const done = last.then(() => run(work, milliseconds));
      last = done.catch(() => undefined);
      return done;
    },
    isOpen: () => !closed && connection !== undefined && connection.lost() === undefined,
    close: async () => {
      closed = true;
      await last;
      await connection?.close();
    },
  };
}
