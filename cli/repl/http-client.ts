import type { JsonValue } from '../../language/values/json.ts';
import { fail } from '../../language/failure/failure.ts';
import { isObject, readExactJson } from '../expectations/exact-json.ts';
import { environmentFault, inputFault, usageFault, type ExitFault } from '../exit-fault.ts';

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

export interface HttpClient {
  readonly get: (path: string) => Promise<JsonValue>;
  readonly text: (path: string) => Promise<string>;
  /** The lines of an answer of any length, as they come. */
  readonly lines: (path: string) => Promise<AsyncGenerator<string, void, undefined>>;
  readonly post: (path: string, body: string, headers?: Readonly<Record<string, string>>) => Promise<HttpAnswer>;
}
export interface HttpAnswer {
  readonly body: JsonValue;
  readonly headers: Headers;
}

/** Throws unless `--url` names a server. */
export function checkUrl(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageFault(`--url takes an http or https URL, not '${url}'`);
}

/**
 * Sends JSON requests to a server, numbers kept exact. The token goes only into the header, never into a message. Once the signal from
 * `stopping` is aborted, a request ends with R0303.
 */
export function createHttpClient(
  base: string,
  token: string | undefined,
  stopping: () => AbortSignal | undefined,
): HttpClient {
  checkUrl(base);
  const authorization: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const call = async (path: string, accept: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { Accept: accept, ...authorization, ...(init.headers as Record<string, string> | undefined) };
    const signal = stopping() ?? null;
    const answer = await fetch(new URL(path, base), { ...init, headers, signal, redirect: 'error' }).catch(
      (error: unknown) => {
        if (signal?.aborted === true) throw fail('R0303', {});
        const { cause, message } = error as Error & { readonly cause?: { readonly message?: string } };
        throw environmentFault(`${base} cannot be reached: ${cause?.message ?? message}`);
      },
    );
    if (!answer.ok) throw new Refusal(answer.status, errorText(await answer.text(), answer.status));
    return answer;
  };
  const json = 'application/json';
  return {
    get: async (path) => readExactJson(await (await call(path, json)).text()),
    text: async (path) => (await call(path, 'text/plain')).text(),
    lines: async (path) => linesOf((await call(path, 'application/x-ndjson')).body, base),
    post: async (path, body, headers = {}) => {
      const answer = await call(path, json, { method: 'POST', body, headers: { 'Content-Type': json, ...headers } });
      return { body: readExactJson(await answer.text()), headers: answer.headers };
    },
  };
}

async function* linesOf(
  body: ReadableStream<Uint8Array> | null,
  base: string,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const bytes of body ?? []) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    const { cause, message } = error as Error & { readonly cause?: { readonly message?: string } };
    throw environmentFault(`the answer of ${base} was cut: ${cause?.message ?? message}`);
  }
}

function errorText(body: string, status: number): string {
  try {
    const value = readExactJson(body);
    const error = isObject(value) ? value.get('error') : undefined;
    if (typeof error === 'string') return error;
  } catch {
    // Not an answer of our server; its status must suffice.
  }
  return `the server answered with status ${status}`;
}
