import type { TypedExpression } from '../../language/catalog/expression.ts';
import { someExpression } from '../../language/catalog/map-expression.ts';
import type { Column } from '../../language/contract/query.ts';
import type { FoldedQuery } from './fold-state-query.ts';
import { FOLD_ROW } from './fold-select.ts';

/**
 * For each slot of a folded query the name of the output column that shows it: the column that is the slot, else the first whose
 * expression reads this slot alone (`COALESCE(SUM(data.km), 0) AS total_km`), else none.
 */
export function slotNames(
  { fold, outputs }: FoldedQuery,
  columns: readonly Pick<Column, 'name'>[],
): readonly (string | undefined)[] {
  const read = outputs.map(slotsIn);
  return fold.slots.map((_, slot) => {
    const itself = outputs.findIndex((output, at) => output.kind === 'column' && read[at]?.has(`s${slot}`) === true);
    const alone = read.findIndex((slots) => slots.size === 1 && slots.has(`s${slot}`));
    return columns[itself >= 0 ? itself : alone]?.name;
  });
}

function slotsIn(output: TypedExpression): ReadonlySet<string> {
  const slots = new Set<string>();
  someExpression(output, (part) => {
    if (part.kind === 'column' && part.relation === FOLD_ROW && part.column.startsWith('s')) slots.add(part.column);
    return false;
  });
  return slots;
}
