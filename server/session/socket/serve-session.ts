/** Serves one joined tool: reads its requests, answers each in order, and closes its session when the tool disconnects. */
import type { Socket } from 'node:net';
import { Failure } from '../../../language/failure/failure.ts';
import type { Replaced, Replacement } from '../../operation/change.ts';
import type { Known } from '../known.ts';
import type { Session } from '../session.ts';
import { readLines, writeLine } from './lines.ts';
import { mostRequestBytes, mostWaiting, type Greeting, type Reply, type Request } from './protocol.ts';
import { readBlocks, readRequest } from './read-request.ts';
import { encodeWire } from './wire.ts';

/** Requests that are answered, one after the other. */
type Answered = Exclude<Request, { readonly ask: 'enough' | 'stop' | 'text' }>;

/** A session of a joined tool, on the server's own engine. */
export interface GuestSession extends Session {
  readonly known: () => Known;
  /** Counts changes of the registry: known names may have changed with it. */
  readonly registryVersion: () => number;
  /** Puts a whole registry in force. */
  readonly replace: (wanted: Replacement) => Promise<Replaced>;
  readonly close: () => Promise<void>;
}

export interface ServeSessionOptions {
  readonly greeting: Greeting;
  readonly open: (options: { readonly lenientPayload: boolean }) => Promise<GuestSession>;
  /** Receives faults that the tool did not cause. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Resolves when the tool has disconnected and its session is closed. The running statement is then stopped, and waiting requests are
 * dropped. A line that is not a request, and requests past their limit, are answered with the reason and end the session.
 */
export async function serveSession(socket: Socket, options: ServeSessionOptions): Promise<void> {
  let session: GuestSession | undefined;
  /** `enough` is aborted when no further outcomes of the current run are wanted, `stop` when its current statement is to stop as well. */
  let enough = new AbortController();
  let stop = new AbortController();
  let toldVersion = 0;
  let gone = false;
  /** Requests that have not begun, and characters of pieces. */
  const waiting = { requests: 0, characters: 0 };
  let pieces = '';
  const say = (reply: Reply, file?: Parameters<typeof encodeWire>[1]): Promise<void> =>
    writeLine(socket, encodeWire(reply, file));

  const done = (guest: GuestSession): Promise<void> => {
    const version = guest.registryVersion();
    if (version === toldVersion) return say({ reply: 'done' });
    toldVersion = version;
    return say({ reply: 'done', known: guest.known() });
  };

  const answer = async (request: Answered): Promise<void> => {
    if (request.ask === 'open') return done((session ??= await options.open(request)));
    if (session === undefined) throw new Error('a session is opened before it is used');
    switch (request.ask) {
      case 'run': {
        const file = { name: request.name, text: request.text };
        const { signal } = (enough = new AbortController());
        stop = new AbortController();
        const { options: given } = request;
        // Other clients use the same registry, so at the end of a run all its changes are in force.
        const onProgress = sometimes((said) => void say({ reply: 'progress', said }));
        const options = { ...given, adoptAtEnd: true, onProgress, signal: stop.signal };
        for await (const outcome of session.run(file, options)) {
          await say({ reply: 'outcome', outcome }, file);
          if (signal.aborted) break;
        }
        return done(session);
      }
      case 'stores':
        return say({ reply: 'stores', stores: await session.stores() });
      case 'use':
        return say({ reply: 'used', store: await session.useStore(request.store) });
      case 'replace': {
        const blocks = readBlocks(request.text);
        if (blocks === undefined) return say({ reply: 'failed', message: 'this is not a list of blocks' });
        return say({ reply: 'replaced', replaced: await session.replace({ blocks, version: request.version }) });
      }
    }
  };

  const answered = (request: Answered): Promise<void> =>
    answer(request).catch((error: unknown) => {
      if (error instanceof Failure) return say({ reply: 'failed', code: error.code, message: error.message });
      options.onFault(error);
      return say({ reply: 'failed', message: 'internal error; see the log of the server' });
    });

  let answering = Promise.resolve();
  /** Answers it after the earlier requests, unless the tool has disconnected by then. */
  const enqueue = (request: Answered): void => {
    const characters = 'text' in request ? request.text.length : 0;
    waiting.requests += 1;
    waiting.characters += characters;
    answering = answering.then(() => {
      waiting.requests -= 1;
      waiting.characters -= characters;
      return gone ? undefined : answered(request);
    });
  };

  /** Returns the reason if the session must end. */
  const take = (line: string): string | undefined => {
    const request = readRequest(line);
    if (request === undefined) return 'this is not a request';
    const more = waiting.characters + pieces.length + ('text' in request ? request.text.length : 0);
    if (waiting.requests === mostWaiting.requests || more > mostWaiting.characters)
      return `at most ${mostWaiting.requests} requests may wait, of ${mostWaiting.characters} characters in all`;
    if (request.ask === 'enough') enough.abort();
    else if (request.ask === 'stop') stop.abort();
    else if (request.ask === 'text') pieces += request.text;
    else if (request.ask === 'run' || request.ask === 'replace') {
      enqueue({ ...request, text: pieces + request.text });
      pieces = '';
    } else enqueue(request);
    return undefined;
  };

  const leave = (): void => {
    gone = true;
    enough.abort();
    stop.abort();
  };

  try {
    await writeLine(socket, encodeWire(options.greeting));
    for await (const line of readLines(socket, mostRequestBytes)) {
      const refusal = take(line);
      if (refusal === undefined) continue;
      leave();
      await say({ reply: 'failed', message: refusal });
      break;
    }
  } catch (error) {
    if (!isEnd(error)) options.onFault(error);
  } finally {
    leave();
    socket.destroy();
    await answering;
    await session?.close();
  }
}

/** A killed tool resets its connection, and a stopping server closes it. */
function isEnd(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'syscall' in error || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

const progressMilliseconds = 200;

/** Forwards progress, but not more often than a person can read it. */
function sometimes(tell: (said: string) => void): (said: string) => void {
  let last = 0;
  return (said) => {
    const now = performance.now();
    if (now - last < progressMilliseconds) return;
    last = now;
    tell(said);
  };
}
