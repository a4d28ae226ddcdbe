/**
 * Keeps the views `"X$Events"` in step with the registry, each in a transaction of its own that waits for a lock for 100 ms at most: a
 * report that runs would otherwise hold up every later reader of the view. A view that could not be made is tried again, by any server that
 * finds it behind. A side value says which registry the views show, so that servers of an older registry or version leave them alone.
 */
import { createHash } from 'node:crypto';
import type { StoreLog } from '../../disk.ts';
import type { EventViews } from '../../side/event-views.ts';
import type { Connection } from '../connection.ts';
import { DatabaseFailure } from '../failure.ts';
import type { Link } from '../link.ts';
import { eventViewsOf } from './event-view.ts';
import { viewText, type ViewText } from './view-text.ts';

/** Raised when the same registry gives other views. */
const form = 1;

const sideName = 'views';
const lockMilliseconds = 100;
const [firstPause, longestPause] = [500, 60_000];
/** A report uses the view; an object of others depends on it. */
const [lockTimeout, hasDependents] = ['55P03', '2BP01'];

/** Views that exist, by name. */
type Made = Readonly<Record<string, { readonly hash: string; readonly columns: readonly string[] }>>;

interface Shown {
  readonly form: number;
  readonly schemaEntries: number;
  readonly made: Made;
}

interface Wanted {
  readonly texts: readonly ViewText[];
  readonly schemaEntries: number;
}

export function createViewRows(link: Link, namespace: string, log: StoreLog): EventViews {
  const values = `"${namespace}".side_value`;
  let wanted: Wanted | undefined;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let behind: string | undefined;
  const stop = new AbortController();

  /** The row is locked until the transaction ends, so servers make views one after the other. */
  const locked = async (connection: Connection): Promise<Shown> => {
    const { rows } = await connection.query(
      `INSERT INTO ${values} (name, version, value) VALUES ($1, '0.0', '{}')
       ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING version, value`,
      [sideName],
    );
    return shownOf(rows[0]);
  };
  const keep = (connection: Connection, { form: kept, schemaEntries, made }: Shown): Promise<unknown> =>
    connection.query(`UPDATE ${values} SET version = $2, value = $3 WHERE name = $1`, [
      sideName,
      `${kept}.${schemaEntries}`,
      JSON.stringify(made),
    ]);

  /** Makes a change of the views, unless there is none, or a server of the same registry or a newer one has made its own. */
  const step = (
    change: (connection: Connection, shown: Shown) => Promise<Shown | undefined>,
    isMade = isAtLeast,
  ): Promise<void> =>
    link.use(async (connection) => {
      try {
        await connection.query(
          `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${lockMilliseconds}; SET LOCAL statement_timeout = 5000`,
        );
        const shown = await locked(connection);
        const next = isMade(shown, wanted) ? undefined : await change(connection, shown);
        if (next !== undefined) await keep(connection, next);
        await connection.query(next === undefined ? 'ROLLBACK' : 'COMMIT');
      } catch (error) {
        await connection.query('ROLLBACK').catch(() => undefined); // the first error says why
        throw error;
      }
    });

  /** Names of the views that do not exist. */
  const goneViews = async (texts: readonly ViewText[]): Promise<ReadonlySet<string>> => {
    const { rows } = await link.use((connection) =>
      connection.query(
        "SELECT name FROM unnest($2::text[]) name WHERE to_regclass(format('%I.%I', $1::text, name)) IS NULL ORDER BY name",
        [namespace, texts.map(({ name }) => name)],
      ),
    );
    return new Set(rows.map(([name]) => name ?? ''));
  };

  const make = async ({ texts, schemaEntries }: Wanted): Promise<void> => {
    const { rows } = await link.use((connection) =>
      connection.query(`SELECT version, value FROM ${values} WHERE name = $1`, [sideName]),
    );
    const shown = shownOf(rows[0]);
    if (isNewer(shown, wanted)) return;
    const gone = await goneViews(texts.filter(({ name }) => shown.made[name] !== undefined));
    if (gone.size > 0) log('warn', `views of events were dropped by hand, and are made again: ${[...gone].join(', ')}`);
    else if (isAtLeast(shown, wanted)) return;
    const failures: unknown[] = [];
    for (const text of texts)
      // A view that cannot be made does not prevent the others.
      await step(async (connection, shown) => {
        const found = shown.made[text.name];
        const hash = hashOf(text);
        if (found?.hash === hash && !gone.has(text.name)) return undefined;
        await makeView(connection, namespace, text, found?.columns);
        return { ...shown, made: { ...shown.made, [text.name]: { hash, columns: text.columns } } };
      }, isNewer).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
    const names = new Set(texts.map(({ name }) => name));
    await step(async (connection, { made }) => {
      for (const name of Object.keys(made).filter((one) => !names.has(one)))
        await connection.query(`DROP VIEW IF EXISTS "${namespace}"."${name}"`);
      const left = Object.entries(made).filter(([name]) => names.has(name));
      return { form, schemaEntries, made: Object.fromEntries(left) };
    });
  };

  const isClosed = (): boolean => stop.signal.aborted;
  const work = async (): Promise<void> => {
    for (let pause = firstPause; wanted !== undefined && !isClosed(); pause = Math.min(2 * pause, longestPause)) {
      const now = wanted;
      try {
        await make(now);
        behind = undefined;
        if (wanted === now) wanted = undefined;
      } catch (error) {
        if (isClosed()) return;
        tell(error);
        const heals = error instanceof DatabaseFailure && error.heals;
        await new Promise<void>((resolve) => {
          timer = setTimeout(resolve, heals ? pause : longestPause).unref();
          wake = resolve;
        });
      }
    }
  };
  let wake = (): void => undefined;

  const tell = (error: unknown): void => {
    const reason = error instanceof DatabaseFailure ? error.reason : String(error);
    const state = error instanceof DatabaseFailure ? error.state : undefined;
    const problem =
      state === lockTimeout
        ? 'a report is using one of them'
        : state === hasDependents
          ? `${reason}; drop what depends on it, and create it again afterwards`
          : reason;
    const before = behind;
    behind = `the views of events in namespace ${namespace} are behind the registry: ${problem}`;
    if (before !== behind) log('warn', behind);
  };

  return {
    show: (domain, schemaEntries) => {
      wanted = { texts: eventViewsOf(domain).map((view) => viewText(namespace, view)), schemaEntries };
      wake();
      working ??= work().finally(() => {
        working = undefined;
      });
    },
    notes: () => (behind === undefined ? [] : [behind]),
    close: async () => {
      stop.abort();
      clearTimeout(timer);
      wake();
      await working;
    },
  };
}

function shownOf(row: readonly (string | null)[] | undefined): Shown {
  const [version, value] = row ?? [];
  const [kept = 0, schemaEntries = 0] = (version ?? '').split('.').map(Number);
  return { form: kept, schemaEntries, made: JSON.parse(value ?? '{}') as Made };
}

function isAtLeast(shown: Shown, wanted: Wanted | undefined): boolean {
  if (wanted === undefined || shown.form > form) return true;
  return shown.form === form && shown.schemaEntries >= wanted.schemaEntries;
}

/** Views of a newer server are left as they are, even if one is missing. */
function isNewer(shown: Shown, wanted: Wanted | undefined): boolean {
  if (wanted === undefined || shown.form > form) return true;
  return shown.form === form && shown.schemaEntries > wanted.schemaEntries;
}

function hashOf({ query, comment }: ViewText): string {
  return createHash('sha256').update(`${query}\n${comment}`).digest('hex').slice(0, 32);
}

async function makeView(
  connection: Connection,
  namespace: string,
  { name, columns, query, comment }: ViewText,
  before: readonly string[] | undefined,
): Promise<void> {
  const view = `"${namespace}"."${name}"`;
  const isLonger = before === undefined || before.every((column, place) => columns[place] === column);
  const grants = isLonger ? [] : await grantsOf(connection, namespace, name);
  if (!isLonger) await connection.query(`DROP VIEW IF EXISTS ${view}`);
  await connection.query(`CREATE OR REPLACE VIEW ${view} AS\n${query}`);
  await connection.query(`COMMENT ON VIEW ${view} IS '${comment.replaceAll("'", "''")}'`);
  for (const grant of grants) await connection.query(grant);
}

/** The rights of others in the view, as statements that give them again; the database quotes the names in them. */
async function grantsOf(connection: Connection, namespace: string, name: string): Promise<readonly string[]> {
  const { rows } = await connection.query(
    `SELECT format('GRANT %s ON %I.%I TO %s%s', privilege_type, $1::text, $2::text,
       CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
       CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
     FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl)
     WHERE c.relnamespace = to_regnamespace(quote_ident($1::text)) AND c.relname = $2::text AND grantee <> c.relowner`,
    [namespace, name],
  );
  return rows.map(([text]) => text ?? '');
}
