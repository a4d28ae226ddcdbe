import { metaRelations } from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Caller } from '../http/auth/caller.ts';
import type { ConsoleReader } from './console-query.ts';

/** By callers, the last domain and what they may read of it: a policy's own callers ask again and again. */
const known = new WeakMap<Caller, { readonly domain: Domain; readonly reader: ConsoleReader }>();

/** What a caller may see of a domain in a query. */
export function readerOf(domain: Domain, caller: Caller): ConsoleReader {
  const before = known.get(caller);
  if (before?.domain === domain) return before.reader;
  const all = [
    ...domain.aggregates.flatMap(({ name }) => [`${name}$Agg`, `${name}$Events`]),
    ...domain.projections.map(({ name }) => name),
    ...metaRelations.map(({ name }) => name),
  ];
  const readable = all.filter((relation) => caller.may(`read:${relation}`));
  const { cleared } = caller;
  const reader = readable.length === all.length ? { cleared } : { cleared, readable };
  known.set(caller, { domain, reader });
  return reader;
}
