/** `schemac log` on a database: verifies, prints and exports a log while its servers run, without changing anything. */
import { fail, Failure } from '../../../language/failure/failure.ts';
import { systemRandom } from '../disk/node-disk.ts';
import type { LogEntry } from '../entry.ts';
import { decodeLine } from '../line.ts';
import type { LogFinding } from '../log/verify.ts';
import { readEntry } from '../read-entry.ts';
import { createSequenceCheck } from '../sequence-check.ts';
import type { OpenLog } from '../transfer/open-log.ts';
import { noSecret } from './migrations.ts';
import { checkNamespace, defaultNamespace } from './namespace.ts';
import { openPostgresJournal, type PostgresJournal } from './postgres-journal.ts';
import { readTarget } from './target.ts';

export interface DatabaseLog {
  readonly url: string;
  readonly namespace?: string;
}

/** Throws R0420 where there is none, and for a role that may not read the secret unless only entries are wanted. */
export async function openDatabaseLog(
  log: DatabaseLog,
  { needsSecret = true }: { readonly needsSecret?: boolean } = {},
): Promise<OpenLog> {
  const journal = await openExisting(log);
  const { entry: end } = journal.known();
  if (needsSecret && journal.secret === noSecret) {
    await journal.close();
    const problem = 'this role may not read its table secret, whose key is part of an export';
    throw fail('R0420', { place: journal.place, problem });
  }
  return {
    secret: Buffer.from(journal.secret, 'hex'),
    entries: end,
    lines: journal,
    read: (from) => entriesOf(journal, from, end),
    close: journal.close,
  };
}

/** Differs between two states of the log, and between two logs at one place. Throws R0420 where there is none. */
export async function markOfDatabaseLog(log: DatabaseLog): Promise<string> {
  const journal = await openExisting(log);
  const { entry, batch } = journal.known();
  await journal.close();
  return `${journal.storeId} ${entry} ${batch}`;
}

async function* entriesOf(
  journal: PostgresJournal,
  from: number,
  to: number,
): AsyncGenerator<LogEntry, void, undefined> {
  for await (const lines of journal.read(from, to)) for (const line of lines) yield readEntry(line, journal.holder);
}

/** All entries in order, of a damaged log those before the damage; then throws an R0421 or R0406. */
export async function* dumpDatabaseLog(log: DatabaseLog): AsyncGenerator<LogEntry, void, undefined> {
  const journal = await openExisting(log);
  try {
    yield* entriesOf(journal, 1, journal.known().entry);
  } finally {
    await journal.close();
  }
}

/** Checks the checksum of every entry, that none is missing or too many, and that the columns of events say what the entries say. */
export async function* verifyDatabaseLog(log: DatabaseLog): AsyncGenerator<LogFinding, void, undefined> {
  const journal = await openExisting(log);
  const { place } = journal;
  const { entry: end } = journal.known();
  const sequence = createSequenceCheck();
  let damages = 0;
  let events = 0;
  const damage = (problem: string): LogFinding => {
    damages += 1;
    return { finding: 'damage', problem: `${place}: ${problem}` };
  };
  try {
    for (let next = 1; next <= end;) {
      const page = (await journal.page(next, end)).filter(({ number }) => number >= next);
      const lines: string[] = [];
      for (const { number, line, problem } of page) {
        if (number > next) yield damage(missing(next, number - 1));
        next = number + 1;
        if (line === undefined) yield damage(`entry ${number}: ${problem ?? 'it has no line'}`);
        else {
          lines.push(line);
          // After damage the numbers that follow are no news.
          const wrong = damages === 0 ? sequence(line, place) : undefined;
          if (wrong instanceof Failure) yield { finding: 'newer', problem: wrong.message };
          else if (wrong !== undefined) yield damage(wrong);
        }
      }
      if (page.length === 0) {
        yield damage(missing(next, end));
        next = end + 1;
      }
      const found = await checkColumns(journal, log.namespace ?? defaultNamespace, lines);
      events += found.events;
      for (const problem of found.problems) yield damage(problem);
    }
    yield { finding: 'rows', place, entries: end, events };
  } finally {
    await journal.close();
  }
}

function missing(first: number, last: number): string {
  return first === last ? `entry ${first}: its row is missing` : `entries ${first} to ${last}: their rows are missing`;
}

/** Compares the columns that reports read with the payloads. They are not part of the line, so the checksum does not cover them. */
async function checkColumns(
  journal: PostgresJournal,
  namespace: string,
  lines: readonly string[],
): Promise<{ readonly events: number; readonly problems: readonly string[] }> {
  const expected = lines.flatMap((line) => {
    const entry = decodeLine(line);
    if (entry.kind !== 'command') return [];
    return entry.events.map(({ position, id, streamType, streamId, seq, type, version }) => ({
      position,
      entry: entry.number,
      row: JSON.stringify([entry.number, id, streamType, streamId, seq, type, version, entry.at].map(String)),
    }));
  });
  const [first, last] = [expected[0]?.position, expected.at(-1)?.position];
  if (first === undefined || last === undefined) return { events: 0, problems: [] };
  const { rows } = await journal.stateLink.use((connection) =>
    connection.query(
      `SELECT global_position, entry, event_id, stream_type, stream_id, seq, event_type, event_version,
         (extract(epoch FROM occurred_at) * 1000000)::bigint
       FROM "${namespace}".event WHERE global_position BETWEEN $1 AND $2`,
      [first, last],
    ),
  );
  const found = new Map(rows.map(([position, ...row]) => [Number(position), JSON.stringify(row)]));
  const wrong = expected.filter(({ position, row }) => found.get(position) !== row);
  return {
    events: expected.length,
    problems: wrong.map(
      ({ position, entry }) =>
        `entry ${entry}: the columns of the event at position ${position} are not those of the entry`,
    ),
  };
}

function openExisting({ url, namespace = defaultNamespace }: DatabaseLog): Promise<PostgresJournal> {
  return openPostgresJournal({
    target: readTarget(url, 'durable.url'),
    namespace: checkNamespace(namespace),
    random: systemRandom,
    now: Date.now,
    monotonic: () => performance.now(),
    log: () => undefined,
    readOnly: true,
  });
}
