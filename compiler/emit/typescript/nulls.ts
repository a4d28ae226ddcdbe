/**
 * Decides whether an expression can be NULL at its position, and which inputs must not be NULL for it not to be. Takes
 * expressions, gives facts; prints nothing.
 */
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { lookupFunction } from '../../functions/catalogue.ts';

/** An input that a printed expression reads in place: a property of `command`, `state` or an event row, or a parameter. */
export type InputExpression = Extract<
  TypedExpression,
  { readonly kind: 'argument' | 'state' | 'column' | 'parameter' }
>;

export function isInput(expression: TypedExpression): expression is InputExpression {
  const { kind } = expression;
  return kind === 'argument' || kind === 'state' || kind === 'column' || kind === 'parameter';
}

/** Equal for two mentions of one input. */
export function inputKey(input: InputExpression): string {
  return input.kind === 'column' ? `column ${input.relation} ${input.column}` : `${input.kind} ${input.name}`;
}

/** Inputs proved not NULL at the position of an expression. */
export type KnownInputs = ReadonlySet<string>;

export const nothingKnown: KnownInputs = new Set();

/**
 * Whether the expression can be NULL, given the known inputs. With `careful`, every input counts as one that may be
 * NULL.
 */
export function canBeNull(expression: TypedExpression, known: KnownInputs, careful = false): boolean {
  if (isInput(expression)) return careful || (expression.nullable && !known.has(inputKey(expression)));
  if (!expression.nullable && !careful) return false;
  const some = (parts: readonly TypedExpression[]): boolean => parts.some((part) => canBeNull(part, known, careful));
  switch (expression.kind) {
    case 'cast':
      return canBeNull(expression.operand, known, careful);
    case 'call':
      return spreadsNull(expression.function) ? some(expression.arguments) : expression.nullable;
    case 'in-list':
      return some([expression.operand, ...expression.list]);
    default:
      return expression.nullable;
  }
}

function spreadsNull(name: string): boolean {
  return name === 'and' || name === 'or' || entryOf(name).strict === true;
}

/**
 * The inputs that must not be NULL for the expression not to be, each once, in order; undefined when it may be NULL for
 * another reason, so that testing inputs does not help.
 */
export function nullInputs(expression: TypedExpression, known: KnownInputs): readonly InputExpression[] | undefined {
  if (!canBeNull(expression, known)) return [];
  if (isInput(expression)) return [expression];
  if (expression.kind === 'cast') return nullInputs(expression.operand, known);
  if (expression.kind === 'call' && entryOf(expression.function).strict === true)
    return nullInputsOf(expression.arguments, known);
  return undefined;
}

export function nullInputsOf(
  expressions: readonly TypedExpression[],
  known: KnownInputs,
): readonly InputExpression[] | undefined {
  const inputs = new Map<string, InputExpression>();
  for (const expression of expressions) {
    const found = nullInputs(expression, known);
    if (found === undefined) return undefined;
    for (const input of found) inputs.set(inputKey(input), input);
  }
  return [...inputs.values()];
}

export function entryOf(name: string): NonNullable<ReturnType<typeof lookupFunction>> {
  const entry = lookupFunction(name);
  if (entry === undefined) throw new Error(`function ${name} is not in the catalogue`);
  return entry;
}
