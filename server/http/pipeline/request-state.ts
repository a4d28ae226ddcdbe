import type { Caller } from '../auth/caller.ts';
import type { Lease } from '../held-results.ts';
import type { Route } from './route.ts';

/** What is known of a request while it is answered: the head of its answer, and what its log line says. */
export interface RequestState {
  readonly requestId: string;
  /**
   * Headers of this answer beside those of every answer, gathered until it is sent, so that they go out in one piece. Names are written in
   * one way only.
   */
  readonly headers: Map<string, string>;
  route?: Route;
  caller?: Caller;
  /** Until the answer is over. */
  lease?: Lease;
  /** Of a body that was there whole. */
  bytes?: number;
  notes: Record<string, string | number | boolean>;
}

/** Adds to `Vary`. */
export function vary({ headers }: RequestState, fields: string): void {
  const before = headers.get('Vary');
  headers.set('Vary', before === undefined ? fields : `${before}, ${fields}`);
}

/** Sets all of them. */
export function setHeaders({ headers }: RequestState, fields: Readonly<Record<string, string>>): void {
  for (const name in fields) headers.set(name, fields[name] ?? '');
}
