import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { isList, isObject } from '../../language/values/json.ts';
import { ExitFault } from '../exit-fault.ts';
import { Refusal, remoteServer } from './server.ts';

/** Says in a sentence for the user why a request cannot be run. */
export class RunRefusal extends Error {}

/** A running server. */
export interface InspectedServer {
  readonly url: string;
  /** Sent to the server, and never shown. */
  readonly token: string | undefined;
}

/** A value of a row as JSON of the editor's protocol: a number that JavaScript would print otherwise is its exact text. */
export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [name: string]: Cell };

export function cellOf(value: JsonValue | undefined): Cell {
  if (value === undefined) return null;
  if (value instanceof ExactNumber) return String(Number(value.text)) === value.text ? Number(value.text) : value.text;
  if (isList(value)) return value.map(cellOf);
  return isObject(value) ? Object.fromEntries([...value].map(([name, member]) => [name, cellOf(member)])) : value;
}

/** Bytes; more than an editor can show. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Asks for the outcomes that a decision of the server would have for these commands (docs/http.md#inspections), one object for each row.
 */
export async function inspectRemotely(
  { url, token }: InspectedServer,
  decision: string,
  commands: readonly object[],
  signal: AbortSignal,
): Promise<{ readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] }> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RunRefusal(`"url" takes an http or https URL, not ${JSON.stringify(url)}`);
  const { origin } = new URL(url);
  const server = remoteServer(url, { token, stopping: () => signal, mostBytes });
  try {
    const { body } = await server.post('/api/inspect', JSON.stringify({ decision, commands }));
    return tableOf(body, origin);
  } catch (error) {
    if (signal.aborted) throw new RunRefusal(`${origin}: no answer in time`);
    if (error instanceof Refusal) throw new RunRefusal(`${origin}: ${error.message}${hintFor(error.status)}`);
    if (!(error instanceof ExitFault)) throw error;
    throw new RunRefusal(error.message.includes(origin) ? error.message : `${origin}: ${error.message}`);
  }
}

function hintFor(status: number): string {
  if (status === 401) return '; the token comes from SCHEMAC_TOKEN';
  return status === 404 ? '; a server inspects with --enable-inspect, or as schemac dev' : '';
}

function tableOf(value: JsonValue, origin: string): Awaited<ReturnType<typeof inspectRemotely>> {
  if (!isList(value)) throw new RunRefusal(`${origin}: the answer is no list of rows`);
  const rows = value.filter((row): row is JsonObject => isObject(row));
  const columns = [...(rows[0]?.keys() ?? [])];
  return { columns, rows: rows.map((row) => columns.map((name) => cellOf(row.get(name)))) };
}
