import { ClientError } from './client-error.ts';
import type { Connection, Seen } from './connection.ts';
import type { CallOptions } from './options.ts';

export interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The media type of the answer. */
  readonly accept: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The answer has no end, and little comes of it when nothing happens. */
  readonly endless?: true;
}

/** An answer that is no error. */
export interface Answer {
  readonly headers: Headers;
  /** The body as it arrives, which can be read once; stopping early ends the request. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Sends one request once. Rejects with a `ClientError`, or with the reason of the call's signal. */
export async function ask(connection: Connection, question: Question, call: CallOptions): Promise<Answer> {
  call.signal?.throwIfAborted();
  const request = openRequest(connection, call);
  try {
    const token = await request.within(connection.token());
    const { method, path, accept, body } = question;
    const headers = {
      accept,
      ...question.headers,
      ...(connection.seen.entry === 0 ? {} : { 'schemac-min-entry': String(connection.seen.entry) }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const init = { method, headers, signal: request.signal, ...(body === undefined ? {} : { body }) };
    const response = await request.within(connection.fetch(connection.baseUrl + path, init));
    remember(connection.seen, response.headers);
    const chunks = chunksOf(response, request, question.endless === true);
    if (!response.ok) throw refusal(response, await textOf(chunks));
    if (response.headers.get('content-type')?.startsWith(accept) !== true)
      throw new ClientError('damaged', `the answer is no ${accept}`);
    return { headers: response.headers, chunks };
  } catch (error) {
    request.end();
    throw request.failure(error);
  }
}

/** Another store, such as one that replaced it, has other entries. */
function remember(seen: Seen, headers: Headers): void {
  const store = headers.get('schemac-store');
  const entry = Number(headers.get('schemac-entry') ?? 0);
  if (store === null) return;
  seen.entry = store === seen.store ? Math.max(seen.entry, entry) : entry;
  seen.store = store;
}

/** Bytes of a body, and characters of a line, that are held at most. */
const mostOfBody = 256 * 1024 * 1024;
const mostOfLine = 64 * 1024 * 1024;
/** Bytes that come within the timeout at least, so that a trickle does not prolong an answer without end. */
const pace = 64 * 1024;

/** The whole body as text. */
export async function textOf(chunks: AsyncIterable<Uint8Array>, mostBytes = mostOfBody): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new ClientError('damaged', `the answer has more than ${mostBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The whole lines of a body as they arrive, without the rest of one that was cut. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, mostCharacters = mostOfLine): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > mostCharacters)
      throw new ClientError('damaged', `a line of the answer has more than ${mostCharacters} characters`);
    yield* lines;
  }
}

/** A running request. */
interface OpenRequest {
  readonly signal: AbortSignal;
  /** The longest wait, in milliseconds. */
  readonly timeout: number;
  /** Gives the promise, which fails when the server takes longer than the timeout, or than is left of it. */
  readonly within: <T>(work: Promise<T>, left?: number) => Promise<T>;
  /** The error of a call for a failure of the platform. */
  readonly failure: (error: unknown) => unknown;
  /** Ends the request. */
  readonly end: () => void;
}

function openRequest(connection: Connection, call: CallOptions): OpenRequest {
  const control = new AbortController();
  const stop = (): void => control.abort(call.signal?.reason);
  call.signal?.addEventListener('abort', stop);
  const milliseconds = call.timeout ?? connection.timeout;
  return {
    signal: control.signal,
    timeout: milliseconds,
    within: async (work, left = milliseconds) => {
      const rest = new AbortController();
      const late = connection.sleep(left, rest.signal).then(() => {
        throw new ClientError('timeout', `${connection.baseUrl} took more than ${milliseconds} ms to answer`);
      });
      try {
        return await Promise.race([work, late]);
      } finally {
        rest.abort();
      }
    },
    failure: (error) => {
      if (call.signal?.aborted === true) return call.signal.reason as unknown;
      if (error instanceof ClientError) return error;
      return new ClientError('unreachable', `${connection.baseUrl} does not answer: ${reasonOf(error)}`, {
        cause: error,
      });
    },
    end: () => {
      call.signal?.removeEventListener('abort', stop);
      control.abort();
    },
  };
}

/** Node gives the reason in the cause; browsers give none. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { readonly cause?: unknown; readonly message?: unknown };
  return cause instanceof Error && cause.message !== '' ? cause.message : String(message);
}

async function* chunksOf(response: Response, request: OpenRequest, isEndless: boolean): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  let [left, bytes] = [request.timeout, 0];
  try {
    for (;;) {
      const began = performance.now();
      const read = reader?.read() ?? Promise.resolve({ done: true as const, value: undefined });
      const step = await request.within(read, Math.ceil(left));
      if (step.done) return;
      bytes += step.value.byteLength;
      left = Math.max(0, left - (performance.now() - began));
      if (isEndless || bytes >= pace) [left, bytes] = [request.timeout, 0];
      yield step.value;
    }
  } catch (error) {
    throw request.failure(error);
  } finally {
    request.end();
  }
}

function refusal(response: Response, body: string): ClientError {
  const retryAfter = response.headers.get('retry-after');
  return new ClientError('refused', messageOf(body) ?? `the server answered with status ${response.status}`, {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfter !== null && /^\d+(\.\d+)?$/.test(retryAfter) ? Number(retryAfter) : undefined,
  });
}

/** A proxy between client and server may answer with any body. */
function messageOf(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
