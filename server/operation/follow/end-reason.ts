import type { Domain } from '../../../language/contract/domain.ts';
import type { Column } from '../../../language/contract/query.ts';
import { rowsKey } from '../asker.ts';
import type { Caller } from '../caller.ts';
import { isCleared, may } from '../rights.ts';
import type { EventSource } from './source.ts';

/** Why a stream ends. */
export type EndReason = 'limit' | 'until' | 'stop' | 'credentials' | 'access' | 'dropped' | 'schema' | 'unavailable';

/** Facts of a stream on which its end depends. */
export interface Ongoing {
  /** The server stops. */
  readonly isStopped: boolean;
  /** The caller lost a right by which it is sent events, or its credentials no longer count. */
  readonly isDenied: boolean;
  /** ms since 1970, as is `now`, after which the caller's credentials no longer count. */
  readonly expiry: number | undefined;
  readonly now: number;
  /** The caller sees other rows than when the stream began. */
  readonly isAccessChanged: boolean;
  /** The columns with which it began, if it has one set to its end. */
  readonly fixed: readonly Column[] | undefined;
  /** The columns of today; undefined if what it follows is gone. */
  readonly columns: readonly Column[] | undefined;
  /** Events that it may still send. */
  readonly left: number;
  readonly position: number;
  /** The position at which it ends. */
  readonly until: number | undefined;
  /** The log can no longer be followed. */
  readonly isUnavailable: boolean;
}

/** Why a stream ends now, if it does. */
export function endReason(stream: Ongoing): EndReason | undefined {
  const { expiry, now, fixed, columns, left, position, until } = stream;
  if (stream.isStopped) return 'stop';
  if (stream.isDenied || (expiry !== undefined && now > expiry)) return 'credentials';
  if (stream.isAccessChanged) return 'access';
  if (columns === undefined) return 'dropped';
  if (fixed !== undefined && !isSame(fixed, columns)) return 'schema';
  if (left <= 0) return 'limit';
  if (until !== undefined && position >= until) return 'until';
  return stream.isUnavailable ? 'unavailable' : undefined;
}

/** Whether a caller has lost a right by which it is sent the events of these relations, or sees other rows of them by its facts. */
export function losesAccess(
  { source, domain, relations }: { source: EventSource; domain: Domain; relations: readonly string[] },
  before: Caller,
  now: Caller,
): boolean {
  const isMasked = isCleared(before) && !isCleared(now);
  const sees = rowsKey(domain, relations, now) === rowsKey(domain, relations, before);
  return isMasked || !sees || !source.needs(domain).every((right) => may(now, right));
}

/** Whether rows of one set of columns are written as those of another. */
function isSame(one: readonly Column[], other: readonly Column[]): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
