/** Statements of a session, or of a prompt at a url, and the rows that they show. */
import { readExactJson } from '../../language/values/json-parse.ts';
import { isObject } from '../../language/values/json.ts';
import type { RunText } from '../../cli/run-statements.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import type { RunOptions, Session } from '../../server/session/session.ts';
import { plain } from './command-doors.ts';

/** The rows of the last query of a text as objects, with every value as text or NULL. */
export async function rowsOf(run: RunText, text: string, options: RunOptions = {}): Promise<unknown> {
  let rows: unknown;
  for await (const outcome of run({ name: 'statements', text }, options)) {
    const said = readExactJson(outcomeJson(outcome));
    if (outcome.kind === 'error' || !isObject(said)) throw new Error(outcomeJson(outcome));
    const { columns = [], rows: found } = plain(said) as {
      readonly columns?: readonly { readonly name: string }[];
      readonly rows?: readonly (readonly unknown[])[] | string;
    };
    // An inspection says how many it has.
    if (typeof found === 'object')
      rows = found.map((row) => Object.fromEntries(row.map((value, at) => [columns[at]?.name, value])));
  }
  return rows;
}

/** Commands as statements. */
export const executed = (texts: readonly (string | undefined)[]): string =>
  texts.map((text) => `EXECUTE ${text};`).join('\n');

/** Runs a text in a session of its own, in memory, and passes the session on. */
export async function withHistory<T>(text: string, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  try {
    await rowsOf(session.run, text);
    return await work(session);
  } finally {
    await session.close();
  }
}

/** The JSON of an answer, with every value as text or NULL. */
export async function fetched(url: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
  return plain(readExactJson(await (await fetch(url, { ...init, headers })).text()));
}

export const posted = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
