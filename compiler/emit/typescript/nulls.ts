/**
 * What is known of a value while an expression is printed: whether NULL can come out of it here, and which inputs it must not be
 * NULL in. Takes expressions, gives facts; prints nothing.
 */
import type { TypedExpression } from '../../catalog/expression.ts';
import { findFunction } from '../../functions/catalogue.ts';

/** An input that a printed expression reads in place: a property of `command`, `state` or an event row. */
export type InputExpression = Extract<TypedExpression, { readonly kind: 'argument' | 'state' | 'column' }>;

export function isInput(expression: TypedExpression): expression is InputExpression {
  return expression.kind === 'argument' || expression.kind === 'state' || expression.kind === 'column';
}

/** Equal for two mentions of one input. */
export function inputKey(input: InputExpression): string {
  return input.kind === 'column' ? `column ${input.relation} ${input.column}` : `${input.kind} ${input.name}`;
}

/** Inputs proved not NULL where an expression stands. */
export type KnownInputs = ReadonlySet<string>;

export const nothingKnown: KnownInputs = new Set();

/** Whether NULL can come out of the expression, given what is known where it stands. */
export function canBeNull(expression: TypedExpression, known: KnownInputs): boolean {
  if (!expression.nullable) return false;
  if (isInput(expression)) return !known.has(inputKey(expression));
  switch (expression.kind) {
    case 'cast':
      return canBeNull(expression.operand, known);
    case 'call':
      return strict.has(expression.function)
        ? expression.arguments.some((argument) => canBeNull(argument, known))
        : true;
    case 'in-list':
      return [expression.operand, ...expression.list].some((part) => canBeNull(part, known));
    default:
      return true;
  }
}

/** Functions that give NULL exactly when an argument is NULL. */
const strict: ReadonlySet<string> = new Set([
  'equal',
  'not_equal',
  'less',
  'less_or_equal',
  'greater',
  'greater_or_equal',
  'add',
  'subtract',
  'multiply',
  'divide',
  'modulo',
  'negate',
  'concat',
  'not',
]);

/**
 * The inputs that must not be NULL so that the expression is not, each once, in order; undefined where NULL may come from
 * something else, so that testing inputs does not help.
 */
export function nullInputs(expression: TypedExpression, known: KnownInputs): readonly InputExpression[] | undefined {
  if (!canBeNull(expression, known)) return [];
  if (isInput(expression)) return [expression];
  if (expression.kind === 'cast') return nullInputs(expression.operand, known);
  if (expression.kind === 'call' && strict.has(expression.function)) return nullInputsOf(expression.arguments, known);
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

export function isStrict(name: string): boolean {
  return strict.has(name);
}

export function entryOf(name: string): NonNullable<ReturnType<typeof findFunction>> {
  const entry = findFunction(name);
  if (entry === undefined) throw new Error(`function ${name} is not in the catalogue`);
  return entry;
}
