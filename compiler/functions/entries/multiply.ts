import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { FunctionEntry, PrintedCall } from '../entry.ts';
import { intervalSqlite, intervalTypescript, resolveInterval } from '../interval-operands.ts';
import { numberPair } from '../number-pair.ts';
import { twoOperands } from '../operands.ts';
import { anyNullable } from '../signature.ts';
import { checkedBigint, checkedDecimal, checkedDouble, checkedInt } from '../sqlite-text.ts';
import { sqlCall } from '../typescript-text.ts';
import { decimalOf, maximumPrecision, wholeDigits, type DecimalType } from '../typing.ts';

/** `x * y`: min(s1+s2, max(6, s1, s2)) fraction digits (docs/language.md#types). */
export const multiply: FunctionEntry = {
  name: 'multiply',
  usage: ['x * y', 'interval * number', 'number * interval'],
  strict: true,
  resolve: (given) => {
    const interval = resolveInterval('*', given);
    if (interval !== undefined) return interval;
    const pair = numberPair('*', given);
    if ('problem' in pair) return pair;
    return {
      parameters: pair.types,
      result: pair.kind === 'DECIMAL' ? productType(...pair.types) : pair.types[0],
      nullable: anyNullable,
    };
  },
  sqlite,
  typescript,
};

function productType(a: DecimalType, b: DecimalType): DecimalType {
  return decimalOf(wholeDigits(a) + wholeDigits(b), Math.min(a.scale + b.scale, Math.max(6, a.scale, b.scale)));
}

/** Digits of the exact product, and how many of them are rounded away. */
function digits(call: PrintedCall): { readonly exact: number; readonly dropped: number } {
  const [a, b] = twoOperands(call);
  const [left, right] = [a.type as DecimalType, b.type as DecimalType]; // asked for products that are DECIMALs
  return {
    exact: left.precision + right.precision,
    dropped: left.scale + right.scale - (call.result as DecimalType).scale,
  };
}

function sqlite(call: PrintedCall): string {
  const interval = intervalSqlite('*', call);
  if (interval !== undefined) return interval;
  const [a, b] = twoOperands(call);
  const text = `(${a.text} * ${b.text})`;
  const simple = a.simple && b.simple;
  switch (call.result.kind) {
    case 'INT':
      return checkedInt({ text, simple });
    case 'BIGINT':
      return checkedBigint({ text, simple });
    case 'DECIMAL': {
      const { exact, dropped } = digits(call);
      if (dropped > 0) return sqliteCall('multiplyDecimal', a.text, b.text, String(dropped));
      return exact <= maximumPrecision
        ? text
        : checkedDecimal({ text, simple }, { ...call.result, precision: maximumPrecision });
    }
    default:
      return checkedDouble({ text, simple });
  }
}

function typescript(call: PrintedCall): string {
  const interval = intervalTypescript('*', call);
  if (interval !== undefined) return interval;
  const [a, b] = twoOperands(call);
  switch (call.result.kind) {
    case 'INT':
      return sqlCall('multiplyInt', a.text, b.text);
    case 'BIGINT':
      return sqlCall('multiplyBigint', a.text, b.text);
    case 'DECIMAL': {
      const { exact, dropped } = digits(call);
      if (dropped === 0 && exact <= maximumPrecision && !a.nullable && !b.nullable) return `(${a.text} * ${b.text})`;
      return sqlCall('multiplyDecimal', a.text, b.text, dropped === 0 ? undefined : String(dropped));
    }
    default:
      return sqlCall('multiplyDouble', a.text, b.text);
  }
}
