import {
  bindQuery,
  type BindScope,
  type Bound,
  type BoundQuery,
  type Query,
  type Registry,
} from '../../../compiler/index.ts';

/** The names that a query may use. */
export interface Names extends Omit<BindScope, 'access'> {
  /** The relations of the registry that exist for the caller; all if absent. */
  readonly readable?: readonly string[];
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
  { readable, onDenied = () => undefined, ...scope }: Names,
): Bound<BoundQuery> {
  if (readable === undefined) return bindQuery(registry, query, scope);
  const known = new Set(readable);
  return bindQuery(registry, query, { ...scope, access: { mayRead: (relation) => known.has(relation), onDenied } });
}
