/**
 * Reads connections piece by piece while many are new or some send requests ahead. Node gives its parser all bytes that came, up to 64 KiB, which
 * may be 800 requests, and reads every connection that has bytes in one turn of the event loop: a thousand new connections stop everything else
 * for seconds. Here a piece ends where a head ends, no piece follows before its request is answered, and a few new connections are
 * read in a turn. Otherwise Node reads by itself, which is cheaper (docs/performance.md#what-limits-the-figures).
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { arrivals } from '../answers/loop-turns.ts';
import type { Lines } from '../pipeline/one-at-a-time.ts';

export interface PacedReading {
  /** A client sent requests ahead: for some time connections are read piece by piece. */
  readonly begin: () => void;
  /** The last request of this connection is answered. */
  readonly answered: (socket: Socket) => void;
}

/** Connections that have no byte of an answer yet; with more of them open than this, they are read in turns. */
const fewNew = 128;
/** New connections that are read in a turn of the event loop. */
const newInTurn = 4;
/** The oldest one is read for every so many of the newest. */
const newestFirst = 4;
/** New connections are read piece by piece until this long after the last sign of a crowd or of requests sent ahead. */
const pacedMilliseconds = 10_000;
/** Bytes that are given to the parser at most, as Node does: more than a head may have, so that its error knows the whole URL. */
const windowBytes = 64 * 1024;
/** A body is not looked at for ends of heads before so many bytes. */
const pieceOfBody = 1024;
const endOfHead = '\r\n\r\n';
/** Turns in which connections are only accepted, in a row at most. */
const mostGivenWay = 64;

interface Reader {
  readonly socket: Socket;
  /** Passes bytes to Node's parser; present while it is read piece by piece. */
  give?: (bytes: Buffer) => void;
  isNew: boolean;
  /** It has sent more than was answered. */
  isAhead: boolean;
  isWaiting: boolean;
  /** Bytes that are the first buffer of its stream. */
  putBack: number;
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
    if (reader.give !== undefined || socket.destroyed) return;
    if (socket.isPaused()) {
      // Node has stopped its handle, and starts it when it resumes.
      socket.once('resume', () => pace(reader));
      return;
    }
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
    else if (!reader.isWaiting && wantedBy(socket) !== 'nothing') readInTurn(reader);
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
  /** One request, as far as it has come; more is parsed when it is answered. */
  const read = (reader: Reader): void => {
    const { socket } = reader;
    for (;;) {
      const wants = wantedBy(socket);
      if (wants === 'nothing' || socket.readableLength === 0 || !socket.writable) break;
      // What was put back is one buffer, which is taken without a copy.
      const length = reader.putBack > 0 ? reader.putBack : Math.min(socket.readableLength, windowBytes);
      const bytes = socket.read(length) as Buffer;
      const end = bytes.indexOf(endOfHead, wants === 'body' ? pieceOfBody : 0) + endOfHead.length;
      const piece = end < endOfHead.length ? bytes : bytes.subarray(0, end);
      reader.putBack = bytes.length - piece.length;
      if (reader.putBack > 0) socket.unshift(bytes.subarray(piece.length));
      reader.give?.(piece);
    }
    if (socket.readableLength > 0) goOn();
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
    const reader: Reader = { socket, isNew: true, isAhead: false, isWaiting: false, putBack: 0 };
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
    answered: (socket) => {
      const reader = readers.get(socket);
      if (reader === undefined) return;
      noLongerNew(reader);
      reader.isAhead = socket.readableLength > 0;
      if (reader.give !== undefined && reader.isAhead) ready(reader);
    },
  };
}
