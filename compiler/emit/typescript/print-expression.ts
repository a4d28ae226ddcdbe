/**
 * Prints typed expressions as TypeScript that is valid JavaScript too. The analyser has resolved, typed and cast
 * everything; functions, operators and casts print themselves through the function catalogue. NULL follows SQL: where
 * NULL is impossible, plain operators are printed; elsewhere the functions of `sql`.
 */
import type { Code } from '../../../templates/code.ts';
import { stringLiteral } from '../../../templates/literal.ts';
import { valueLiteral } from '../../../templates/value-literal.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { printCastTypescript } from '../../functions/cast.ts';
import { keyTypescript } from '../../functions/comparison-key.ts';
import type { PrintedArgument } from '../../functions/entry.ts';
import { breakText } from './break-text.ts';
import { withoutParentheses } from './parentheses.ts';
import { printTruth } from './print-condition.ts';
import { canBeNull, entryOf, isInput, nothingKnown, type InputExpression, type KnownInputs } from './nulls.ts';

type Node<K extends TypedExpression['kind']> = Extract<TypedExpression, { readonly kind: K }>;

/** The context of an expression's position. */
export interface PrintScope {
  readonly input: (input: InputExpression) => string;
  /** The name of a function of the schema in the module. */
  readonly functionName: (name: string) => string;
  /** Inputs that TypeScript knows not to be null here. */
  readonly known: KnownInputs;
  /** Nothing may be narrowed: every value is printed as if it could be NULL. */
  readonly careful: boolean;
}

export function mayBeNull(expression: TypedExpression, scope: PrintScope): boolean {
  return canBeNull(expression, scope.known, scope.careful);
}

/** The text of a value, in parentheses when it is more than a name, a literal or a call. */
export function printValue(expression: TypedExpression, scope: PrintScope): string {
  if (isInput(expression)) return scope.input(expression);
  switch (expression.kind) {
    case 'literal':
      return valueLiteral(expression.value, expression.type);
    case 'call':
      return printCall(expression, scope);
    case 'case':
      return printCase(expression, scope);
    case 'cast':
      return printCastTypescript(
        printArgument(expression.operand, scope),
        expression.type,
        expression.mode,
        expression.field,
      );
    case 'in-list':
      return printInList(expression, scope);
    case 'caller':
      return printCallerPart(expression);
    case 'apply':
      return `${scope.functionName(expression.function)}(${expression.arguments.map((argument) => withoutParentheses(printValue(argument, scope))).join(', ')})`;
    default:
      throw new Error(`${expression.kind} is not allowed in generated code`);
  }
}

function printCallerPart({ part, type }: Node<'caller'>): string {
  if (part.of === 'subject') return 'sql.currentUser(context)';
  if (part.of === 'role') return `sql.hasRole(context, ${stringLiteral(part.role)})`;
  return `sql.claim(context, ${stringLiteral(part.claim)}, ${stringLiteral(type.kind)})`;
}

function printArgument(expression: TypedExpression, scope: PrintScope): PrintedArgument {
  const simple = isInput(expression) || expression.kind === 'literal';
  return { text: printValue(expression, scope), type: expression.type, nullable: mayBeNull(expression, scope), simple };
}

function printCall(call: Node<'call'>, scope: PrintScope): string {
  const entry = entryOf(call.function);
  const nullable = call.arguments.some((argument) => mayBeNull(argument, scope));
  // An operand that is evaluated later is in its own function, where TypeScript's narrowing no longer applies.
  const inside = nullable ? { ...scope, known: nothingKnown } : scope;
  return entry.typescript({
    arguments: call.arguments.map((argument) => printArgument(argument, inside)),
    result: call.type,
    ...(call.place === undefined ? {} : { place: stringLiteral(call.place) }),
  });
}

/** More WHENs than this are printed as statements: nested conditionals would be too deep to read and to parse. */
const NESTED_WHENS = 20;

/** A value that may be broken over lines, at a position without an operator around it. */
export function printValueCode(expression: TypedExpression, scope: PrintScope): Code {
  const nested = expression.kind === 'case' && (expression.operand === undefined || isInput(expression.operand));
  if (!nested || expression.branches.length > NESTED_WHENS)
    return breakText(withoutParentheses(printValue(expression, scope)));
  const { arms, last } = caseArms(expression, scope);
  const items = [
    ...arms.map(({ test, then }, index): Code => [`${index === 0 ? '' : ': '}${test} ? `, breakText(then)]),
    [': ', breakText(last)],
  ];
  return { open: '', items, close: '', separator: '', padding: '', trailing: '' };
}

interface Arms {
  readonly arms: readonly { readonly test: string; readonly then: string }[];
  readonly last: string;
}

function caseArms({ operand, branches, otherwise }: Node<'case'>, scope: PrintScope): Arms {
  const arms = branches.map(({ when, then }) => {
    const { text, known } = printTruth(operand === undefined ? when : equality(operand, when), scope);
    return { test: text, then: printValue(then, { ...scope, known }) };
  });
  return { arms, last: otherwise === undefined ? 'null' : printValue(otherwise, scope) };
}

function printCase(expression: Node<'case'>, scope: PrintScope): string {
  const { operand } = expression;
  if (operand !== undefined && !isInput(operand)) return printOperandCase(expression, operand, scope);
  const { arms, last } = caseArms(expression, scope);
  if (arms.length > NESTED_WHENS) {
    const statements = arms.map((arm) => `if (${arm.test}) return ${arm.then};`);
    return `(() => { ${statements.join(' ')} return ${last}; })()`;
  }
  return `(${arms.map((arm) => `${arm.test} ? ${arm.then} : `).join('')}${last})`;
}

/** `CASE f(x) WHEN …`: the operand is evaluated once, as the argument of a function called on the spot. */
function printOperandCase(expression: Node<'case'>, operand: TypedExpression, scope: PrintScope): string {
  const name = `value${caseDepth(expression)}`;
  const subject: InputExpression = {
    kind: 'state',
    name: `\u0000${name}`,
    type: operand.type,
    nullable: operand.nullable,
    sensitive: operand.sensitive,
  };
  const input = (given: InputExpression): string =>
    given.kind === 'state' && given.name === subject.name ? name : scope.input(given);
  const inner = printCase({ ...expression, operand: subject }, { ...scope, input, known: nothingKnown });
  return `((${name}) => ${inner})(${printValue(operand, scope)})`;
}

/** The nesting depth of such functions, so that each has its own name. */
function caseDepth(expression: TypedExpression): number {
  if (expression.kind !== 'case') {
    const parts =
      expression.kind === 'call' ? expression.arguments : expression.kind === 'cast' ? [expression.operand] : [];
    return Math.max(0, ...parts.map(caseDepth));
  }
  const { branches, operand, otherwise } = expression;
  const parts = [
    ...branches.flatMap(({ when, then }) => [when, then]),
    ...(otherwise === undefined ? [] : [otherwise]),
  ];
  return Math.max(0, ...parts.map(caseDepth)) + (operand === undefined || isInput(operand) ? 0 : 1);
}

function equality(left: TypedExpression, right: TypedExpression): TypedExpression {
  return {
    kind: 'call',
    function: 'equal',
    arguments: [left, right],
    type: { kind: 'BOOLEAN' },
    nullable: left.nullable || right.nullable,
    sensitive: left.sensitive || right.sensitive,
  };
}

/** An operand of a comparison that is no call of the catalogue. */
function printKey(operand: TypedExpression, scope: PrintScope): string {
  return keyTypescript(printArgument(operand, scope)).text;
}

/** Calls, which may fail: of the runtime, or of a function of the schema. */
const mayFailLate = /sql\.|\$\w*\(/;

function printInList(expression: Node<'in-list'>, scope: PrintScope): string {
  const { operand, list, negated } = expression;
  const texts = list.map((item) => printKey(item, scope));
  const late = texts.some((text, index) => index > 0 && mayFailLate.test(text));
  // TypeScript's narrowing does not apply inside a function of its own.
  const printed = late ? list.map((item) => `() => ${printKey(item, { ...scope, known: nothingKnown })}`) : texts;
  const items = `[${printed.join(', ')}]`;
  const subject = printKey(operand, scope);
  if (!late && ![operand, ...list].some((part) => mayBeNull(part, scope)))
    return `${negated ? '!' : ''}${items}.includes(${subject})`;
  const found = `sql.isIn(${subject}, ${items})`;
  return negated ? `sql.not(${found})` : found;
}
