import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ownTurn } from '../../operation/room/loop-turns.ts';

export type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The requests of each connection, in order of arrival. */
export interface Lines {
  /** Passes a request on once all earlier requests on its connection are answered, to the last byte. */
  readonly handle: Handle;
  /**
   * Calls back once all complete requests on a connection are answered; never if it is closed before. An incomplete request does not delay
   * the callback, and stays unanswered if its turn has not come.
   */
  readonly afterWhole: (socket: Socket, then: () => void) => void;
  /** The part that the next bytes of a connection may hold: a request if none of it is being answered, or the body of the one that is. */
  readonly wantedBy: (socket: Socket) => 'request' | 'body' | 'nothing';
}

/** Events of connections, for the reader of them. */
export interface LineEvents {
  /** A client sent a request before the answer to an earlier one. */
  readonly waits: (socket: Socket) => void;
  /** Called when a connection has sent several requests. */
  readonly sentAhead: () => void;
  /** All requests that were received are answered. */
  readonly answered: (socket: Socket) => void;
  /** Whether a connection is read only as far as `wantedBy` says. Others are stopped while a request waits. */
  readonly isPaced: (socket: Socket) => boolean;
}

interface Line {
  /** A request is being answered. */
  busy: boolean;
  /** The last request received. */
  last?: IncomingMessage;
  readonly waiting: (() => void)[];
}

/**
 * Maximum number of waiting requests on all connections together, and on one connection. Node reads a connection in pieces of 64 KiB, which
 * hold hundreds of requests, and each takes a few KiB.
 */
const mostInAll = 16_384;
const fewOnOne = 16;

/**
 * A client may send requests before it has the answers to earlier ones (RFC 9112, 9.3.2). They are answered one after the other, so that a
 * connection never holds more than one result. While one of them waits, no further one is
 * parsed; that the client leaves is noticed nevertheless.
 */
export function oneAtATime(handle: Handle, events: LineEvents, most = mostInAll): Lines {
  const lines = new WeakMap<Socket, Line>();
  let waiting = 0;

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known !== undefined) return known;
    const line: Line = { busy: false, waiting: [] };
    lines.set(socket, line);
    socket.once('close', () => letGo(line));
    // Node continues to read when it has taken a request's body, or sent the waiting bytes.
    socket.on('resume', () => {
      if (line.waiting.length > 0) stopReading(socket);
    });
    return line;
  };
  const stopReading = (socket: Socket): void => {
    if (!events.isPaced(socket)) socket.pause();
  };
  const letGo = (line: Line): void => {
    waiting -= line.waiting.length;
    line.waiting.length = 0;
  };
  const next = (socket: Socket, line: Line): void => {
    if (line.waiting.length === 0) {
      line.busy = false;
      events.answered(socket);
      return;
    }
    // However many requests wait, requests on other connections are taken in between.
    void ownTurn().then(() => {
      line.busy = false;
      // A connection that is about to close takes no further answer.
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
    stopReading(socket);
    if (line.waiting.length === 1) events.waits(socket);
    if (line.waiting.length === 2) events.sentAhead();
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
        response.on('close', () => next(socket, line));
        handle(request, response);
      });
    },
    wantedBy: (socket) => {
      const line = lines.get(socket);
      if (line === undefined || !line.busy) return 'request';
      const { last, waiting: behind } = line;
      if (behind.length > 0 || last === undefined || last.complete) return 'nothing';
      return last.readableLength < last.readableHighWaterMark ? 'body' : 'nothing';
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
