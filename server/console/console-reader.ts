import { metaRelations } from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { isCleared, may, type Caller } from '../operation/caller.ts';
import type { ConsoleReader } from './console-query.ts';

/** By caller, the last domain and what the caller may read of it: a policy has a fixed set of callers. */
const known = new WeakMap<Caller, { readonly domain: Domain; readonly reader: ConsoleReader }>();

/** The relations and columns of a domain that a caller may see in a query. */
export function readerOf(domain: Domain, caller: Caller): ConsoleReader {
  const before = known.get(caller);
  if (before?.domain === domain) return before.reader;
  const all = [
    ...domain.aggregates.flatMap(({ name }) => [`${name}$Agg`, `${name}$Events`]),
    ...domain.projections.map(({ name }) => name),
    ...metaRelations.map(({ name }) => name),
  ];
  const readable = all.filter((relation) => may(caller, `read:${relation}`));
  const cleared = isCleared(caller);
  const reader = readable.length === all.length ? { cleared } : { cleared, readable };
  known.set(caller, { domain, reader });
  return reader;
}
