import { request, type IncomingMessage } from 'node:http';
import { RecordBatchReader } from 'apache-arrow';
import type { Store } from '../../runtime/store/store.ts';
import type { startSample } from './sample-server.ts';

type Sample = Awaited<ReturnType<typeof startSample>>;

export type StreamForm = 'sse' | 'ndjson' | 'arrow';
export const streamForms: readonly StreamForm[] = ['sse', 'ndjson', 'arrow'];

const types = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
} as const;

/** A message of a stream: an event, or a position up to which it looked. */
export interface Said {
  readonly position: number;
  /** Id of an event. */
  readonly id?: string;
  /** The stream ended, for this reason. */
  readonly end?: string;
}

/** Follows a path until the stream ends, is cut, or `stop` is called. */
export interface Connected {
  readonly said: AsyncIterable<Said>;
  readonly stop: () => void;
}

/** Answers of a server that is too busy to begin a stream. */
const mayPass: ReadonlySet<number> = new Set([408, 503]);

/** A client comes back after some time. */
class TryAgain extends Error {
  constructor(status: number) {
    super(`status ${status}`);
  }
}

export async function connect(url: string, form: StreamForm, headers: Record<string, string> = {}): Promise<Connected> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(url, { headers: { Accept: types[form], ...headers }, agent: false });
    asked.on('response', resolve).on('error', reject).end();
  });
  const { statusCode = 0 } = answer;
  if (statusCode !== 200) {
    answer.resume();
    throw mayPass.has(statusCode) ? new TryAgain(statusCode) : new Error(`status ${statusCode}`);
  }
  return { said: readers[form](answer), stop: () => answer.destroy() };
}

const readers: Readonly<Record<StreamForm, (answer: IncomingMessage) => AsyncIterable<Said>>> = {
  async *sse(answer) {
    for await (const block of pieces(answer, '\n\n')) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
      const data = JSON.parse(fields.get('data') ?? '{}') as { event_id?: string; reason?: string };
      yield saidOf(Number(fields.get('id')), data.event_id, data.reason);
    }
  },
  async *ndjson(answer) {
    for await (const line of pieces(answer, '\n')) {
      const row = JSON.parse(line) as { event_id?: string; global_position: number; reason?: string };
      yield saidOf(row.global_position, row.event_id, row.reason);
    }
  },
  async *arrow(answer) {
    const reader = await RecordBatchReader.from(untilCut(answer));
    // The mark after rows, and the second of the beginning, only let the reader hand over the batch before them.
    let repeats = -1;
    for await (const batch of reader) {
      const position = Number(batch.metadata.get('global_position') ?? NaN);
      const reason = batch.metadata.get('reason');
      if (position >= 0) {
        const isRepeated = repeats === position && reason === undefined;
        repeats = repeats === -1 ? position : -2;
        if (!isRepeated) yield saidOf(position, undefined, reason);
      }
      const [id, at] = [batch.getChild('event_id'), batch.getChild('global_position')];
      for (let row = 0; row < batch.numRows; row++)
        yield saidOf((repeats = Number(at?.get(row))), String(id?.get(row)));
    }
  },
};

function saidOf(position: number, id?: string, end?: string): Said {
  return { position, ...(id === undefined ? {} : { id }), ...(end === undefined ? {} : { end }) };
}

/** The library would never end with a source that fails. */
async function* untilCut(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    if (!isCut(error)) throw error;
  }
}

/** The texts between separators, each when it is whole. */
async function* pieces(source: AsyncIterable<Uint8Array>, separator: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of source) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(separator);
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

async function connectAgain(url: string, form: StreamForm): Promise<Connected> {
  for (;;)
    try {
      return await connect(url, form);
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error;
      await pause(100);
    }
}

export interface Storm {
  /** Times that each follower is cut at some random place. */
  readonly cuts: number;
  readonly followersOfForm: number;
  readonly writers: number;
  readonly random: () => number;
}

/** A store that is written, with the place where it is followed. */
export interface Stormed {
  /** URL of the server that is followed. */
  readonly url: string;
  /** Appends that many events to the aggregate `Bike`, with payloads of about a size. */
  readonly append: (count: number, size: number) => Promise<void>;
  readonly create: (lang: string) => Promise<void>;
  readonly store: Pick<Store, 'turns' | 'log'>;
}

/** A sample server that is followed itself. */
export function stormedSample({ url, append, post, engine }: Sample): Stormed {
  return {
    url,
    append,
    store: engine.store,
    create: async (lang) => {
      const answer = await post('/api/lang/create', { lang });
      if (answer.status !== 201) throw new Error(await answer.text());
    },
  };
}

/**
 * Writers append, the registry changes, and followers of each form are cut at random and come back with the last position that they
 * saw. Gives each follower's list of events, and that of the log.
 */
export async function storm(server: Stormed, { cuts, followersOfForm, writers, random }: Storm) {
  let isWriting = true;
  const write = async (): Promise<void> => {
    while (isWriting) {
      await server.append(1 + Math.floor(random() * 20), Math.floor(random() * 200));
      // However many write, about as much is written.
      await pause(random() * 4 * writers);
    }
  };
  const change = async (): Promise<void> => {
    for (let field = 1; isWriting; field++) {
      const lang = `CREATE OR REPLACE EVENT BikeRented (rider STRING, note STRING${field % 2 === 0 ? '' : ' SENSITIVE'}, f${field % 5} INT);`;
      await server.create(lang);
      await pause(100 + random() * 100);
    }
  };
  const follow = async (form: StreamForm, isLast: () => number | undefined): Promise<readonly string[]> => {
    const seen: string[] = [];
    let after = 0;
    for (let cut = 0; ; cut++) {
      const { said, stop } = await connectAgain(
        `${server.url}/api/aggregates/Bike/events?follow=true&heartbeat=1&after=${after}`,
        form,
      );
      const most = cut < cuts ? 1 + Math.floor(random() * 40) : Infinity;
      let count = 0;
      // A connection may also be cut between the pieces of an event.
      const timer = cut < cuts ? setTimeout(stop, random() * 60) : undefined;
      try {
        for await (const { position, id } of said) {
          if (id !== undefined) seen.push(`${position} ${id}`);
          after = position;
          if (++count >= most) break;
          if (after === isLast()) return seen;
        }
      } catch (error) {
        if (!isCut(error)) throw error;
      } finally {
        clearTimeout(timer);
        stop();
      }
    }
  };
  const end: { last?: number } = {};
  const following = streamForms.flatMap((form) =>
    Array.from({ length: followersOfForm }, () => follow(form, () => end.last)),
  );
  const writing = Promise.all([...Array.from({ length: writers }, write), change()]);
  writing.catch(() => undefined);
  let left = following.length;
  for (const one of following)
    void one
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => left--);
  // While they are being cut something is written all the time.
  const cutting = cuts * 70;
  await pause(cutting);
  isWriting = false;
  await writing;
  // A last event, known before it is there: a follower that has it has all, and one that had the event before waits for it.
  end.last = server.store.turns.position().event + 1;
  await server.append(1, 1);
  const lists = await Promise.all(following);
  const log: string[] = [];
  for await (const entry of server.store.log.read(1))
    if (entry.kind === 'command') for (const { position, id } of entry.events) log.push(`${position} ${id}`);
  return { lists, log };
}

function isCut(error: unknown): boolean {
  // The Arrow reader says this of a message that was cut.
  if (error instanceof Error && error.message.startsWith('Expected to read')) return true;
  return ['ECONNRESET', 'ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as { code?: string }).code ?? '');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
