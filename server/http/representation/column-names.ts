import type { Column } from '../../../language/contract/query.ts';
import { Problem } from '../answers/problem.ts';

/**
 * A JSON object can hold a name once only, and a CSV reader takes the header's names as keys (http-details.md section 1). `place` is where
 * the columns were asked for, if the caller wrote that.
 */
export function refuseRepeatedNames(columns: readonly Column[], place = ''): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name))
      throw new Problem(
        400,
        `${place}the result has several columns '${name}'; give each a name of its own, or ask for Arrow`,
      );
    seen.add(name);
  }
}
