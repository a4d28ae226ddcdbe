/**
 * Announcements in the side tables of a log: a row with the last announced change, and one for each server, with the moment of its last sign by the
 * clock of the database and the number of the announcement that it is prepared for. The number is in the row `head`, which servers look at anyway.
 */
import type { AnnouncedChange, Announcements } from '../../side/announcements.ts';
import type { StoreLog } from '../../disk.ts';
import { JournalFailure } from '../../journal.ts';
import { DatabaseFailure } from '../failure.ts';
import type { Link } from '../link.ts';

export interface AnnouncedRows extends Announcements {
  /** The row `head` has this number. */
  readonly seen: (announced: number) => void;
}

export interface AnnouncedRowsOptions {
  readonly link: Link;
  readonly namespace: string;
  /** Identifies this server alone. */
  readonly id: string;
  /** Followers that listen are woken on it. */
  readonly channel?: string;
  readonly monotonic: () => number;
  readonly log: StoreLog;
}

/** A server without a sign for longer is not waited for. */
const [signMilliseconds, silentMilliseconds] = [2_000, 6_000];
const [waitMilliseconds, lookMilliseconds] = [10_000, 50];
/** Rows of servers that ended without saying so are removed after this time. */
const forgottenMilliseconds = 3_600_000;
const attempts = 5;

const [announcedName, serverPrefix] = ['announced', 'server '];
const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export function createAnnouncedRows(options: AnnouncedRowsOptions): AnnouncedRows {
  const { link, namespace, id, channel, monotonic, log } = options;
  const values = `"${namespace}".side_value`;
  const head = `"${namespace}".head`;
  const own = serverPrefix + id;
  const servers = `name >= '${serverPrefix}' AND name < '${serverPrefix}~' AND name <> $1`;
  let prepare: ((change: AnnouncedChange) => Promise<void>) | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** The last number that was seen, and the last that this server is prepared for. */
  let [wanted, ready] = [0, 0];
  let preparing: Promise<void> | undefined;

  const ask = async (
    text: string,
    parameters: readonly unknown[],
  ): Promise<readonly (readonly (string | null)[])[]> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await link.use((connection) => connection.query(text, parameters))).rows;
      } catch (error) {
        if (!(error instanceof DatabaseFailure) || error.meaning !== 'again' || attempt === attempts) throw error;
      }
    }
  };
  /** Nothing depends on it, and a database that is away is reported elsewhere. */
  const quietly = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof JournalFailure)) throw error;
      },
    );

  const sign = (): Promise<void> =>
    quietly(
      ask(
        `INSERT INTO ${values} (name, version, value) VALUES ($1, $2, ${now}::text)
         ON CONFLICT (name) DO UPDATE SET version = excluded.version, value = excluded.value`,
        [own, ready],
      ),
    );
  const signAgain = (): void => {
    timer = setTimeout(() => void sign().then(() => timer !== undefined && signAgain()), signMilliseconds).unref();
  };

  const prepareFor = async (number: number): Promise<void> => {
    const [row] = await ask(`SELECT version, value FROM ${values} WHERE name = $1`, [announcedName]);
    const [version, value] = row ?? [];
    if (Number(version) !== number || typeof value !== 'string') return;
    try {
      await prepare?.(JSON.parse(value) as AnnouncedChange);
    } catch (error) {
      // The server that announced it, or the entry once it is in the log, says what is wrong.
      log('warn', `a change that another server announced cannot be prepared: ${messageOf(error)}`);
    }
  };
  const catchUp = async (): Promise<void> => {
    while (prepare !== undefined && ready < wanted) {
      const number = wanted;
      await prepareFor(number);
      ready = number;
      await sign();
    }
  };
  const look = (): void => {
    preparing ??= quietly(catchUp()).finally(() => {
      preparing = undefined;
    });
  };

  /** Number of other servers that run and are not prepared for it. */
  const unprepared = async (number: number): Promise<number> => {
    const [row] = await ask(
      `SELECT count(*) FROM ${values} WHERE ${servers} AND version::bigint < $2::bigint AND value::bigint > ${now} - ${silentMilliseconds}`,
      [own, number],
    );
    return Number(row?.[0]);
  };
  const announce = async (change: AnnouncedChange): Promise<void> => {
    if ((await unprepared(Number.MAX_SAFE_INTEGER)) === 0) return;
    const [row] = await ask(
      `WITH moved AS (UPDATE ${head} SET announced = announced + 1 RETURNING announced),
       kept AS (
         INSERT INTO ${values} (name, version, value) SELECT $1, announced::text, $2 FROM moved
         ON CONFLICT (name) DO UPDATE SET version = excluded.version, value = excluded.value
       )
       SELECT announced${channel === undefined ? '' : `, pg_notify('${channel}', 'announced')`} FROM moved`,
      [announcedName, JSON.stringify(change)],
    );
    const number = Number(row?.[0]);
    ready = Math.max(ready, number);
    const end = monotonic() + waitMilliseconds;
    while ((await unprepared(number)) > 0 && monotonic() < end)
      await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
  };

  return {
    announce: (change) => quietly(announce(change)),
    seen: (announced) => {
      wanted = Math.max(wanted, announced);
      if (ready < wanted) look();
    },
    join: (given) => {
      prepare = given;
      const forget = `DELETE FROM ${values} WHERE ${servers} AND value::bigint < ${now} - ${forgottenMilliseconds}`;
      void sign().then(() => quietly(ask(forget, [own])));
      signAgain();
      look();
    },
    leave: async () => {
      if (prepare === undefined) return;
      prepare = undefined;
      clearTimeout(timer);
      timer = undefined;
      await preparing;
      await quietly(ask(`DELETE FROM ${values} WHERE name = $1`, [own]));
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
