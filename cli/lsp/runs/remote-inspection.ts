import { isObject, readExactJson } from '../../expectations/exact-json.ts';
import { RunRefusal } from './run-refusal.ts';

/** Of a running server over HTTP. */
export interface RemoteServer {
  readonly url: string;
  /** Sent to the server, and never shown. */
  readonly token: string | undefined;
}

/** Bytes; more than an editor can show. */
const mostAnswer = 32 * 1024 * 1024;

/** What a decision of the server would do with these commands (docs/http.md#inspections), one object for each row. */
export async function inspectRemotely(
  { url, token }: RemoteServer,
  decision: string,
  commands: readonly object[],
  signal: AbortSignal,
): Promise<{ readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RunRefusal(`"url" takes an http or https URL, not ${JSON.stringify(url)}`);
  const { origin } = new URL(url);
  const headers = {
    Accept: 'application/json',
    'Content-Type': 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const body = JSON.stringify({ decision, commands });
  try {
    const answer = await fetch(new URL('/api/inspect', url), {
      method: 'POST',
      body,
      headers,
      signal,
      redirect: 'error',
    });
    const text = await boundedText(answer, origin);
    if (!answer.ok)
      throw new RunRefusal(
        `${origin}: ${errorIn(text) ?? `it answered with status ${answer.status}`}${hintFor(answer.status)}`,
      );
    return tableOf(text, origin);
  } catch (error) {
    if (error instanceof RunRefusal) throw error;
    if (signal.aborted) throw new RunRefusal(`${origin}: no answer in time`);
    const { cause, message } = error as Error & { readonly cause?: { readonly message?: string } };
    throw new RunRefusal(`${origin} cannot be reached: ${cause?.message ?? message}`);
  }
}

async function boundedText(answer: Response, origin: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    pieces.push(piece as Uint8Array); // as fetch gives them
    size += (piece as Uint8Array).byteLength;
    if (size > mostAnswer) throw new RunRefusal(`${origin}: the answer has more than ${mostAnswer} bytes`);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function errorIn(text: string): string | undefined {
  try {
    const value = readExactJson(text);
    const error = isObject(value) ? value.get('error') : undefined;
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined; // no answer of a schemac server; its status must suffice
  }
}

function hintFor(status: number): string {
  if (status === 401) return '; the token comes from SCHEMAC_TOKEN';
  return status === 404 ? '; a server inspects with --enable-inspect, or as schemac dev' : '';
}

function tableOf(text: string, origin: string): Awaited<ReturnType<typeof inspectRemotely>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RunRefusal(`${origin}: the answer is not JSON`);
  }
  if (!isRows(value)) throw new RunRefusal(`${origin}: the answer is no list of rows`);
  const columns = Object.keys(value[0] ?? {});
  return { columns, rows: value.map((row) => columns.map((name) => row[name])) };
}

function isRows(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null);
}
