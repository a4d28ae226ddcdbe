/**
 * Reads connections piece by piece while many are new or some send requests ahead. Node gives its parser all bytes that came, up to 64 KiB, which
 * may be 800 requests, and reads every connection that has bytes in one turn of the event loop: a thousand new connections stop everything else
 * for seconds. Here a piece ends where a head ends, no piece follows before its request is answered, and a few new connections are
 * read in a turn. Otherwise Node reads by itself, which is cheaper (docs/performance.md#what-limits-the-figures).
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { arrivals } from '../../operation/room/loop-turns.ts';
import type { Lines } from '../pipeline/one-at-a-time.ts';

export interface PacedReading {
  /** A client sent requests ahead: for some time connections are read piece by piece. */
  readonly begin: () => void;
  /** From now on this connection is read piece by piece. */
  readonly pace: (socket: Socket) => void;
  readonly isPaced: (socket: Socket) => boolean;
  /** The last request of this connection is answered. */
  readonly answered: (socket: Socket) => void;
}

/** Connections that have no byte of an answer yet; with more of them open than this, they are read in turns. */
const fewNew = 128;
/** New connections that are read in a turn of the event loop. */
const newInTurn = 4;
/** Reads after which the oldest connection has its turn; all other reads take the newest. */
const newestFirst = 4;
/** New connections are read piece by piece until this long after the last sign of a crowd or of requests sent ahead. */
const pacedMilliseconds = 10_000;
/** Bytes that are given to the parser at most, as Node does: more than a head may have, so that its error knows the whole URL. */
const windowBytes = 64 * 1024;
/** Bytes of a body that must come before it is searched for ends of heads. */
const pieceOfBody = 1024;
/**
 * Bytes that are taken ahead of the parser, so that the end of a connection is noticed behind them. If a client sent more and has gone,
 * this is noticed when an answer is written.
 */
const takenAhead = 16 * 1024;
const endOfHead = '\r\n\r\n';
/** Turns in which connections are only accepted, in a row at most. */
const mostGivenWay = 64;

interface Reader {
  readonly socket: Socket;
  /** Passes bytes to Node's parser; present while it is read piece by piece. */
  give?: (bytes: Buffer) => void;
  /** True if it is to be resumed, and then read piece by piece. */
  isToBePaced: boolean;
  isNew: boolean;
  /** True if it has sent more than was answered. */
  isAhead: boolean;
  isWaiting: boolean;
  /** Bytes that came, and wait to be passed on. */
  held: Buffer;
}

const none = Buffer.alloc(0);

function hasBytes({ held, socket }: Reader): boolean {
  return held.length > 0 || socket.readableLength > 0;
}

export function paceReading(server: Server, wantedBy: Lines['wantedBy']): PacedReading {
  const readers = new Map<Socket, Reader>();
  const fresh: Reader[] = [];
  const ahead: Reader[] = [];
  const arrived = arrivals(mostGivenWay);
  let pacedUntil = -Infinity;
  let countOfNew = 0;
  let scheduled = false;
  let reads = 0;

  const pace = (reader: Reader): void => {
    const { socket } = reader;
    if (reader.give !== undefined || reader.isToBePaced || socket.destroyed) return;
    if (!socket.isPaused()) {
      readPiecewise(reader);
      return;
    }
    // Node has stopped its handle, and starts it when it resumes, unless bytes that it sends wait.
    reader.isToBePaced = true;
    const resumed = (): void => {
      if (socket.isPaused()) return;
      socket.off('resume', resumed);
      readPiecewise(reader);
    };
    socket.on('resume', resumed);
    socket.resume();
  };
  const readPiecewise = (reader: Reader): void => {
    const { socket } = reader;
    const [give] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (give === undefined) return;
    reader.give = give;
    socket.removeListener('data', give);
    socket.on('readable', () => ready(reader));
    // The reader of a body wants more of it.
    socket.on('resume', () => ready(reader));
  };
  const goOn = (): void => {
    pacedUntil = performance.now() + pacedMilliseconds;
  };
  const begin = (): void => {
    goOn();
    for (const reader of readers.values()) pace(reader);
  };
  const ready = (reader: Reader): void => {
    const { socket } = reader;
    // So that an end that has come is emitted.
    if (socket.readableLength === 0) socket.read(0);
    if (reader.isWaiting) return;
    if (wantedBy(socket) === 'nothing') takeAhead(reader);
    else if (hasBytes(reader)) readInTurn(reader);
  };
  /** The end of a stream is emitted once its bytes are taken. */
  const takeAhead = (reader: Reader): void => {
    if (reader.held.length >= takenAhead) return;
    const bytes = reader.socket.read() as Buffer | null;
    if (bytes !== null) reader.held = reader.held.length === 0 ? bytes : Buffer.concat([reader.held, bytes]);
  };
  const readInTurn = (reader: Reader): void => {
    if (!reader.isNew && !reader.isAhead) {
      read(reader);
      return;
    }
    reader.isWaiting = true;
    (reader.isNew ? fresh : ahead).push(reader);
    schedule();
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(turn);
  };
  const turn = (): void => {
    scheduled = false;
    if (!arrived()) {
      for (let count = 0; count < newInTurn; count += 1) readWaiting(nextNew());
      readWaiting(ahead.shift());
    }
    if (fresh.length + ahead.length > 0) schedule();
  };
  /** Mostly the newest: clients that came before a crowd are not in it, and a crowd does not delay a client that comes after it. */
  const nextNew = (): Reader | undefined => {
    reads += 1;
    return reads % newestFirst === 0 ? fresh.shift() : fresh.pop();
  };
  const readWaiting = (reader: Reader | undefined): void => {
    if (reader === undefined) return;
    reader.isWaiting = false;
    read(reader);
  };
  /** Reads a request, as far as it has come; more is parsed when it is answered. */
  const read = (reader: Reader): void => {
    const { socket } = reader;
    for (;;) {
      const wants = wantedBy(socket);
      if (wants === 'nothing' || !hasBytes(reader) || !socket.writable) break;
      const bytes =
        reader.held.length > 0 ? reader.held : (socket.read(Math.min(socket.readableLength, windowBytes)) as Buffer);
      const end = bytes.indexOf(endOfHead, wants === 'body' ? pieceOfBody : 0) + endOfHead.length;
      const piece = end < endOfHead.length ? bytes : bytes.subarray(0, end);
      reader.held = bytes.subarray(piece.length);
      reader.give?.(piece);
    }
    if (hasBytes(reader)) goOn();
  };
  const noLongerNew = (reader: Reader): void => {
    if (!reader.isNew) return;
    reader.isNew = false;
    countOfNew -= 1;
  };
  const isCrowd = (): boolean => {
    if (countOfNew <= fewNew) return false;
    // Followers get the first bytes of an answer that does not end.
    for (const reader of readers.values()) if (reader.socket.bytesWritten > 0) noLongerNew(reader);
    return countOfNew > fewNew;
  };

  server.on('connection', (socket: Socket) => {
    const reader: Reader = { socket, isNew: true, isAhead: false, isWaiting: false, isToBePaced: false, held: none };
    readers.set(socket, reader);
    countOfNew += 1;
    socket.once('close', () => {
      readers.delete(socket);
      noLongerNew(reader);
    });
    const isPaced = performance.now() < pacedUntil;
    if (isPaced) pace(reader);
    else if (isCrowd()) begin();
  });
  server.on('connect', (_request, socket: Socket) => {
    // Node's parser has left this connection.
    const reader = readers.get(socket);
    if (reader?.give !== undefined) reader.give = () => undefined;
  });
  return {
    begin,
    pace: (socket) => {
      const reader = readers.get(socket);
      if (reader !== undefined) pace(reader);
    },
    isPaced: (socket) => {
      const reader = readers.get(socket);
      return reader?.give !== undefined || reader?.isToBePaced === true;
    },
    answered: (socket) => {
      const reader = readers.get(socket);
      if (reader === undefined) return;
      noLongerNew(reader);
      reader.isAhead = hasBytes(reader);
      if (reader.give !== undefined && reader.isAhead) ready(reader);
    },
  };
}
