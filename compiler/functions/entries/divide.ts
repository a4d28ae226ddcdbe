import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { FunctionEntry, PrintedCall } from '../entry.ts';
import { intervalSqlite, intervalTypescript, resolveInterval } from '../interval-operands.ts';
import { numberPair } from '../number-pair.ts';
import { twoOperands } from '../operands.ts';
import { anyNullable } from '../signature.ts';
import { timesPowerOfTen } from '../sqlite-text.ts';
import { sqlCall } from '../typescript-text.ts';
import { decimalOf, maximumPrecision, wholeDigits, type DecimalType } from '../typing.ts';

/** `x / y`: whole numbers truncate; decimals have max(6, s1, s2) fraction digits, rounded half away from zero. */
export const divide: FunctionEntry = {
  name: 'divide',
  usage: ['x / y', 'interval / number'],
  strict: true,
  resolve: (given) => {
    const interval = resolveInterval('/', given);
    if (interval !== undefined) return interval;
    const pair = numberPair('/', given);
    if ('problem' in pair) return pair;
    return {
      parameters: pair.types,
      result: pair.kind === 'DECIMAL' ? quotientType(...pair.types) : pair.types[0],
      nullable: anyNullable,
    };
  },
  sqlite: (call) => {
    const interval = intervalSqlite('/', call);
    if (interval !== undefined) return interval;
    const [a, b] = twoOperands(call);
    const verb = divideName(call);
    if (verb === 'divideDecimal') return sqliteCall(verb, a.text, b.text, String(raised(call)));
    return isPositiveLiteral(b.text) && verb !== 'divideDouble'
      ? `(${a.text} / ${b.text})`
      : sqliteCall(verb, a.text, b.text);
  },
  typescript: (call) => {
    const interval = intervalTypescript('/', call);
    if (interval !== undefined) return interval;
    const [a, b] = twoOperands(call);
    const verb = divideName(call);
    return verb === 'divideDecimal'
      ? sqlCall(verb, a.text, b.text, String(raised(call)))
      : sqlCall(verb, a.text, b.text);
  },
};

function quotientType(a: DecimalType, b: DecimalType): DecimalType {
  return decimalOf(maximumPrecision, Math.max(6, a.scale, b.scale));
}

function divideName(call: PrintedCall): 'divideInt' | 'divideBigint' | 'divideDecimal' | 'divideDouble' {
  if (call.result.kind === 'DECIMAL') return 'divideDecimal';
  return call.result.kind === 'INT' ? 'divideInt' : call.result.kind === 'BIGINT' ? 'divideBigint' : 'divideDouble';
}

/** The number of zeros appended to the dividend, so that the whole quotient has the scale of the result. */
function raised(call: PrintedCall): number {
  const [a, b] = twoOperands(call);
  return (call.result as DecimalType).scale - (a.type as DecimalType).scale + (b.type as DecimalType).scale; // a quotient of decimals
}

/** Such a divisor is neither 0 nor -1, the only divisor by which a quotient can overflow. */
function isPositiveLiteral(text: string): boolean {
  return /^[1-9]\d*$/.test(text);
}

function resolveModulo(symbol: string): FunctionEntry['resolve'] {
  return (given) => {
    const pair = numberPair(symbol, given);
    if ('problem' in pair) return pair;
    if (pair.kind === 'DOUBLE')
      return {
        problem: `'${symbol}' takes INT, BIGINT and DECIMAL, not DOUBLE; CAST(… AS DECIMAL(18,6)) makes it exact`,
      };
    return {
      parameters: pair.types,
      result: pair.kind === 'DECIMAL' ? restType(...pair.types) : pair.types[0],
      nullable: anyNullable,
    };
  };
}

function restType(a: DecimalType, b: DecimalType): DecimalType {
  return decimalOf(Math.max(wholeDigits(a), wholeDigits(b)), Math.max(a.scale, b.scale));
}

/** `x % y`: the remainder of the truncating division, with the sign of x. */
export const modulo: FunctionEntry = {
  name: 'modulo',
  usage: ['x % y'],
  strict: true,
  resolve: resolveModulo('%'),
  sqlite: (call) => {
    const [a, b] = twoOperands(call);
    if (call.result.kind !== 'DECIMAL') {
      if (isPositiveLiteral(b.text)) return `(${a.text} % ${b.text})`;
      return sqliteCall(call.result.kind === 'INT' ? 'moduloInt' : 'moduloBigint', a.text, b.text);
    }
    const [left, right] = [a.type as DecimalType, b.type as DecimalType]; // the operands of a DECIMAL rest
    const { scale } = call.result;
    const fits = Math.max(wholeDigits(left), wholeDigits(right)) + scale <= maximumPrecision;
    const divisor = timesPowerOfTen(b.text, scale - right.scale);
    if (fits && isPositiveLiteral(divisor)) return `(${timesPowerOfTen(a.text, scale - left.scale)} % ${divisor})`;
    return sqliteCall('moduloDecimal', a.text, b.text, String(left.scale), String(right.scale));
  },
  typescript: (call) => {
    const [a, b] = twoOperands(call);
    if (call.result.kind !== 'DECIMAL')
      return sqlCall(call.result.kind === 'INT' ? 'moduloInt' : 'moduloBigint', a.text, b.text);
    const [left, right] = [a.type as DecimalType, b.type as DecimalType]; // the operands of a DECIMAL rest
    if (left.scale === right.scale) return sqlCall('moduloDecimal', a.text, b.text);
    return sqlCall('moduloDecimal', a.text, b.text, String(left.scale), String(right.scale));
  },
};

/** `MOD(x, y)` is `x % y`. */
export const mod: FunctionEntry = { ...modulo, name: 'MOD', usage: ['MOD(x, y)'], resolve: resolveModulo('MOD') };
