/** Requests of the tool to a server, sent by the modules of generated clients: bounded in time and bytes, with exact numbers. */
import type { JsonValue } from '../../language/values/json.ts';
import { fail } from '../../language/failure/failure.ts';
import { ask, linesOf, textOf, type Answer } from '../../client/ask.ts';
import { ClientError } from '../../client/client-error.ts';
import { connect } from '../../client/connection.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { isObject } from '../../language/values/json.ts';
import { environmentFault, inputFault, usageFault, type ExitFault } from '../exit-fault.ts';

/** A running server, whose registry is read over HTTP. */
export interface ComparedServer {
  readonly url: string;
  readonly token?: string;
}

/** The export of the server, now or at a moment, compiled as files are. */

/** An answer other than success: the server's message, in one sentence. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

/** The end of a command that a server refuses: the environment's, if it cannot answer now; else the input is wrong. */
export function faultOf({ status, message }: Refusal): ExitFault {
  return status >= 500 || status === 429 ? environmentFault(message) : inputFault(message);
}

export interface RemoteServer {
  readonly get: (path: string) => Promise<JsonValue>;
  readonly text: (path: string) => Promise<string>;
  /** The lines of an answer of any length, as they come. */
  readonly lines: (path: string) => Promise<AsyncGenerator<string, void, undefined>>;
  readonly post: (path: string, body: string, headers?: Readonly<Record<string, string>>) => Promise<RemoteAnswer>;
}
export interface RemoteAnswer {
  readonly body: JsonValue;
  readonly headers: Headers;
}

/** Throws unless `--url` names a server. */
export function checkUrl(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageFault(`--url takes an http or https URL, not '${url}'`);
}

export interface ServerOptions {
  readonly token: string | undefined;
  /** Once the signal is aborted, a request ends with R0303. */
  readonly stopping?: () => AbortSignal | undefined;
  /** Maximum size of an answer that is held as a whole. */
  readonly mostBytes?: number;
  /** Milliseconds for the start of an answer, and for each 64 KiB of it; 120,000 if absent, more than a server gives a query. */
  readonly timeout?: number;
}

/** The token goes only into the header, never into a message, and to no other address. */
export function remoteServer(
  url: string,
  { token, stopping = () => undefined, mostBytes, timeout = 120_000 }: ServerOptions,
): RemoteServer {
  checkUrl(url);
  const connection = connect({
    baseUrl: new URL(url).origin,
    token,
    timeout,
    fetch: (to, init) => fetch(to, { ...init, redirect: 'error' }),
  });
  const asked = async <T>(work: (call: { readonly signal?: AbortSignal }) => Promise<T>): Promise<T> => {
    const signal = stopping();
    try {
      return await work(signal === undefined ? {} : { signal });
    } catch (error) {
      if (signal?.aborted === true) throw fail('R0303', {});
      throw toolFault(error);
    }
  };
  const get = (path: string, accept: string): Promise<string> =>
    asked(async (call) =>
      textOf((await ask(connection, { method: 'GET', path, accept, headers: {} }, call)).chunks, mostBytes),
    );
  const exact = (text: string): JsonValue => {
    try {
      return readExactJson(text);
    } catch {
      throw environmentFault(`the answer of ${connection.baseUrl} is not JSON`);
    }
  };
  const json = 'application/json';
  return {
    get: async (path) => exact(await get(path, json)),
    text: (path) => get(path, 'text/plain'),
    lines: async (path) => {
      const accept = 'application/x-ndjson';
      const { chunks } = await asked((call) => ask(connection, { method: 'GET', path, accept, headers: {} }, call));
      return remoteLines(chunks);
    },
    post: (path, body, headers = {}) =>
      asked(async (call) => {
        const said = { 'content-type': json, ...headers };
        const answer = await ask(connection, { method: 'POST', path, accept: json, headers: said, body }, call);
        return { body: exact(await textOf(answer.chunks, mostBytes)), headers: answer.headers };
      }),
  };
}

async function* remoteLines(chunks: Answer['chunks']): AsyncGenerator<string, void, undefined> {
  try {
    yield* linesOf(chunks);
  } catch (error) {
    throw error instanceof ClientError ? environmentFault(`the answer was cut: ${error.message}`) : error;
  }
}

/** A failure of the client as one of the tool. */
function toolFault(error: unknown): unknown {
  if (!(error instanceof ClientError)) return error;
  if (error.kind === 'refused') return new Refusal(error.status ?? 0, error.message);
  return environmentFault(error.message);
}

/** The aggregate whose decision is on a command. */
export async function aggregateOf(server: RemoteServer, command: string): Promise<string> {
  const rows = await server.get(`/api/reg/commands/${encodeURIComponent(command)}`);
  const row = Array.isArray(rows) ? (rows[0] as JsonValue | undefined) : undefined;
  const aggregate = isObject(row) ? row.get('aggregate') : undefined;
  if (typeof aggregate === 'string') return aggregate;
  throw inputFault(`command '${command}' has no decision`);
}
