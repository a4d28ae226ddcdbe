/** Everything that changes the log or holds its lock, on a connection of its own. */
import type { Randomness } from '../disk.ts';
import type { Batch, Journal, JournalEnd } from '../journal.ts';
import { logFormat } from '../log/segment.ts';
import type { Answer, Connection } from './connection.ts';
import { DatabaseFailure } from './failure.ts';
import type { End } from './known-end.ts';
import type { Link } from './link.ts';
import { pageEntries, readPage, type ReadLine } from './pages.ts';
import { batchRows } from './rows.ts';
import { appendParameters, type Statements } from './statements.ts';

export interface Appending extends Pick<Journal, 'lock' | 'unlock' | 'settle'> {
  readonly append: (batch: Batch) => Promise<'kept' | 'behind'>;
  /** The page that came with the lock, given once. It begins at the entry after the end that was known before. */
  readonly takePage: (first: number) => readonly ReadLine[] | undefined;
}

export interface AppendingOptions {
  readonly link: Link;
  readonly statements: Statements;
  readonly end: Pick<End, 'asking'>;
  /** Takes the answer to the statement `end`; fails for good when the log is another one. */
  readonly learned: (connection: Connection, ...learnt: Parameters<End['learn']>) => Promise<JournalEnd>;
  readonly shown: string;
  readonly random: Randomness;
  /** The version of this product, which entries name. */
  readonly product: string | undefined;
}

/** Attempts of a statement that the database undid because of another one. */
const attempts = 5;

export function createAppending(options: AppendingOptions): Appending {
  const { link, statements, end, learned, shown, random, product } = options;
  let held: Connection | undefined;
  let page: { readonly first: number; readonly lines: readonly ReadLine[] } | undefined;

  /** A commit of a transaction that has failed is answered, as a rollback. */
  const checkCommit = ({ command }: Answer): void => {
    if (command !== 'COMMIT') throw new DatabaseFailure(`the database ${shown} has not committed`, 'away');
  };

  /** Sends the batch and its commit together. On a connection with the lock the transaction has already begun. */
  const send = async (connection: Connection, parameters: readonly unknown[]): Promise<'kept' | 'behind'> => {
    const isHeld = held === connection;
    held = undefined;
    const [, appended, committed] = await answers(
      isHeld ? undefined : connection.query(statements.begin),
      connection.query(statements.append, parameters),
      connection.query('COMMIT'),
    );
    checkCommit(committed);
    return appended.rows.length === 0 ? 'behind' : 'kept';
  };

  const lock = async (connection: Connection): Promise<JournalEnd> => {
    const asked = end.asking();
    const first = asked.entry + 1;
    const [, , found, lines] = await answers(
      connection.query(statements.begin),
      connection.query(statements.lock),
      // Statements of their own: a statement that waits for the lock would show the state from before it waited.
      connection.query(statements.end, [asked.entry]),
      readPage(connection, statements.page, first, first + pageEntries - 1),
    );
    const { entry, batch } = await learned(connection, asked, found);
    page = { first, lines };
    held = connection;
    return { entry, batch };
  };

  /**
   * Looks under the lock. If the batch is not there the end gets another id, so that a statement that is still on its
   * way finds itself behind. In both cases something is committed: with replicas, a batch that is called kept is on
   * them then.
   */
  const settle = async (connection: Connection, batch: string): Promise<'kept' | 'never'> => {
    const [, , found] = await answers(
      connection.query(statements.begin),
      connection.query(statements.lock),
      connection.query(statements.find, [batch]),
    );
    const isKept = found.rows.length > 0;
    const fence = `fence ${Buffer.from(random(8)).toString('hex')}`;
    const [, committed] = await answers(
      isKept ? connection.query(statements.touch) : connection.query(statements.fence, [fence]),
      connection.query('COMMIT'),
    );
    checkCommit(committed);
    return isKept ? 'kept' : 'never';
  };

  const unlock = async (): Promise<void> => {
    const connection = held;
    held = undefined;
    page = undefined;
    if (connection === undefined || connection.lost() !== undefined) return;
    const giveBack = async (used: Connection): Promise<void> => {
      if (used === connection) await used.query('ROLLBACK');
    };
    await link.use(giveBack).catch(() => connection.destroy('the lock could not be given back'));
  };

  /** A connection whose transaction is not known to have ended is not used again. */
  const alone = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
    link.use(async (connection) => {
      try {
        return await work(connection);
      } catch (error) {
        connection.destroy('its last transaction failed');
        throw error;
      }
    });

  return {
    append: async (batch) => {
      page = undefined;
      const rows = batchRows(batch.after.entry + 1, batch.lines);
      const parameters = appendParameters(batch, rows, logFormat, product);
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await alone((connection) => send(connection, parameters));
        } catch (error) {
          // The database says that it has undone the whole transaction, so the same batch can be sent again.
          if (!(error instanceof DatabaseFailure) || error.meaning !== 'again' || attempt === attempts) throw error;
        }
      }
    },
    lock: () => alone(lock),
    unlock,
    settle: async (batch) => {
      await unlock();
      return alone((connection) => settle(connection, batch));
    },
    takePage: (first) => {
      const ready = page;
      page = undefined;
      return ready?.first === first && ready.lines.length > 0 ? ready.lines : undefined;
    },
  };
}

/** The answers to statements that were sent together; the first failure when one has failed, once all have an answer. */
async function answers<T extends readonly unknown[]>(...sent: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}
