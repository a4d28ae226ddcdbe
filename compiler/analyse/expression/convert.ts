/** The casts that the analyser inserts: between different operands, and from a value to a field. */
import { typeName, type Type } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { areOtherEnums, isNumeric, isText } from '../../functions/typing.ts';
import type { Span } from '../../../language/source/span.ts';
import type { LiteralValue } from '../literal/literal-value.ts';
import { numberAs, textAs } from '../literal/literal-value.ts';
import { valuesNear } from '../literal/near-value.ts';
import { recordValueUse } from '../literal/record-value-use.ts';
import { showLiteral } from '../literal/read-literal.ts';
import type { Binding } from '../query/binding.ts';
import { sameType } from '../type/widens.ts';
import { reportLostDigits } from './lost-digits.ts';
import { faulty, isFaulty, isNullLiteral, isUntyped, literal, nullOf } from '../typed/typed.ts';

/**
 * The expression as a value of `type`, which must be compatible: literals become literals of that type (with a report if they do not fit),
 * anything else gets an implicit cast.
 */
export function convert(expression: TypedExpression, type: Type, binding: Binding): TypedExpression {
  if (isFaulty(expression) || isFaulty({ type })) return isFaulty(expression) ? expression : faulty;
  if (type.kind === 'NULL' || sameType(expression.type, type)) return expression;
  if (isNullLiteral(expression)) return kept(nullOf(type), expression, binding);
  if (expression.kind === 'literal') {
    const value = literalValue(expression.value, expression.type, type);
    if (value !== undefined) {
      recordValueUse(type, value, binding.spans.get(expression), binding.environment);
      return kept(literal(value, type), expression, binding);
    }
    if (isUntyped(expression)) return refuseLiteral(expression, type, undefined, binding);
  }
  return kept({ ...facts(expression), kind: 'cast', operand: expression, mode: 'implicit', type }, expression, binding);
}

/**
 * The expression as the value of a field (docs/language.md#types): numeric types may narrow, with a warning where digits of an uncomputed
 * value are lost; UUID and STRING convert to each other; a computed decimal is rounded to the field's scale. A literal is checked against
 * the field here, any other value at run time.
 */
export function assign(
  expression: TypedExpression,
  type: Type,
  field: string,
  span: Span,
  binding: Binding,
): TypedExpression {
  if (isFaulty(expression)) return expression;
  if (isNullLiteral(expression)) return nullOf(type);
  if (expression.kind === 'literal') {
    const value = literalValue(expression.value, expression.type, type);
    if (value !== undefined) {
      recordValueUse(type, value, binding.spans.get(expression) ?? span, binding.environment);
      return literal(value, type);
    }
    if (
      isUntyped(expression) ||
      (isNumeric(expression.type) && isNumeric(type) && expression.type.kind !== 'DECIMAL')
    ) {
      return refuseLiteral(expression, type, field, binding, span);
    }
  }
  if (sameType(expression.type, type)) return expression;
  if (!assigns(expression.type, type)) {
    binding.report(diagnose('E0305', span, { field, type: typeName(type), given: typeName(expression.type) }));
    return faulty;
  }
  reportLostDigits(expression, type, field, span, binding);
  return { ...facts(expression), kind: 'cast', operand: expression, mode: 'assign', field, type };
}

/** Whether a value of one type can be assigned to a field of another without a CAST. */
export function assigns(from: Type, to: Type): boolean {
  if (areOtherEnums(from, to)) return false;
  if (from.kind === to.kind && from.kind !== 'LIST' && from.kind !== 'STRUCT') return true;
  if (isNumeric(from) && isNumeric(to)) return true;
  if (isText(from) && isText(to)) return true;
  return from.kind === 'DATE' && to.kind === 'TIMESTAMP';
}

function facts({ nullable, sensitive }: TypedExpression): { nullable: boolean; sensitive: boolean } {
  return { nullable, sensitive };
}

/** Lossless conversions of literals; undefined if there is none. */
function literalValue(value: LiteralValue, from: Type, to: Type): LiteralValue | undefined {
  if (value === null) return null;
  if (isText(from)) return textAs(to, String(value));
  if (isNumeric(from) && isNumeric(to)) return numberAs(to, String(value));
  if (from.kind === 'DATE' && to.kind === 'TIMESTAMP') return textAs(to, String(value));
  return undefined;
}

function refuseLiteral(
  expression: TypedExpression & { kind: 'literal' },
  type: Type,
  field: string | undefined,
  binding: Binding,
  span?: Span,
): TypedExpression {
  const at = binding.spans.get(expression) ?? span;
  const shown = showLiteral(
    isNumeric(expression.type)
      ? { form: 'number', text: String(expression.value) }
      : { form: 'text', text: String(expression.value) },
  );
  if (at !== undefined) {
    binding.report(
      diagnose('E0303', at, {
        literal: shown,
        type: typeName(type),
        ...(field === undefined ? {} : { field }),
        ...valuesNear(type, expression.value),
      }),
    );
  }
  return faulty;
}

/** A converted expression has the place of the original one. */
function kept(expression: TypedExpression, from: TypedExpression, binding: Binding): TypedExpression {
  const span = binding.spans.get(from);
  if (span !== undefined) binding.spans.set(expression, span);
  return expression;
}
