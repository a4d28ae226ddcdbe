import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { FunctionEntry, GivenArgument, PrintedArgument, PrintedCall, Resolution, Unresolvable } from '../entry.ts';
import { intervalSqlite, intervalTypescript, resolveInterval } from '../interval-operands.ts';
import { numberPair } from '../number-pair.ts';
import { twoOperands } from '../operands.ts';
import { anyNullable } from '../signature.ts';
import { checkedBigint, checkedDecimal, checkedDouble, checkedInt, timesPowerOfTen } from '../sqlite-text.ts';
import { sqlCall, timesPowerOfTenTs } from '../typescript-text.ts';
import { DATE, decimalOf, INT, maximumPrecision, wholeDigits, type DecimalType } from '../typing.ts';

type Sign = '+' | '-';

/** `x + y` and `x - y`: numbers, days added to or between DATEs, and intervals. */
function sum(name: string, sign: Sign): FunctionEntry {
  return {
    name,
    usage:
      sign === '+'
        ? ['x + y', 'date + days', 'instant + interval', 'interval + interval']
        : ['x - y', 'date - days', 'date - date', 'instant - interval', 'timestamp - instant', 'interval - interval'],
    strict: true,
    resolve: (given) => resolve(sign, given),
    sqlite: (call) => sqlite(sign, call),
    typescript: (call) => typescript(sign, call),
  };
}

export const add = sum('add', '+');
export const subtract = sum('subtract', '-');

function resolve(sign: Sign, given: readonly GivenArgument[]): Resolution | Unresolvable {
  const times = resolveInterval(sign, given) ?? resolveDates(sign, given);
  if (times !== undefined) return times;
  const pair = numberPair(sign, given);
  if ('problem' in pair) return pair;
  return {
    parameters: pair.types,
    result: pair.kind === 'DECIMAL' ? sumType(...pair.types) : pair.types[0],
    nullable: anyNullable,
  };
}

/** A sum has a digit more before the point than the larger operand, at the larger scale. */
function sumType(a: DecimalType, b: DecimalType): DecimalType {
  return decimalOf(Math.max(wholeDigits(a), wholeDigits(b)) + 1, Math.max(a.scale, b.scale));
}

function resolveDates(sign: Sign, given: readonly GivenArgument[]): Resolution | Unresolvable | undefined {
  const [left, right] = given;
  const kinds = given.map((argument) => (argument.untyped ? '' : argument.type.kind));
  if (
    left === undefined ||
    right === undefined ||
    given.length !== 2 ||
    !kinds.some((kind) => kind === 'DATE' || kind === 'TIMESTAMP')
  )
    return undefined;
  const [a, b] = kinds;
  if (a === 'DATE' && b === 'INT') return { parameters: [DATE, INT], result: DATE, nullable: anyNullable };
  if (sign === '+' && a === 'INT' && b === 'DATE')
    return { parameters: [INT, DATE], result: DATE, nullable: anyNullable };
  if (sign === '-' && (a === 'DATE' || left.untyped) && (b === 'DATE' || right.untyped)) {
    return { parameters: [DATE, DATE], result: INT, nullable: anyNullable };
  }
  return {
    problem: `'${sign}' takes a DATE and a whole number of days${sign === '-' ? ', or two DATEs' : ''}; an instant takes an INTERVAL, as in x ${sign} INTERVAL '1 hour'`,
  };
}

function sqlite(sign: Sign, call: PrintedCall): string {
  const [a, b] = twoOperands(call);
  const text = `(${a.text} ${sign} ${b.text})`;
  const simple = a.simple && b.simple;
  const { result } = call;
  const interval = intervalSqlite(sign, call);
  if (interval !== undefined) return interval;
  if (a.type.kind === 'DATE' || b.type.kind === 'DATE') return sqliteDates(sign, a, b);
  switch (result.kind) {
    case 'INT':
      return checkedInt({ text, simple });
    case 'BIGINT':
      return checkedBigint({ text, simple });
    case 'DECIMAL':
      return sqliteDecimal(sign, a, b, result);
    default:
      return checkedDouble({ text, simple });
  }
}

function sqliteDates(sign: Sign, a: PrintedArgument, b: PrintedArgument): string {
  if (a.type.kind === b.type.kind) return `(${a.text} - ${b.text})`;
  const [date, days] = a.type.kind === 'DATE' ? [a, b] : [b, a];
  return sqliteCall(sign === '+' ? 'addDays' : 'subtractDays', date.text, days.text);
}

function sqliteDecimal(sign: Sign, a: PrintedArgument, b: PrintedArgument, result: DecimalType): string {
  const [left, right] = [a.type as DecimalType, b.type as DecimalType]; // the operands of a sum that is a DECIMAL
  const whole = Math.max(wholeDigits(left), wholeDigits(right));
  if (whole + result.scale > maximumPrecision) {
    const name = sign === '+' ? 'addDecimal' : 'subtractDecimal';
    return sqliteCall(name, a.text, b.text, String(left.scale), String(right.scale));
  }
  const [x, y] = [
    timesPowerOfTen(a.text, result.scale - left.scale),
    timesPowerOfTen(b.text, result.scale - right.scale),
  ];
  const text = `(${x} ${sign} ${y})`;
  return whole + 1 + result.scale <= maximumPrecision
    ? text
    : checkedDecimal({ text, simple: a.simple && b.simple }, result);
}

function typescript(sign: Sign, call: PrintedCall): string {
  const [a, b] = twoOperands(call);
  const { result } = call;
  const interval = intervalTypescript(sign, call);
  if (interval !== undefined) return interval;
  if (a.type.kind === 'DATE' || b.type.kind === 'DATE') return typescriptDates(sign, a, b);
  const verb = sign === '+' ? 'add' : 'subtract';
  switch (result.kind) {
    case 'INT':
      return sqlCall(`${verb}Int`, a.text, b.text);
    case 'BIGINT':
      return sqlCall(`${verb}Bigint`, a.text, b.text);
    case 'DECIMAL':
      return typescriptDecimal(sign, a, b, result);
    default:
      return sqlCall(`${verb}Double`, a.text, b.text);
  }
}

function typescriptDates(sign: Sign, a: PrintedArgument, b: PrintedArgument): string {
  if (a.type.kind === b.type.kind)
    return a.nullable || b.nullable ? sqlCall('subtractDates', a.text, b.text) : `(${a.text} - ${b.text})`;
  const [date, days] = a.type.kind === 'DATE' ? [a, b] : [b, a];
  return sqlCall(sign === '+' ? 'addDays' : 'subtractDays', date.text, days.text);
}

function typescriptDecimal(sign: Sign, a: PrintedArgument, b: PrintedArgument, result: DecimalType): string {
  const [left, right] = [a.type as DecimalType, b.type as DecimalType]; // the operands of a sum that is a DECIMAL
  const fits = Math.max(wholeDigits(left), wholeDigits(right)) + 1 + result.scale <= maximumPrecision;
  if (fits && !a.nullable && !b.nullable) {
    return `(${timesPowerOfTenTs(a.text, result.scale - left.scale)} ${sign} ${timesPowerOfTenTs(b.text, result.scale - right.scale)})`;
  }
  const name = sign === '+' ? 'addDecimal' : 'subtractDecimal';
  if (left.scale === right.scale) return sqlCall(name, a.text, b.text);
  return sqlCall(name, a.text, b.text, String(left.scale), String(right.scale));
}
