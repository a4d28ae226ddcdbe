import type { Column } from '../../../language/contract/query.ts';
import { Problem } from '../wire/problem.ts';

/**
 * A JSON object cannot hold a name twice, and a CSV reader takes the header's names as keys (docs/http.md#forms-of-an-answer). `place` is
 * the place of the columns in the caller's text, if the caller wrote it.
 */
export function refuseRepeatedNames(columns: readonly Column[], place = ''): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name))
      throw new Problem(
        'H4008',
        `${place}the result has several columns '${name}'; give each its own name, or ask for Arrow`,
      );
    seen.add(name);
  }
}
