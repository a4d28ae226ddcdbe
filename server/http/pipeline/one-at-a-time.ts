import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ownTurn } from '../answers/loop-turns.ts';

export type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The requests of each connection, in the order in which they came. */
export interface Lines {
  /** Hands a request on when all that came before it on its connection are answered, to the last byte. */
  readonly handle: Handle;
  /**
   * Calls back once all requests that came whole on a connection are answered; never if it is closed before. One whose rest will not come
   * waits for that rest, so it is not waited for, and not answered if its turn has not come.
   */
  readonly afterWhole: (socket: Socket, then: () => void) => void;
}

interface Line {
  /** A request is under way. */
  busy: boolean;
  /** The request that came last. */
  last?: IncomingMessage;
  readonly waiting: (() => void)[];
}

/**
 * Requests that may wait on all connections together, and on any one of them all the same. Node reads a connection in pieces of 64 KiB, which
 * hold hundreds of requests, and each takes a few KiB.
 */
const mostInAll = 16_384;
const fewOnOne = 16;

/**
 * A client may send requests before it has the answers to those before (RFC 9112, 9.3.2). They are answered one after the other, so that a
 * connection never holds more than one result. While any of them waits, nothing more is read from it.
 */
export function oneAtATime(handle: Handle, most = mostInAll): Lines {
  const lines = new WeakMap<Socket, Line>();
  let waiting = 0;

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known !== undefined) return known;
    const line: Line = { busy: false, waiting: [] };
    lines.set(socket, line);
    socket.once('close', () => letGo(line));
    // Node reads on when it has taken a request's body, or sent what was waiting to be sent.
    socket.on('resume', () => {
      if (line.waiting.length > 0) socket.pause();
    });
    return line;
  };
  const letGo = (line: Line): void => {
    waiting -= line.waiting.length;
    line.waiting.length = 0;
  };
  const next = (socket: Socket, line: Line): void => {
    if (line.waiting.length === 0) {
      line.busy = false;
      return;
    }
    // However many wait on however many connections, requests on others are taken in between.
    void ownTurn().then(() => {
      line.busy = false;
      // One that is about to close takes no further answer.
      if (socket.destroyed || !socket.writable) letGo(line);
      const work = line.waiting.shift();
      if (work === undefined) return;
      waiting -= 1;
      if (line.waiting.length === 0) socket.resume();
      work();
    });
  };
  const queue = (socket: Socket, line: Line, work: () => void): void => {
    if (!line.busy) {
      work();
      return;
    }
    line.waiting.push(work);
    waiting += 1;
    socket.pause();
  };

  return {
    handle: (request, response) => {
      const { socket } = request;
      const line = lineOf(socket);
      if (line.waiting.length >= fewOnOne && waiting >= most) {
        socket.destroy();
        return;
      }
      line.last = request;
      queue(socket, line, () => {
        line.busy = true;
        response.once('close', () => next(socket, line));
        handle(request, response);
      });
    },
    afterWhole: (socket, then) => {
      const line = lineOf(socket);
      if (line.last?.complete === false && line.busy) {
        if (line.waiting.pop() === undefined) {
          then();
          return;
        }
        waiting -= 1;
      }
      queue(socket, line, () => {
        then();
        next(socket, line);
      });
    },
  };
}
