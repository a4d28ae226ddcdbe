import { writeJsonValue } from '../../language/values/json-write.ts';
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
): Promise<{ readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RunRefusal(`"url" takes an http or https URL, not ${JSON.stringify(url)}`);
  const { origin } = new URL(url);
  const server = remoteServer(url, { token, stopping: () => signal, mostBytes });
  try {
    const { body } = await server.post('/api/inspect', JSON.stringify({ decision, commands }));
    return tableOf(JSON.parse(writeJsonValue(body)), origin);
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

function tableOf(value: unknown, origin: string): Awaited<ReturnType<typeof inspectRemotely>> {
  if (!isRows(value)) throw new RunRefusal(`${origin}: the answer is no list of rows`);
  const columns = Object.keys(value[0] ?? {});
  return { columns, rows: value.map((row) => columns.map((name) => row[name])) };
}

function isRows(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null);
}
