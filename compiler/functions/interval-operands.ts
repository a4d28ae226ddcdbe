/** The operators `+ - * /` where an operand or the result is an INTERVAL (docs/language.md#intervals). */
import type { SqliteFunctionName } from '../../language/sqlite/signatures.ts';
import { sqliteCall } from '../../language/sqlite/call.ts';
import type { sql } from '../../language/values/sql.ts';
import type { Type } from '../../language/values/type.ts';
import type { GivenArgument, PrintedCall, Resolution, Unresolvable } from './entry.ts';
import { twoOperands } from './operands.ts';
import { anyNullable } from './signature.ts';
import { sqlCall } from './typescript-text.ts';
import { INTERVAL, isNumeric, namesOf, STRING, TIMESTAMP, WALL } from './typing.ts';

type Operator = '+' | '-' | '*' | '/';
type Kind = Type['kind'] | 'literal';

/** The types of the operands and the result; undefined when the operation has nothing to do with intervals. */
export function resolveInterval(
  operator: Operator,
  given: readonly GivenArgument[],
): Resolution | Unresolvable | undefined {
  const [a, b] = given.map((argument): Kind => (argument.untyped ? 'literal' : argument.type.kind));
  if (a === undefined || b === undefined || given.length !== 2) return undefined;
  const found = typesOf(operator, a, b);
  if (found !== undefined) {
    const [left, right, result] = found;
    return { parameters: [left, right], result, nullable: anyNullable };
  }
  if (a !== 'INTERVAL' && b !== 'INTERVAL') return undefined;
  return { problem: `'${operator}' does not take ${namesOf(given)}; ${usage[operator]}` };
}

const usage: Readonly<Record<Operator, string>> = {
  '+': 'an INTERVAL is added to a DATE, a TIMESTAMP or an INTERVAL',
  '-': 'an INTERVAL is subtracted from a DATE, a TIMESTAMP or an INTERVAL',
  '*': 'an INTERVAL is multiplied by a number',
  '/': 'an INTERVAL is divided by a number',
};

function typesOf(operator: Operator, a: Kind, b: Kind): readonly [Type, Type, Type] | undefined {
  if (operator === '*' || operator === '/') {
    // The number crosses as its text, so that a DECIMAL stays exact.
    if (a === 'INTERVAL' && isNumber(b)) return [INTERVAL, STRING, INTERVAL];
    return operator === '*' && isNumber(a) && b === 'INTERVAL' ? [STRING, INTERVAL, INTERVAL] : undefined;
  }
  if (isInstant(a) && (b === 'INTERVAL' || (operator === '+' && a === 'TIMESTAMP' && b === 'literal')))
    return [TIMESTAMP, INTERVAL, TIMESTAMP];
  if (operator === '+' && isInstant(b) && (a === 'INTERVAL' || (b === 'TIMESTAMP' && a === 'literal')))
    return [INTERVAL, TIMESTAMP, TIMESTAMP];
  if (a === 'WALL' && b === 'INTERVAL') return [WALL, INTERVAL, WALL];
  if (operator === '+' && a === 'INTERVAL' && b === 'WALL') return [INTERVAL, WALL, WALL];
  if (operator === '-' && a === 'WALL' && b === 'WALL') return [WALL, WALL, INTERVAL];
  if (a === 'INTERVAL' || b === 'INTERVAL')
    return [a, b].every((kind) => kind === 'INTERVAL' || kind === 'literal')
      ? [INTERVAL, INTERVAL, INTERVAL]
      : undefined;
  const instants = [a, b].every((kind) => isInstant(kind) || kind === 'literal');
  return operator === '-' && instants && [a, b].includes('TIMESTAMP') ? [TIMESTAMP, TIMESTAMP, INTERVAL] : undefined;
}

function isInstant(kind: Kind): boolean {
  return kind === 'DATE' || kind === 'TIMESTAMP';
}

function isNumber(kind: Kind): boolean {
  return kind !== 'literal' && isNumeric({ kind } as Type);
}

/** The call of a resolved operation on both engines; undefined when it has nothing to do with intervals. */
export function intervalSqlite(operator: Operator, call: PrintedCall): string | undefined {
  const called = callOf(operator, call);
  return called && sqliteCall(called.name, ...called.given);
}

export function intervalTypescript(operator: Operator, call: PrintedCall): string | undefined {
  const called = callOf(operator, call);
  return called && sqlCall(called.name, ...called.given);
}

interface Called {
  readonly name: SqliteFunctionName & keyof typeof sql;
  readonly given: readonly [string, string];
}

function callOf(operator: Operator, call: PrintedCall): Called | undefined {
  const [a, b] = twoOperands(call);
  const kinds = [a.type.kind, b.type.kind];
  if (call.result.kind !== 'INTERVAL' && !kinds.includes('INTERVAL')) return undefined;
  const given = [a.text, b.text] as const;
  const turned = [b.text, a.text] as const;
  switch (operator) {
    case '*':
      return { name: 'multiplyInterval', given: a.type.kind === 'INTERVAL' ? given : turned };
    case '/':
      return { name: 'divideInterval', given };
    case '+':
      if (call.result.kind === 'INTERVAL') return { name: 'addIntervals', given };
      return { name: 'addInterval', given: a.type.kind === 'INTERVAL' ? turned : given };
    case '-':
      if (call.result.kind === 'TIMESTAMP' || call.result.kind === 'WALL') return { name: 'subtractInterval', given };
      return { name: kinds.includes('INTERVAL') ? 'subtractIntervals' : 'subtractTimestamps', given };
  }
}
