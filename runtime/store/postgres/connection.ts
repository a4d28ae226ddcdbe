/**
 * A connection to PostgreSQL. Loads the driver when the first one is opened, so that a server on another store pays nothing. A connection
 * keeps no state of a session: a pooler may give each transaction another session.
 */
import type { Client } from 'pg';
import { databaseFailure, DatabaseFailure } from './failure.ts';
import type { Target } from './target.ts';

export type Cell = string | null;

export interface Answer {
  readonly rows: readonly (readonly Cell[])[];
  /** As the server names it, such as COMMIT or ROLLBACK. */
  readonly command: string;
}

export interface Connection {
  /**
   * Sends at once, without waiting for the answers to earlier ones. Rejects with a `DatabaseFailure`. All cells are
   * texts, as PostgreSQL prints them.
   */
  readonly query: (text: string, values?: readonly unknown[]) => Promise<Answer>;
  /** The failure that ended it. */
  readonly lost: () => DatabaseFailure | undefined;
  /** Ends it without a farewell: nothing more is sent, and everything unanswered rejects. */
  readonly destroy: (reason: string) => void;
  readonly close: () => Promise<void>;
}

export interface ConnectionOptions {
  readonly target: Target;
  /** Time limit for connecting. */
  readonly milliseconds: number;
  readonly onNotice?: (channel: string, payload: string) => void;
  /** Called when the other side or the network has ended it. */
  readonly onLost?: (failure: DatabaseFailure) => void;
}

const asText = {
  getTypeParser: () => (text: string | Buffer) => text,
};

export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { target, milliseconds } = options;
  const { default: pg } = await import('pg');
  let lost: DatabaseFailure | undefined;
  let isOpen = false;
  const client = readConfiguration(
    target,
    () =>
      new pg.Client({
        connectionString: target.url,
        connectionTimeoutMillis: milliseconds,
        fallback_application_name: 'schemac',
        keepAlive: true,
        pipeline: true,
        types: asText,
      }),
  );
  const endByOther = (failure: DatabaseFailure): void => {
    const isNews = isOpen && lost === undefined;
    lost ??= failure;
    if (isNews) options.onLost?.(failure);
  };
  const ended = (): DatabaseFailure | undefined => lost;
  // Without listeners an error of an idle connection would end the process.
  client.on('error', (error) => endByOther(databaseFailure(error, target)));
  client.on('end', () =>
    endByOther(new DatabaseFailure(`the database ${target.shown} has ended the connection`, 'away')),
  );
  if (options.onNotice !== undefined) {
    const { onNotice } = options;
    client.on('notification', ({ channel, payload = '' }) => onNotice(channel, payload));
  }
  try {
    await client.connect();
    isOpen = true;
  } catch (error) {
    throw databaseFailure(error, target);
  }
  return {
    query: async (text, values) => {
      if (lost !== undefined) throw lost;
      try {
        const result = await client.query({
          text,
          rowMode: 'array',
          ...(values !== undefined && { values: [...values] }),
        });
        // Several statements in one text give several results; only the last one matters.
        const last = Array.isArray(result) ? (result as (typeof result)[]).at(-1) : result;
        return { rows: (last?.rows ?? []) as Cell[][], command: last?.command ?? '' };
      } catch (error) {
        throw ended() ?? databaseFailure(error, target);
      }
    },
    lost: ended,
    destroy: (reason) => {
      lost ??= new DatabaseFailure(`the database ${target.shown} cannot be reached: ${reason}`, 'away');
      client.connection.stream.destroy();
    },
    close: async () => {
      isOpen = false;
      await client.end().catch(() => undefined); // it is not used again
    },
  };
}

/** A URL may name files of certificates and settings that do not exist. */
function readConfiguration(target: Target, create: () => Client): Client {
  try {
    return create();
  } catch (error) {
    throw new DatabaseFailure(
      `the URL of the database ${target.shown} cannot be used: ${target.conceal(error instanceof Error ? error.message : String(error))}`,
      'refused',
    );
  }
}
