/** One tool that has joined this server: reads its requests, answers each in order, and lets go of its session when it goes. */
import type { Socket } from 'node:net';
import { Failure } from '../../failure/failure.ts';
import type { Known } from '../known.ts';
import type { Session } from '../session.ts';
import { readLines, writeLine } from './lines.ts';
import type { Greeting, Reply, Request } from './protocol.ts';
import { decodeWire, encodeWire } from './wire.ts';

/** Requests that are answered, one after the other. */
type Answered = Exclude<Request, { readonly ask: 'enough' | 'stop' }>;

/** A session of a tool that has joined, on the server's own engine. */
export interface GuestSession extends Session {
  readonly known: () => Known;
  /** Counts changes of the registry: what is known may have changed with it. */
  readonly registryVersion: () => number;
  readonly close: () => Promise<void>;
}

export interface ServeSessionOptions {
  readonly greeting: Greeting;
  readonly open: (options: { readonly lenientPayload: boolean }) => Promise<GuestSession>;
  /** Told of faults that are none of the tool's. */
  readonly onFault: (error: unknown) => void;
}

/** Resolves when the tool has gone and its session is closed. */
export async function serveSession(socket: Socket, options: ServeSessionOptions): Promise<void> {
  let session: GuestSession | undefined;
  /** Aborted when no more outcomes of the run that is under way are wanted, and when not even its statement is. */
  let enough = new AbortController();
  let stop = new AbortController();
  let toldVersion = 0;
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
        // Others use the same registry, so a run leaves nothing behind that is not in force.
        const onProgress = sometimes((said) => void say({ reply: 'progress', said }));
        const options = { ...given, settle: true, onProgress, signal: stop.signal };
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
    }
  };

  const answered = (request: Answered): Promise<void> =>
    answer(request).catch((error: unknown) => {
      if (error instanceof Failure) return say({ reply: 'failed', code: error.code, message: error.message });
      options.onFault(error);
      return say({ reply: 'failed', message: 'internal error; the log of the server says more' });
    });

  let answering = Promise.resolve();
  try {
    await writeLine(socket, encodeWire(options.greeting));
    for await (const line of readLines(socket)) {
      const request = decodeWire(line) as Request; // from a tool of the same protocol, by the greeting
      if (request.ask === 'enough') enough.abort();
      else if (request.ask === 'stop') stop.abort();
      else answering = answering.then(() => answered(request));
    }
  } catch (error) {
    // A tool that was killed resets its connection, and half a line is no request.
    if (!(error instanceof SyntaxError) && !isReset(error)) options.onFault(error);
  } finally {
    enough.abort();
    stop.abort();
    socket.destroy();
    await answering;
    await session?.close();
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

const progressMilliseconds = 200;

/** Passes on what is told, but not more often than somebody can read it. */
function sometimes(tell: (said: string) => void): (said: string) => void {
  let last = 0;
  return (said) => {
    const now = performance.now();
    if (now - last < progressMilliseconds) return;
    last = now;
    tell(said);
  };
}
