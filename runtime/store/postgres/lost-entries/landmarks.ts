/**
 * Ends of batches that a server has read. A batch id is never used again, so a log that has the same batch at an entry has the same history up to
 * there: the newest landmark that a log still has shows where the histories part.
 */
import type { JournalEnd } from '../../journal.ts';
import type { Connection } from '../connection.ts';
import type { Parted } from '../known-end.ts';

export interface Landmarks {
  /** Ignored unless it lies behind all that are known. */
  readonly add: (end: JournalEnd) => void;
  /** In order. */
  readonly all: () => readonly JournalEnd[];
}

/** The newest that are kept. */
const most = 65_536;

export function createLandmarks(): Landmarks {
  let ends: JournalEnd[] = [];
  return {
    add: (end) => {
      if (end.entry <= (ends.at(-1)?.entry ?? 0)) return;
      ends.push(end);
      // Now and then, because each time copies them.
      if (ends.length > 1.25 * most) ends = ends.slice(-most);
    },
    all: () => ends,
  };
}

/** Entries that a server has read, and the log no longer has. */
export interface LostEntries {
  readonly first: number;
  readonly last: number;
  /** The last event before them. */
  readonly afterEvent: number;
}

/** The entries after the last landmark that the log has. Undefined if it has the newest one. */
export async function findLostEntries(
  connection: Connection,
  namespace: string,
  known: readonly JournalEnd[],
): Promise<LostEntries | undefined> {
  const last = known.at(-1)?.entry ?? 0;
  const { rows } = await connection.query(
    `WITH common AS (
       SELECT coalesce(max(k.entry), 0) AS entry FROM unnest($1::bigint[], $2::text[]) k (entry, batch)
       JOIN "${namespace}".entry e ON e.entry = k.entry AND e.batch = k.batch
     )
     SELECT c.entry, coalesce((SELECT max(e.first_event + e.events - 1) FROM "${namespace}".entry e WHERE e.entry <= c.entry AND e.events > 0), 0)
     FROM common c`,
    [known.map(({ entry }) => entry), known.map(({ batch }) => batch)],
  );
  const [common = '0', afterEvent = '0'] = rows[0] ?? [];
  const first = Number(common) + 1;
  return first > last ? undefined : { first, last, afterEvent: Number(afterEvent) };
}

/** The reason why a server whose log has lost entries stops. `lost` is undefined if it could not be found out. */
export function partedReason(place: string, { read, end }: Parted, lost: LostEntries | undefined): string {
  const found = end < read ? `it ends at entry ${end}` : `its entry ${read} is of another batch`;
  const remedy =
    lost === undefined
      ? 'restart the server to go on from the log as it is now'
      : `${lostInWords(lost)}. Bring the log back that has them, or restart the server with --accept-loss ${lost.first} to go on without them`;
  return (
    `the log in ${place} is not the one that this server has read up to entry ${read}: ${found}. The database was ` +
    `restored from a backup, or a replica without the last entries has taken over; ${remedy}`
  );
}

export function lostInWords({ first, last }: LostEntries): string {
  return first === last ? `entry ${first} is gone` : `entries ${first} to ${last} are gone`;
}
