import type { Caller } from './auth/caller.ts';
import type { Route } from './route.ts';

/** What is known of a request while it is answered; kept for its log line. */
export interface RequestState {
  requestId: string;
  route?: Route;
  caller?: Caller;
  notes: Record<string, string | number | boolean>;
}
