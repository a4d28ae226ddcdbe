import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { conjuncts } from '../../../language/catalog/map-expression.ts';
import type { FieldLimit } from '../../../language/contract/command.ts';

type Keyword = FieldLimit['keyword'];

/** Comparisons of a field with a number behind it, and the same comparison turned round. */
const bounds: ReadonlyMap<string, readonly [behind: Keyword, before: Keyword]> = new Map([
  ['less', ['exclusiveMaximum', 'exclusiveMinimum']],
  ['less_equal', ['maximum', 'minimum']],
  ['greater', ['exclusiveMinimum', 'exclusiveMaximum']],
  ['greater_equal', ['minimum', 'maximum']],
]);

/** Limits of single fields in words of JSON Schema. Other parts of the condition are left out: a caller reads their text. */
export function limitsOf(condition: TypedExpression): readonly FieldLimit[] {
  return conjuncts(condition).flatMap(limitsOfPart);
}

function limitsOfPart(part: TypedExpression): readonly FieldLimit[] {
  if (part.kind === 'in-list') return part.negated ? [] : listed(part.operand, part.list);
  if (part.kind !== 'call') return [];
  const [a, b, c] = part.arguments;
  if (a === undefined || b === undefined) return [];
  if (part.function === 'between' && c !== undefined) return [...bounded(a, 'minimum', b), ...bounded(a, 'maximum', c)];
  if (part.function === 'equal') return [...listed(a, [b]), ...listed(b, [a])];
  const keywords = bounds.get(part.function);
  if (keywords === undefined) return [];
  return [...bounded(a, keywords[0], b), ...bounded(b, keywords[1], a)];
}

function listed(operand: TypedExpression, list: readonly TypedExpression[]): readonly FieldLimit[] {
  if (operand.kind !== 'argument' || operand.type.kind !== 'STRING') return [];
  const values = list.map((item) => (item.kind === 'literal' ? item.value : null));
  if (!values.every((value) => typeof value === 'string')) return [];
  return [{ field: operand.name, keyword: 'enum', value: values }];
}

function bounded(operand: TypedExpression, keyword: Keyword, bound: TypedExpression): readonly FieldLimit[] {
  const value = bound.kind === 'literal' && bound.value !== null ? Number(bound.value) : Number.NaN;
  if (!Number.isFinite(value)) return [];
  const given = withoutCast(operand);
  if (given.kind === 'argument' && numbers.has(given.type.kind)) return [{ field: given.name, keyword, value }];
  const [text] = given.kind === 'call' && given.function === 'LENGTH' ? given.arguments : [];
  return text?.kind === 'argument' && text.type.kind === 'STRING' ? lengthLimit(text.name, keyword, value) : [];
}

const numbers = new Set(['INT', 'BIGINT', 'DECIMAL', 'DOUBLE']);

function withoutCast(expression: TypedExpression): TypedExpression {
  return expression.kind === 'cast' && expression.mode === 'implicit' ? expression.operand : expression;
}

function lengthLimit(field: string, keyword: Keyword, value: number): readonly FieldLimit[] {
  if (!Number.isInteger(value) || value < 0) return [];
  switch (keyword) {
    case 'minimum':
      return [{ field, keyword: 'minLength', value }];
    case 'exclusiveMinimum':
      return [{ field, keyword: 'minLength', value: value + 1 }];
    case 'maximum':
      return [{ field, keyword: 'maxLength', value }];
    case 'exclusiveMaximum':
      return value === 0 ? [] : [{ field, keyword: 'maxLength', value: value - 1 }];
    default:
      return [];
  }
}
