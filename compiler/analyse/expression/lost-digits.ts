/**
 * Values that lose digits when assigned to a field, without a calculation that explains it (docs/language.md#types). A product or a
 * quotient has more fraction digits than were asked for, so rounding it is usual; rounding a value that is assigned as it is, or a sum of
 * such values, is not.
 */
import { typeName, type Type } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { isNumeric } from '../../functions/typing.ts';
import type { Span } from '../../../language/source/span.ts';
import { numberAs } from '../literal/literal-value.ts';
import type { Binding } from '../query/binding.ts';

/** Warns if the expression loses digits as the value of a field of that type; `span` is the place of the warning. */
export function reportLostDigits(
  expression: TypedExpression,
  type: Type,
  field: string,
  span: Span,
  binding: Binding,
): void {
  const parts = [...partsOf(expression)];
  const lossy = parts.find((part) => isGivenValue(part) && losesDigits(part, type));
  if (lossy !== undefined) {
    binding.report(
      diagnose(
        'E0313',
        span,
        { field, type: typeName(type), given: typeName(lossy.type) },
        castOf(expression, type, binding),
      ),
    );
    return;
  }
  if (!hasFraction(type)) return;
  const quotient = parts.find((part) => part.kind === 'call' && part.function === 'divide' && isWhole(part.type));
  if (quotient === undefined) return;
  binding.report(
    diagnose('E0314', binding.spans.get(quotient) ?? span, {
      field,
      type: typeName(type),
      given: typeName(quotient.type),
    }),
  );
}

/** The values that the expression passes on, chosen or added up, without values that it calculates otherwise. */
function* partsOf(expression: TypedExpression): Generator<TypedExpression> {
  for (const part of passedOn(expression) ?? []) yield* partsOf(part);
  if (passedOn(expression) === undefined) yield expression;
}

const passingCalls: ReadonlySet<string> = new Set([
  'negate',
  'add',
  'subtract',
  'COALESCE',
  'GREATEST',
  'LEAST',
  'ABS',
]);
const passingAggregates: ReadonlySet<string> = new Set(['LAST', 'FIRST', 'MIN', 'MAX', 'SUM']);

function passedOn(expression: TypedExpression): readonly TypedExpression[] | undefined {
  switch (expression.kind) {
    case 'call':
      if (expression.function === 'NULLIF') return expression.arguments.slice(0, 1);
      return passingCalls.has(expression.function) ? expression.arguments : undefined;
    case 'aggregate':
      return passingAggregates.has(expression.function) ? expression.arguments : undefined;
    case 'case': {
      const { branches, otherwise } = expression;
      return [...branches.map(({ then }) => then), ...(otherwise === undefined ? [] : [otherwise])];
    }
    case 'cast':
      return expression.mode === 'implicit' ? [expression.operand] : undefined;
    default:
      return undefined;
  }
}

/** A value from outside: an argument, a column or a literal. */
function isGivenValue({ kind }: TypedExpression): boolean {
  return kind === 'argument' || kind === 'caller' || kind === 'state' || kind === 'column' || kind === 'literal';
}

function losesDigits(part: TypedExpression, to: Type): boolean {
  const { type: from } = part;
  if (!isNumeric(from) || !isNumeric(to)) return false;
  if (part.kind === 'literal') return part.value !== null && numberAs(to, String(part.value)) === undefined;
  if (to.kind === 'DOUBLE') return from.kind === 'BIGINT' || (from.kind === 'DECIMAL' && from.precision > doubleDigits);
  return from.kind === 'DOUBLE' || (from.kind === 'DECIMAL' && from.scale > (to.kind === 'DECIMAL' ? to.scale : 0));
}

/** Decimal digits that every DOUBLE keeps. */
const doubleDigits = 15;

function isWhole({ kind }: Type): boolean {
  return kind === 'INT' || kind === 'BIGINT';
}

function hasFraction(type: Type): boolean {
  return type.kind === 'DOUBLE' || (type.kind === 'DECIMAL' && type.scale > 0);
}

function castOf(expression: TypedExpression, type: Type, binding: Binding): Parameters<typeof diagnose>[3] {
  const at = binding.spans.get(expression);
  if (at === undefined) return {};
  const name = typeName(type);
  const replacement = `CAST(${at.file.text.slice(at.start, at.end)} AS ${name})`;
  return { fix: { title: `cast to ${name}`, span: at, replacement } };
}
