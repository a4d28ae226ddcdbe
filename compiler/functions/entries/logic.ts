import type { FunctionEntry, GivenArgument, PrintedCall, Resolution, Unresolvable } from '../entry.ts';
import { firstArgument, twoOperands } from '../operands.ts';
import { anyNullable, neverNullable, wrongCount } from '../signature.ts';
import { narrowsForRight, sqlCall } from '../typescript-text.ts';
import { BOOLEAN, namesOf } from '../typing.ts';

function truths(symbol: string, count: number, nullable: Resolution['nullable']): FunctionEntry['resolve'] {
  return (given: readonly GivenArgument[]): Resolution | Unresolvable => {
    const fits =
      given.length === count && given.every((argument) => argument.untyped || argument.type.kind === 'BOOLEAN');
    if (!fits) return { problem: `${symbol} takes BOOLEAN, not ${namesOf(given)}; compare the value with something` };
    return { parameters: given.map(() => BOOLEAN), result: BOOLEAN, nullable };
  };
}

function connective(name: 'and' | 'or', plain: '&&' | '||'): FunctionEntry {
  return {
    name,
    usage: [`x ${name.toUpperCase()} y`],
    resolve: truths(name.toUpperCase(), 2, anyNullable),
    sqlite: (call) => {
      const [a, b] = twoOperands(call);
      return `(${a.text} ${name.toUpperCase()} ${b.text})`;
    },
    typescript: (call) => connectiveTs(name, plain, call),
  };
}

/** A right side that may fail is evaluated only if the left one does not decide; one that narrows like the left must not see its narrowing. */
function connectiveTs(name: 'and' | 'or', plain: '&&' | '||', call: PrintedCall): string {
  const [a, b] = twoOperands(call);
  const narrows = narrowsForRight(name, a.text, b.text);
  if (!a.nullable && !b.nullable && !narrows) return `(${a.text} ${plain} ${b.text})`;
  return sqlCall(name, a.text, b.text.includes('sql.') ? `() => ${b.text}` : b.text);
}

export const and = connective('and', '&&');
export const or = connective('or', '||');

export const not: FunctionEntry = {
  name: 'not',
  usage: ['NOT x'],
  strict: true,
  resolve: truths('NOT', 1, anyNullable),
  sqlite: (call) => `(NOT ${firstArgument(call).text})`,
  typescript: (call) => {
    const { text, nullable } = firstArgument(call);
    return nullable ? sqlCall('not', text) : `(!${text})`;
  },
};

/** `IS TRUE`, `IS FALSE`, `IS UNKNOWN` (the negated forms are NOT of these). */
function test(
  name: string,
  word: string,
  value: '1' | '0' | 'NULL',
  typescript: (text: string, nullable: boolean) => string,
): FunctionEntry {
  return {
    name,
    usage: [`x IS ${word}`],
    resolve: truths(`IS ${word}`, 1, neverNullable),
    sqlite: (call) => `(${firstArgument(call).text} IS ${value})`,
    typescript: (call) => typescript(firstArgument(call).text, firstArgument(call).nullable),
  };
}

export const truthTests: readonly FunctionEntry[] = [
  test('is_true', 'TRUE', '1', (text, nullable) => (nullable ? `(${text} === true)` : text)),
  test('is_false', 'FALSE', '0', (text, nullable) => (nullable ? `(${text} === false)` : `(!${text})`)),
  test('is_unknown', 'UNKNOWN', 'NULL', (text) => `(${text} === null)`),
];

/** `x IS NULL`, for any type. */
export const isNull: FunctionEntry = {
  name: 'is_null',
  usage: ['x IS NULL'],
  resolve: (given) => {
    if (given.length !== 1) return wrongCount('IS NULL', given.length, [1]);
    return { parameters: given.map((argument) => argument.type), result: BOOLEAN, nullable: neverNullable };
  },
  sqlite: (call) => `(${firstArgument(call).text} IS NULL)`,
  typescript: (call) => `(${firstArgument(call).text} === null)`,
};
