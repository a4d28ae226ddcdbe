/**
 * Prints conditions: code that is true exactly when an expression is TRUE, not when it is FALSE or NULL. Inputs that
 * can be NULL are tested first, so that plain operators can follow; TypeScript then narrows them.
 */
import { flatText, joinedCode, type Code } from '../../../templates/code.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { inputKey, isInput, nullInputs, nullInputsOf, type InputExpression, type KnownInputs } from './nulls.ts';
import { breakText } from './break-text.ts';
import { asOperand } from './parentheses.ts';
import { mayBeNull, printValue, type PrintScope } from './print-expression.ts';

type Node<K extends TypedExpression['kind']> = Extract<TypedExpression, { readonly kind: K }>;

/** Operands of `&&`, and the inputs that are known not to be null when all of them hold. */
export interface PrintedCondition {
  readonly items: readonly Code[];
  readonly known: KnownInputs;
}

/** The condition as one text, with parentheses if it is an operand. */
export function printTruth(
  expression: TypedExpression,
  scope: PrintScope,
): { readonly text: string; readonly known: KnownInputs } {
  const { items, known } = printCondition(expression, scope);
  const text = items.map(flatText).join(' && ');
  return { text, known };
}

export function printCondition(expression: TypedExpression, scope: PrintScope): PrintedCondition {
  if (expression.kind === 'literal') return { items: [String(expression.value === true)], known: scope.known };
  if (expression.kind === 'call') {
    if (expression.function === 'and') return printAll(expression.arguments, scope);
    if (expression.function === 'or') return printAnyOf(expression.arguments, scope);
    const [operand] = expression.arguments;
    if (expression.function === 'not' && operand !== undefined) return printNot(operand, scope);
  }
  if (expression.kind === 'in-list') return printListed(expression, scope);
  return printTested(expression, scope);
}

function printAll(operands: readonly TypedExpression[], scope: PrintScope): PrintedCondition {
  let known = scope.known;
  const items: Code[] = [];
  for (const operand of operands) {
    const printed = printCondition(operand, { ...scope, known });
    items.push(...printed.items);
    known = printed.known;
  }
  return { items, known };
}

function printAnyOf(operands: readonly TypedExpression[], scope: PrintScope): PrintedCondition {
  const flat = operands.flatMap((operand) => alternatives(operand));
  let before = scope.known;
  const printed = flat.map((operand) => {
    const condition = printCondition(operand, { ...scope, known: before });
    before = new Set([...before, ...inputsOfNullTest(operand)]);
    return condition;
  });
  const [first, ...others] = printed;
  const known = new Set([...(first?.known ?? [])].filter((input) => others.every((other) => other.known.has(input))));
  const items = printed.map(({ items: own }): Code =>
    own.length === 1 ? joinedCode('&&', own) : { ...parentheses, items: own, separator: ' &&' },
  );
  return { items: [{ ...parentheses, items, separator: ' ||' }], known };
}

/** After `x IS NULL OR`, x is not NULL. */
function inputsOfNullTest(expression: TypedExpression): readonly string[] {
  if (expression.kind !== 'call' || expression.function !== 'is_null') return [];
  return expression.arguments.filter(isInput).map(inputKey);
}

const parentheses = { open: '(', close: ')', padding: '', trailing: '' } as const;

function alternatives(expression: TypedExpression): readonly TypedExpression[] {
  return expression.kind === 'call' && expression.function === 'or'
    ? expression.arguments.flatMap(alternatives)
    : [expression];
}

/** NOT x is TRUE exactly when x is FALSE. */
function printNot(operand: TypedExpression, scope: PrintScope): PrintedCondition {
  if (operand.kind === 'call' && operand.function === 'not' && operand.arguments[0] !== undefined) {
    return printCondition(operand.arguments[0], scope);
  }
  const inputs = scope.careful ? undefined : nullInputs(operand, scope.known);
  if (inputs === undefined)
    return { items: [[breakText(printValue(operand, scope)), ' === false']], known: scope.known };
  const { tests, inside } = testNulls(inputs, scope);
  return { items: [...tests, `!${printValue(operand, inside)}`], known: inside.known };
}

function printTested(expression: TypedExpression, scope: PrintScope): PrintedCondition {
  if (isInput(expression)) {
    const text = scope.input(expression);
    const nullable = mayBeNull(expression, scope);
    const known = scope.careful ? scope.known : new Set([...scope.known, inputKey(expression)]);
    return { items: [nullable ? `${text} === true` : text], known };
  }
  const inputs = scope.careful ? undefined : nullInputs(expression, scope.known);
  if (inputs === undefined)
    return { items: [[breakText(printValue(expression, scope)), ' === true']], known: scope.known };
  const { tests, inside } = testNulls(inputs, scope);
  const text = asOperand(printValue(expression, inside));
  return { items: [...(testsItself(expression, text, scope) ? [] : tests), breakText(text)], known: inside.known };
}

/** `state.level === 3` is false for null, and TypeScript narrows when it is true. */
function testsItself(expression: TypedExpression, text: string, scope: PrintScope): boolean {
  if (expression.kind !== 'call' || expression.function !== 'equal') return false;
  const [left, right] = expression.arguments;
  if (left === undefined || right === undefined) return false;
  const [input, other] = isInput(left) && mayBeNull(left, scope) ? [left, right] : [right, left];
  if (!isInput(input) || mayBeNull(other, scope)) return false;
  const name = scope.input(input);
  return text === `${name} === ${printValue(other, scope)}` || text === `${printValue(other, scope)} === ${name}`;
}

/** A NULL in the list never makes IN true, and always keeps NOT IN from being true. */
function printListed(expression: Node<'in-list'>, scope: PrintScope): PrintedCondition {
  const list = expression.list.filter((item) => !(item.kind === 'literal' && item.value === null));
  if (list.length < expression.list.length && expression.negated) return { items: ['false'], known: scope.known };
  const inputs = scope.careful
    ? undefined
    : nullInputsOf([expression.operand, ...(expression.negated ? list : [])], scope.known);
  const { tests, inside } = testNulls(inputs ?? [], scope);
  const text = printValue({ ...expression, list }, inside);
  const certain = inputs !== undefined && !list.some((item) => mayBeNull(item, inside));
  return { items: [...tests, certain ? breakText(text) : [breakText(text), ' === true']], known: inside.known };
}

function testNulls(
  inputs: readonly InputExpression[],
  scope: PrintScope,
): { readonly tests: readonly string[]; readonly inside: PrintScope } {
  return {
    tests: inputs.map((input) => `${scope.input(input)} !== null`),
    inside: { ...scope, known: new Set([...scope.known, ...inputs.map(inputKey)]) },
  };
}
