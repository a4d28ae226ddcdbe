import { request, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Place } from './world.ts';

export interface Told {
  readonly status: number;
  /** `Schemac-Entry`. */
  readonly entry: number;
  readonly body: unknown;
}

/** Undefined where no answer came, as from a server that was killed. A caller that gives up loses rows that were handed to it, so it waits long. */
export async function ask(
  { url }: Place,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Told | undefined> {
  const address = url();
  if (address === undefined) return undefined;
  try {
    const answer = await fetch(address + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(150_000),
    });
    const entry = Number(answer.headers.get('schemac-entry') ?? 0);
    return { status: answer.status, entry, body: await answer.json() };
  } catch {
    return undefined;
  }
}

/** A place that serves, by chance. */
export async function pick(places: readonly Place[], chance: () => number): Promise<Place> {
  for (;;) {
    const up = places.filter(({ url }) => url() !== undefined);
    const chosen = up[Math.floor(chance() * up.length)];
    if (chosen !== undefined) return chosen;
    await pause(20);
  }
}

/** The texts between separators of an answer that does not end, until it is cut. Rejects with the status of another answer than 200. */
export async function* follow(
  url: string,
  headers: Readonly<Record<string, string>>,
  separator: string,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const asked = request(url, { headers, agent: false, signal });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    asked.on('response', resolve).on('error', reject).end(),
  );
  const answer = await answered.catch(() => undefined);
  if (answer === undefined) return; // the server is not there, or the request was cut
  if (answer.statusCode !== 200) {
    let said = '';
    for await (const part of answer.setEncoding('utf8')) said += String(part);
    throw new Error(`${answer.statusCode} ${said}`);
  }
  let rest = '';
  try {
    for await (const chunk of answer.setEncoding('utf8')) {
      const parts = (rest + String(chunk)).split(separator);
      rest = parts.pop() ?? '';
      yield* parts;
    }
  } catch (error) {
    if (!cuts.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    asked.destroy();
  }
}

const cuts: ReadonlySet<string> = new Set(['ECONNRESET', 'ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE']);
