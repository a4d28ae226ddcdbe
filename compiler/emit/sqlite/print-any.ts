import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { physicalNames, quoteIdentifier } from './physical-names.ts';
import type { Printer } from './printer.ts';

/**
 * `x = ANY(tags)` on an event relation, as a lookup in the table of tags, whose index then finds the events. Gives
 * FALSE if `x` is NULL, so it is used only where that means the same. Undefined for anything else.
 */
export function printAnyOfTags(printer: Printer, expression: TypedExpression): string | undefined {
  if (expression.kind !== 'call' || expression.function !== 'any_equal') return undefined;
  const [operand, list] = expression.arguments;
  if (operand === undefined || list?.kind !== 'column' || list.column.toLowerCase() !== 'tags') return undefined;
  const relation = printer.relations.get(list.relation);
  if (relation?.aggregate === undefined || relation.position === undefined) return undefined;
  const tags = quoteIdentifier(physicalNames.tags(relation.aggregate));
  return `(${relation.position} IN (SELECT t.global_position FROM ${tags} AS t WHERE t.tag = ${printer.expression(operand)}))`;
}
