import type { BoundBody } from '../../../language/catalog/query.ts';
import { sourceOfMark } from './source-of-mark.ts';

/**
 * What makes an output column of a query sensitive: the first column that it is taken from, by its name there. A set's own
 * columns are called as its first side calls them, which may be harmless.
 */
export function sensitiveColumn(body: BoundBody, index: number): string | undefined {
  // Sets are chained by the thousand, so that they are not walked by recursion.
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
