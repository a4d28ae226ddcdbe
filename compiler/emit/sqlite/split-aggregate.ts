import { sqliteCall } from '../../../language/sqlite/call.ts';
import { keyLength } from '../../../language/values/interval-order.ts';
import type { Type } from '../../../language/values/type.ts';
import type { AggregateName, TypedExpression } from '../../../language/catalog/expression.ts';
import { isKeyed } from '../../functions/comparison-key.ts';

/** A native aggregate over rows. */
export interface AggregatePart {
  readonly gather: 'COUNT' | 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'FIRST' | 'LAST';
  /** SQL of one row's contribution; absent for COUNT(*). */
  readonly value?: string;
  readonly type: Type;
}

/**
 * An aggregate as its parts and their combination: a scan and a fold compute the parts differently and share the rest.
 */
export interface SplitAggregate {
  readonly parts: readonly AggregatePart[];
  /** The SQL of the value, given the SQL of the parts. */
  readonly whole: (gathered: readonly string[]) => string;
}

/** `value` is the printed `operand`; both are absent for COUNT(*). */
export function splitAggregate(
  name: Exclude<AggregateName, 'ARRAY_AGG' | 'STRING_AGG'>,
  type: Type,
  operand?: TypedExpression,
  value?: string,
): SplitAggregate {
  if (operand === undefined || value === undefined) return single({ gather: 'COUNT', type });
  switch (name) {
    case 'MIN':
    case 'MAX':
      if (isKeyed(type)) return splitKeyed(name, value);
      return single({ gather: name, value, type });
    case 'COUNT':
    case 'FIRST':
    case 'LAST':
      return single({ gather: name, value, type });
    case 'SUM':
      return splitSum(type, operand, value);
    case 'AVG':
      return splitAverage(type, operand, value);
  }
}

function single(part: AggregatePart, whole = (gathered: string): string => gathered): SplitAggregate {
  return { parts: [part], whole: ([gathered = '']) => whole(gathered) };
}

/** The extreme of the keys, each with its interval behind it. */
function splitKeyed(gather: 'MIN' | 'MAX', value: string): SplitAggregate {
  const kept: AggregatePart = { gather, value: sqliteCall('keyedInterval', value), type: { kind: 'STRING' } };
  return single(kept, (extreme) => `substr(${extreme}, ${keyLength + 1})`);
}

/** Months, days and microseconds apart, the last ones in two halves. */
function intervalParts(value: string): readonly AggregatePart[] {
  return [0, 1, 2, 3].map((part) => ({
    gather: 'SUM',
    value: sqliteCall('intervalSummand', value, String(part)),
    type: bigint,
  }));
}

function splitSum(type: Type, operand: TypedExpression, value: string): SplitAggregate {
  if (operand.type.kind === 'INTERVAL') {
    const parts = intervalParts(value);
    return { parts, whole: ([a = '', b = '', c = '', d = '']) => sqliteCall('sumOfIntervalParts', a, b, c, d) };
  }
  if (operand.type.kind === 'DOUBLE') {
    return single({ gather: 'SUM', value, type }, (sum) => sqliteCall('fitDouble', sum, `''`));
  }
  if (operand.type.kind === 'INT') return single({ gather: 'SUM', value, type });
  const [precision, scale] = type.kind === 'DECIMAL' ? [type.precision, type.scale] : [0, 0];
  const { parts, high, low } = exactSum(operand.type, value);
  return {
    parts,
    whole: (gathered) => sqliteCall('sumOfHalves', high(gathered), low(gathered), String(precision), String(scale)),
  };
}

function splitAverage(type: Type, operand: TypedExpression, value: string): SplitAggregate {
  if (operand.type.kind === 'INTERVAL') {
    const parts: readonly AggregatePart[] = [...intervalParts(value), { gather: 'COUNT', value, type: bigint }];
    return {
      parts,
      whole: ([a = '', b = '', c = '', d = '', count = '']) => sqliteCall('meanOfIntervalParts', a, b, c, d, count),
    };
  }
  if (operand.type.kind === 'DOUBLE') {
    return single({ gather: 'AVG', value, type }, (average) => sqliteCall('fitDouble', average, `''`));
  }
  const { parts, high, low } = exactSum(operand.type, value);
  const count: AggregatePart = { gather: 'COUNT', value, type: bigint };
  const scales = [String(scaleOf(type) - scaleOf(operand.type)), String(scaleOf(type))] as const;
  return {
    parts: [...parts, count],
    whole: (gathered) =>
      sqliteCall('averageOfHalves', high(gathered), low(gathered), gathered[parts.length] ?? '', ...scales),
  };
}

const bigint: Type = { kind: 'BIGINT' };

/** A sum that stays within 64 bits: directly when values are small, else as two halves of nine digits. */
function exactSum(type: Type, value: string) {
  if (type.kind === 'INT' || (type.kind === 'DECIMAL' && type.precision <= 12)) {
    const parts: readonly AggregatePart[] = [{ gather: 'SUM', value, type: bigint }];
    return { parts, high: () => '0', low: ([sum = '']: readonly string[]) => sum };
  }
  const parts: readonly AggregatePart[] = [
    { gather: 'SUM', value: `${value} / 1000000000`, type: bigint },
    { gather: 'SUM', value: `${value} % 1000000000`, type: bigint },
  ];
  return {
    parts,
    high: ([high = '']: readonly string[]) => high,
    low: ([, low = '']: readonly string[]) => low,
  };
}

export function scaleOf(type: Type): number {
  return type.kind === 'DECIMAL' ? type.scale : 0;
}
