/**
 * The tool's side of a session that runs in a server: finds the server of a data directory, verifies that it serves this directory, and
 * turns each call into a request.
 */
import { connect, type Socket } from 'node:net';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFile } from '../../../compiler/index.ts';
import { failures, type FailureCode } from '../../../language/failure/catalogue.ts';
import { fail, Failure } from '../../../language/failure/failure.ts';
import { shortPath } from '../../../runtime/store/disk/short-path.ts';
import type { Replaced, Replacement } from '../../operation/change.ts';
import type { Known } from '../known.ts';
import type { StatementOutcome } from '../outcome.ts';
import type { RunOptions, Session } from '../session.ts';
import { readLines, writeLine } from './lines.ts';
import {
  mostReplyBytes,
  pieceCharacters,
  protocolVersion,
  socketName,
  type Greeting,
  type Reply,
  type Request,
} from './protocol.ts';
import { decodeWire, encodeWire } from './wire.ts';

export interface JoinedSession extends Session {
  /** As of the last run. */
  readonly known: () => Known;
  /** Puts a whole registry in force in the server. */
  readonly replace: (wanted: Replacement) => Promise<Replaced>;
  /** The server's process id. */
  readonly process: number;
  readonly close: () => Promise<void>;
}

const patienceMilliseconds = 5000;

/**
 * Joins the server of that directory; undefined if none listens there. Throws R0404 if one does and cannot be joined. Every call of the
 * session throws R0409 once the server has ended.
 */
export async function joinServer(
  directory: string,
  options: { readonly lenientPayload: boolean },
): Promise<JoinedSession | undefined> {
  const socket = await connected(directory);
  if (socket === undefined) return undefined;
  const lines = readLines(socket, mostReplyBytes);
  const ended = (): Failure => fail('R0409', { directory });
  const read = async (file?: SourceFile): Promise<Reply> => {
    const next = await lines.next().catch(() => undefined);
    if (next === undefined || next.done === true) throw ended();
    return decodeWire(next.value, file) as Reply; // the greeting proved that the server has the same protocol
  };
  const ask = async (request: Request): Promise<void> => {
    if (socket.destroyed) throw ended();
    await writeLine(socket, encodeWire(request));
  };
  const answer = async <R extends Reply['reply']>(
    request: Request,
    wanted: R,
  ): Promise<Extract<Reply, { readonly reply: R }>> => {
    await ask(request);
    const reply = await read();
    if (reply.reply === 'failed') throw failureOf(reply);
    if (!isReply(reply, wanted))
      throw new Error(`the server answered '${reply.reply}' where '${wanted}' was asked for`);
    return reply;
  };

  try {
    const greeting = await greeted(socket, lines, directory);
    if (greeting === undefined) {
      socket.destroy();
      return undefined;
    }
    let { known } = await answer({ ask: 'open', ...options }, 'done');
    /** Sends all pieces of a text except the last, which goes with its request. */
    const lastPiece = async (text: string): Promise<string> => {
      let begin = 0;
      for (; text.length - begin > pieceCharacters; begin += pieceCharacters)
        await ask({ ask: 'text', text: text.slice(begin, begin + pieceCharacters) });
      return text.slice(begin);
    };
    const run = async function* (
      file: SourceFile,
      runOptions: RunOptions = {},
    ): AsyncGenerator<StatementOutcome, void, undefined> {
      const { onProgress, signal, ...options } = runOptions;
      if (signal?.aborted === true) return;
      await ask({ ask: 'run', name: file.name, text: await lastPiece(file.text), options });
      let over = false;
      // A server that has ended is noticed by the missing answer, so a failure here is ignored.
      const stop = (): void => void ask({ ask: 'stop' }).catch(() => undefined);
      signal?.addEventListener('abort', stop, { once: true });
      try {
        for (;;) {
          const reply = await read(file);
          if (reply.reply === 'outcome') {
            yield reply.outcome;
            continue;
          }
          if (reply.reply === 'progress') {
            onProgress?.(reply.said);
            continue;
          }
          over = true;
          if (reply.reply === 'done') known = reply.known ?? known;
          if (reply.reply === 'failed') throw failureOf(reply);
          return;
        }
      } finally {
        signal?.removeEventListener('abort', stop);
        // When the caller stops early, the rest is skipped so that the connection is ready for the next run.
        if (!over && !socket.destroyed) {
          await ask({ ask: 'enough' });
          while (['outcome', 'progress'].includes((await read(file)).reply));
        }
      }
    };
    return {
      run,
      stores: async () => (await answer({ ask: 'stores' }, 'stores')).stores,
      useStore: async (store) => (await answer({ ask: 'use', store }, 'used')).store,
      replace: async ({ blocks, version }) => {
        const text = await lastPiece(JSON.stringify(blocks));
        return (await answer({ ask: 'replace', text, version }, 'replaced')).replaced;
      },
      known: () => known ?? { blocks: [], commands: [], relations: [], payload: [], columns: [] },
      process: greeting.process,
      close: () => {
        socket.destroy();
        return Promise.resolve();
      },
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function isReply<R extends Reply['reply']>(reply: Reply, wanted: R): reply is Extract<Reply, { readonly reply: R }> {
  return reply.reply === wanted;
}

function failureOf({ code, message }: Extract<Reply, { readonly reply: 'failed' }>): Error {
  return code !== undefined && Object.hasOwn(failures, code)
    ? new Failure(code as FailureCode, message) // a code of the catalogue
    : new Error(message);
}

/** A connection, or undefined if there is no socket or no process listens on it: a dead server left it. */
async function connected(directory: string): Promise<Socket | undefined> {
  const short = await shortPath(directory);
  try {
    return await new Promise((resolve, reject) => {
      const socket = connect(join(short.path, socketName));
      socket.once('connect', () => resolve(socket));
      socket.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ENOTDIR') resolve(undefined);
        else if (error.code === 'EACCES' || error.code === 'EPERM')
          reject(fail('R0404', { directory, owner: 'a server of another user' }));
        else reject(error);
      });
    });
  } finally {
    await short.remove();
  }
}

/** The greeting of the server of this directory; undefined if the socket is another server's, reached by an old link. */
async function greeted(
  socket: Socket,
  lines: AsyncGenerator<string, void, undefined>,
  directory: string,
): Promise<Greeting | undefined> {
  socket.on('error', () => undefined);
  const timer = setTimeout(() => socket.destroy(), patienceMilliseconds);
  const first = await lines.next().catch(() => undefined);
  clearTimeout(timer);
  const owner = (problem: string): Failure => fail('R0404', { directory, owner: `a server that ${problem}` });
  if (first === undefined || first.done === true) throw owner('does not answer');
  const greeting = decodeWire(first.value) as Greeting;
  if (greeting.protocol !== protocolVersion)
    throw owner(
      `is schemac ${greeting.schemac} (process ${greeting.process}), whose sessions this version cannot join`,
    );
  const { dev, ino } = await stat(directory, { bigint: true });
  return greeting.device === String(dev) && greeting.inode === String(ino) ? greeting : undefined;
}
