/**
 * The messages between a tool and the server that it joins, over a socket in the data directory that only its owner can reach: lines of
 * JSON. The server greets; the tool opens its session; then each request gets its replies, in order.
 */
import type { Replaced } from '../../operation/change.ts';
import type { Known } from '../known.ts';
import type { StatementOutcome } from '../outcome.ts';
import type { RunOptions, UsedStore } from '../session.ts';

/** The name of the socket in a data directory. */
export const socketName = 'session.sock';

/** Raised when a line changes its meaning; both sides must have the same version. */
export const protocolVersion = 4;

/** Maximum bytes of a tool's line. A longer text of a run is sent in pieces. */
export const mostRequestBytes = 8 * 1024 * 1024;

/** Characters of a piece; every one of them may be escaped. */
export const pieceCharacters = 1024 * 1024;

/** Maximum number of requests that may wait behind the running one, and their total characters: a text of more than 10 MiB. */
export const mostWaiting = { requests: 64, characters: 16 * 1024 * 1024 } as const;

/** Maximum bytes of a server's line. */
export const mostReplyBytes = 64 * 1024 * 1024;

/** The server's first line. Device and inode prove whose directory it serves: a socket's path alone can be cut or reused. */
export interface Greeting {
  readonly schemac: string;
  readonly protocol: number;
  readonly process: number;
  readonly device: string;
  readonly inode: string;
}

export type WiredOptions = Pick<RunOptions, 'keepGoing' | 'adoptAtEnd' | 'asOf'>;

export type Request =
  | { readonly ask: 'open'; readonly lenientPayload: boolean }
  /** A piece of the text of the next `run` or `replace`, which carries the last piece. */
  | { readonly ask: 'text'; readonly text: string }
  | { readonly ask: 'run'; readonly name: string; readonly text: string; readonly options: WiredOptions }
  /** No further outcomes of the current run are wanted: it ends after its current statement. */
  | { readonly ask: 'enough' }
  /** No further outcomes are wanted, and the current statement is to stop. */
  | { readonly ask: 'stop' }
  | { readonly ask: 'stores' }
  | { readonly ask: 'use'; readonly store: string }
  /** To put a whole registry in force; the text, before which pieces of it may come, is the JSON of its blocks. */
  | { readonly ask: 'replace'; readonly text: string; readonly version: number };

export type Reply =
  | { readonly reply: 'outcome'; readonly outcome: StatementOutcome }
  /** Progress of the current run's statement, in words. */
  | { readonly reply: 'progress'; readonly said: string }
  /** The run is over; `known` if its names may have changed. Also the answer to `open`. */
  | { readonly reply: 'done'; readonly known?: Known }
  | { readonly reply: 'stores'; readonly stores: readonly { readonly name: string; readonly used: boolean }[] }
  | { readonly reply: 'used'; readonly store: UsedStore }
  | { readonly reply: 'replaced'; readonly replaced: Replaced }
  /** A domain failure, by its code, or a fault of the server itself. */
  | { readonly reply: 'failed'; readonly code?: string; readonly message: string };
