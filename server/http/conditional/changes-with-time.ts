import type { Domain } from '../../../language/contract/domain.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';

const answers = new WeakMap<CompiledQuery, boolean>();

/**
 * Whether a query's answer may change without a write, because the query, or a view that it reads, uses the current time. Such an answer
 * gets no entity tag: a caller's copy would stay valid forever.
 */
export function changesWithTime(domain: Domain, query: CompiledQuery): boolean {
  const known = answers.get(query);
  if (known !== undefined) return known;
  const left = [...domain.readModel.views];
  const texts = [query.sql, ...(query.shared ?? [])];
  let found = false;
  for (let text = texts.pop(); text !== undefined && !found; text = texts.pop()) {
    found = text.includes('schemac_now(');
    for (let at = left.length - 1; at >= 0; at--) {
      const view = left[at];
      if (view !== undefined && text.includes(view.name)) texts.push(...left.splice(at, 1).map(({ sql }) => sql));
    }
  }
  answers.set(query, found);
  return found;
}
