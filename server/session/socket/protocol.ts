/**
 * What a tool and the server that it joins say to each other, over a socket in the data directory that only its owner can reach: lines
 * of JSON. The server greets; the tool opens its session; then each request is answered by what belongs to it, in order.
 */
import type { Known } from '../known.ts';
import type { StatementOutcome } from '../outcome.ts';
import type { RunOptions, UsedStore } from '../session.ts';

/** The name of the socket in a data directory. */
export const socketName = 'session.sock';

/** Raised when a line changes its meaning; both sides must be of one. */
export const protocolVersion = 2;

/** The most bytes that a line of a tool may have. A longer text of a run comes in pieces. */
export const mostRequestBytes = 8 * 1024 * 1024;

/** Characters of a piece; every one of them may be escaped. */
export const pieceCharacters = 1024 * 1024;

/** The most requests that may wait behind the one that is answered, and their characters all together: a text of 10 MiB and more. */
export const mostWaiting = { requests: 64, characters: 16 * 1024 * 1024 } as const;

/** The most bytes that a line of the server may have. */
export const mostReplyBytes = 64 * 1024 * 1024;

/** The server's first line. Device and inode prove whose directory it serves: a socket's path alone can be cut or reused. */
export interface Greeting {
  readonly schemac: string;
  readonly protocol: number;
  readonly process: number;
  readonly device: string;
  readonly inode: string;
}

export type WiredOptions = Pick<RunOptions, 'keepGoing' | 'settle'>;

export type Request =
  | { readonly ask: 'open'; readonly lenientPayload: boolean }
  /** A piece of the text of the next `run`, which brings the last one. */
  | { readonly ask: 'text'; readonly text: string }
  | { readonly ask: 'run'; readonly name: string; readonly text: string; readonly options: WiredOptions }
  /** No more outcomes of the run that is under way are wanted: it ends after the statement that it is at. */
  | { readonly ask: 'enough' }
  /** The same, and the statement that it is at shall not go on. */
  | { readonly ask: 'stop' }
  | { readonly ask: 'stores' }
  | { readonly ask: 'use'; readonly store: string };

export type Reply =
  | { readonly reply: 'outcome'; readonly outcome: StatementOutcome }
  /** How far the statement of the run that is under way has come, in words. */
  | { readonly reply: 'progress'; readonly said: string }
  /** The run is over; `known` where its names may have changed. Also the answer to `open`. */
  | { readonly reply: 'done'; readonly known?: Known }
  | { readonly reply: 'stores'; readonly stores: readonly { readonly name: string; readonly used: boolean }[] }
  | { readonly reply: 'used'; readonly store: UsedStore }
  /** A domain failure, by its code, or a fault of the server itself. */
  | { readonly reply: 'failed'; readonly code?: string; readonly message: string };
