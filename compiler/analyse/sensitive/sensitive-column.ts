import type { BoundBody } from '../../../language/catalog/query.ts';
import { sourceOfMark } from './source-of-mark.ts';

/**
 * The reason why an output column of a query is sensitive: the first column it is taken from, by its name there. A set operation's own
 * column names come from its first side and may be harmless.
 */
export function sensitiveColumn(body: BoundBody, index: number): string | undefined {
  // Sets are chained by the thousand, so they are not walked by recursion.
  const pending: BoundBody[] = [body];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'set') pending.push(next.right, next.left);
    else if (next.kind === 'query') pending.push(next.query.body);
    else if (next.kind === 'select') {
      const item = next.items[index];
      if (item?.sensitive === true) return sourceOfMark(item);
    }
  }
  return undefined;
}
