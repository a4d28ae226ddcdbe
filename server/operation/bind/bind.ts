import {
  bindQuery,
  type BindScope,
  type Bound,
  type BoundQuery,
  type Query,
  type Registry,
} from '../../../compiler/index.ts';
import { may, type Caller } from '../caller.ts';

/** The names that a query may use. */
export interface Names extends Omit<BindScope, 'access'> {
  /** Relations that this caller may not read do not exist for the query; without one, all of the registry do. */
  readonly caller?: Caller;
  /** Receives each relation that exists and may not be read. */
  readonly onDenied?: (relation: string) => void;
}

/**
 * Binds the relations that a query names: the only place of the server that does, whichever way in the query came. A rule about the rows that a
 * caller may see belongs here, where no expression of the caller has met a row.
 */
export function bind(
  registry: Registry,
  query: Query,
  { caller, onDenied = () => undefined, ...scope }: Names,
): Bound<BoundQuery> {
  if (caller === undefined) return bindQuery(registry, query, scope);
  const mayRead = (relation: string): boolean => may(caller, `read:${relation}`);
  return bindQuery(registry, query, { ...scope, access: { mayRead, onDenied } });
}
