/**
 * Masks of a caller's query (docs/language.md#sensitive-values): an expression over a sensitive column is never evaluated; it is replaced
 * by the mask, NULL exactly where one of its sensitive columns is.
 */
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { hasTextMask } from '../../../language/values/mask.ts';
import { countType, literal, nullOf, wholeType } from '../typed/typed.ts';
import { walkExpression } from '../typed/walk.ts';
import { hasMarkedLeaf, isMarked } from './mark.ts';

/**
 * `marks`: schema text, where a mark follows values. `masks`: a caller without sensitive:read. `clear`: a caller with it; nothing is
 * refused or masked.
 */
export type Sensitivity = 'marks' | 'masks' | 'clear';

interface Binding {
  readonly sensitivity: Sensitivity;
}

/** A select item as a caller sees it: itself, or its mask. Still marked, so outer queries cannot bypass the mask. */
export function maskedItem(expression: TypedExpression, binding: Binding): TypedExpression {
  if (binding.sensitivity !== 'masks' || expression.kind === 'mask') return expression;
  // A whole STRUCT keeps its marks leaf by leaf, and every exit masks by them.
  if (!expression.sensitive) return expression;
  return maskOver(expression, sensitiveParts(expression));
}

/** The mask of one column. */
export function maskOfLeaf(column: TypedExpression): TypedExpression {
  return maskOver(column, [column]);
}

function maskOver(expression: TypedExpression, of: readonly TypedExpression[]): TypedExpression {
  const nullable = of.some((part) => part.nullable) || !hasTextMask(expression.type);
  const whole = of[0] === expression ? ({ whole: true } as const) : {};
  return { kind: 'mask', of, ...whole, type: expression.type, nullable, sensitive: true };
}

/** The parts that decide whether the mask is NULL: sensitive columns, claims and subqueries; for an aggregate, whether it has any value of them. */
function sensitiveParts(expression: TypedExpression): readonly TypedExpression[] {
  const found: TypedExpression[] = [];
  const seen = new Set<string>();
  const add = (part: TypedExpression): void => {
    const key = JSON.stringify(part);
    if (!seen.has(key)) found.push(part);
    seen.add(key);
  };
  walkExpression(expression, (part) => {
    if (!isMarked(part)) return false;
    switch (part.kind) {
      case 'column':
      case 'caller':
      case 'mask':
      case 'scalar-query':
        add(part);
        return false;
      case 'aggregate':
        for (const argument of part.arguments) {
          for (const column of sensitiveParts(argument)) add(anyValue(column, part.filter));
        }
        return false;
      default:
        return true;
    }
  });
  return found;
}

/** `CASE COUNT(column) WHEN 0 THEN NULL ELSE 1 END`: NULL if the group has no value, and never anything else about the values. */
function anyValue(column: TypedExpression, filter: TypedExpression | undefined): TypedExpression {
  const count: TypedExpression = {
    kind: 'aggregate',
    function: 'COUNT',
    arguments: [column],
    distinct: false,
    orderBy: [],
    ...(filter === undefined ? {} : { filter }),
    type: countType,
    nullable: false,
    sensitive: false,
  };
  return {
    kind: 'case',
    operand: count,
    branches: [{ when: literal('0', countType), then: nullOf(wholeType) }],
    otherwise: literal(1, wholeType),
    type: wholeType,
    nullable: true,
    sensitive: true,
  };
}

/** `data` of an event relation as a caller sees it: each SENSITIVE leaf is masked before the whole is used. The type marks these leaves. */
export function maskedStruct(column: TypedExpression, binding: Binding): TypedExpression {
  if (binding.sensitivity !== 'masks' || !hasMarkedLeaf(column.type)) return column;
  return { kind: 'mask', of: [column], whole: true, type: column.type, nullable: column.nullable, sensitive: false };
}
