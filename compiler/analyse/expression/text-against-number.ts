import { typeName, type Type } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { FunctionEntry } from '../../functions/entry.ts';
import { isNumeric, isText } from '../../functions/typing.ts';
import type { Span } from '../../../language/source/span.ts';
import type { Binding } from '../query/binding.ts';
import { isUntyped } from '../typed/typed.ts';

const symbols: Readonly<Record<string, string>> = {
  equal: '=',
  not_equal: '<>',
  less: '<',
  less_equal: '<=',
  greater: '>',
  greater_equal: '>=',
  is_distinct: 'IS DISTINCT FROM',
  is_not_distinct: 'IS NOT DISTINCT FROM',
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
  modulo: '%',
};

/** A STRING value against a number (docs/language.md#types): an error with a CAST as its fix. False for any other mix of types. */
export function reportTextAgainstNumber(
  entry: FunctionEntry,
  given: readonly TypedExpression[],
  span: Span,
  binding: Binding,
): boolean {
  const operator = symbols[entry.name];
  const [left, right] = given;
  if (operator === undefined || left === undefined || right === undefined || given.some(isUntyped)) return false;
  if (!isTextAgainstNumber(left.type, right.type)) return false;
  const [text, number] = isText(left.type) ? [left, right] : [right, left];
  const at = binding.spans.get(text);
  const type = typeName(number.type);
  const fix =
    at === undefined
      ? {}
      : {
          fix: {
            title: `cast to ${type}`,
            span: at,
            replacement: `CAST(${at.file.text.slice(at.start, at.end)} AS ${type})`,
          },
        };
  binding.report(diagnose('E0309', span, { left: typeName(left.type), operator, right: typeName(right.type) }, fix));
  return true;
}

/** Whether two types are text and number, which has its own code and fix. */
export function isTextAgainstNumber(left: Type, right: Type): boolean {
  return (isText(left) && isNumeric(right)) || (isNumeric(left) && isText(right));
}
