import type { Caller } from '../../operation/caller.ts';
import type { Lease } from '../../operation/room/held-results.ts';
import type { Target } from '../request/target.ts';
import type { Route } from '../route.ts';

/** The state of a request while it is answered: the head of its answer, and the fields of its log line. */
export interface RequestState {
  readonly requestId: string;
  readonly target: Target;
  /**
   * Headers of this answer in addition to those of every answer, collected until it is sent, so that they are written at once. Each name
   * has one spelling, and is one of this server's. A plain object, because a map of six takes a kilobyte.
   */
  readonly headers: Record<string, string>;
  route?: Route;
  caller?: Caller;
  /** Called when the connection no longer takes the answer. */
  whenClosed?: (isSent: boolean) => void;
  /** Until the answer ends. */
  lease?: Lease;
  /** Its body is read bit by bit: after an error the rest of it is not read. */
  closesOnError?: boolean;
  /** Whether the answer is HTML. */
  isPage?: boolean;
  /** Size of a body that was complete. */
  bytes?: number;
  logFields: Record<string, string | number | boolean>;
}

/** Adds to `Vary`. */
export function vary({ headers }: RequestState, fields: string): void {
  const before = headers['Vary'];
  headers['Vary'] = before === undefined ? fields : `${before}, ${fields}`;
}

/** Sets all of them. */
export function setHeaders({ headers }: RequestState, fields: Readonly<Record<string, string>>): void {
  for (const name in fields) headers[name] = fields[name] ?? '';
}
