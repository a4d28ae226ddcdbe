/**
 * Learns that others have moved the end of the log: by a notice of the database where it comes through, by asking otherwise. Only a hint:
 * everything that must be right asks for the end itself.
 */
import type { StoreLog } from '../disk.ts';
import { connect, type Connection } from './connection.ts';
import type { Target } from './target.ts';

export interface Watch {
  /** Starts watching, until each call has its call of `end`. */
  readonly begin: () => void;
  readonly end: () => void;
  /** Whether notices come through. */
  readonly isListening: () => boolean;
  readonly close: () => Promise<void>;
}

export interface WatchOptions {
  /** Asks for the end; failures are its own matter. */
  readonly ask: () => void;
  /** Milliseconds since the last question was sent, by a reader or by the watch. */
  readonly sinceAsked: () => number;
  readonly pollMilliseconds: number;
  readonly listener?: {
    readonly target: Target;
    readonly channel: string;
    /** Sends a notice on the channel in the way of appends. */
    readonly notify: (payload: string) => Promise<void>;
    readonly token: string;
  };
  readonly log: StoreLog;
}

/** The watch asks for the end in addition to notices, which can be lost with a connection. */
const listeningMilliseconds = 1_000;
const proofMilliseconds = 2_000;
const againMilliseconds = 5_000;

export function createWatch({ ask, sinceAsked, pollMilliseconds, listener, log }: WatchOptions): Watch {
  let watchers = 0;
  let timer: NodeJS.Timeout | undefined;
  let listening: Connection | undefined;
  let opening: Promise<void> | undefined;
  let nextAttempt = 0;
  let warned = false;
  let closed = false;

  const isListening = (): boolean => listening !== undefined && listening.lost() === undefined;

  const tick = (): void => {
    if (watchers === 0 || closed) return;
    if (listener !== undefined && !isListening() && Date.now() >= nextAttempt) open(listener);
    const interval = isListening() ? listeningMilliseconds : pollMilliseconds;
    // Readers ask too. A reader that comes while a question is on its way would have to wait for the next one.
    const since = sinceAsked();
    if (since >= interval) ask();
    timer = setTimeout(tick, since >= interval ? interval : interval - since).unref();
  };

  const open = (given: NonNullable<WatchOptions['listener']>): void => {
    nextAttempt = Date.now() + againMilliseconds;
    opening ??= listen(given, ask)
      .then(
        async (connection) => {
          if (closed) await connection.close();
          else listening = connection;
          warned = false;
        },
        (error: unknown) => {
          if (warned) return;
          warned = true;
          const problem = error instanceof Error ? error.message : String(error);
          log(
            'warn',
            `durable.listen_url gives no notices (${problem}); the log is asked every ${pollMilliseconds} ms instead`,
          );
        },
      )
      .finally(() => {
        opening = undefined;
      });
  };

  return {
    begin: () => {
      watchers += 1;
      if (watchers === 1) tick();
    },
    end: () => {
      watchers -= 1;
      if (watchers === 0) clearTimeout(timer);
    },
    isListening,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await opening;
      await listening?.close();
    },
  };
}

/** A connection on which notices have been shown to arrive: a pooler may accept LISTEN and never deliver anything. */
async function listen(
  { target, channel, notify, token }: NonNullable<WatchOptions['listener']>,
  onMoved: () => void,
): Promise<Connection> {
  let proved: () => void = () => undefined;
  const proof = new Promise<void>((resolve) => {
    proved = resolve;
  });
  const connection = await connect({
    target,
    milliseconds: proofMilliseconds,
    onNotice: (_, payload) => (payload === token ? proved() : onMoved()),
  });
  let limit: NodeJS.Timeout | undefined;
  try {
    await connection.query(`LISTEN "${channel}"`);
    await notify(token);
    const late = new Promise<never>((_, reject) => {
      limit = setTimeout(() => reject(new Error('a notice to itself did not arrive')), proofMilliseconds);
    });
    await Promise.race([proof, late]);
    return connection;
  } catch (error) {
    connection.destroy('it delivers no notices');
    throw error;
  } finally {
    clearTimeout(limit);
  }
}
