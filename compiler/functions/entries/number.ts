import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { Type } from '../../../language/values/type.ts';
import type { FunctionEntry, GivenArgument, PrintedCall, Resolution, Unresolvable } from '../entry.ts';
import { notNumbers } from '../number-pair.ts';
import { firstArgument } from '../operands.ts';
import { sharedCall, sharedCalls } from '../shared-call.ts';
import { anyNullable, neverNullable, oneOf, wrongCount } from '../signature.ts';
import { sqlCall } from '../typescript-text.ts';
import {
  asDecimal,
  decimalOf,
  DOUBLE,
  INT,
  isNumeric,
  maximumPrecision,
  wholeDigits,
  type DecimalType,
} from '../typing.ts';

/** A function of one number whose result depends on the number's type; a string literal counts as a DOUBLE, as in PostgreSQL. */
function ofNumber(name: string, result: (type: Type) => Type): FunctionEntry['resolve'] {
  return (given) => {
    const [only] = given;
    if (only === undefined || given.length !== 1) return wrongCount(name, given.length, [1]);
    if (!only.untyped && !isNumeric(only.type)) return notNumbers(name, given);
    const type = only.untyped ? DOUBLE : only.type;
    return { parameters: [type], result: result(type), nullable: anyNullable };
  };
}

function suffixOf(type: Type): 'Int' | 'Bigint' | 'Decimal' | 'Double' {
  return type.kind === 'INT'
    ? 'Int'
    : type.kind === 'BIGINT'
      ? 'Bigint'
      : type.kind === 'DECIMAL'
        ? 'Decimal'
        : 'Double';
}

const abs: FunctionEntry = {
  name: 'ABS',
  usage: ['ABS(x)'],
  strict: true,
  resolve: ofNumber('ABS', (type) => type),
  sqlite: (call) => {
    const { text } = firstArgument(call);
    const suffix = suffixOf(call.result);
    return suffix === 'Int' || suffix === 'Bigint' ? sqliteCall(`abs${suffix}`, text) : `abs(${text})`;
  },
  typescript: (call) => sqlCall(`abs${suffixOf(call.result)}`, firstArgument(call).text),
};

/** SQLite's own gives NULL, -1, 0 or 1. */
const sign: FunctionEntry = {
  name: 'SIGN',
  usage: ['SIGN(x)'],
  strict: true,
  resolve: ofNumber('SIGN', () => INT),
  sqlite: (call) => `sign(${firstArgument(call).text})`,
  typescript: (call) => {
    const { text, type } = firstArgument(call);
    return sqlCall(type.kind === 'BIGINT' || type.kind === 'DECIMAL' ? 'signBigint' : 'signInt', text);
  },
};

/** CEIL and FLOOR: whole numbers stay as they are, a DECIMAL loses its fraction. */
function toWhole(name: string, verb: 'ceil' | 'floor'): FunctionEntry {
  return {
    name,
    usage: [`${name}(x)`],
    strict: true,
    resolve: ofNumber(name, (type) => (type.kind === 'DECIMAL' ? decimalOf(wholeDigits(type) + 1, 0) : type)),
    ...sharedCalls((call, called) => {
      const { text, type } = firstArgument(call);
      if (type.kind === 'DOUBLE') return called(`${verb}Double`, text);
      return type.kind === 'DECIMAL' && type.scale > 0 ? called(`${verb}Decimal`, text, String(type.scale)) : text;
    }),
  };
}

/** ROUND and TRUNC: without `places` to a whole number, with `places` to this number of fraction digits (negative: left of the point). */
function toPlaces(name: string, verb: 'round' | 'truncate'): FunctionEntry {
  const one = ofNumber(name, (type) => (type.kind === 'DECIMAL' ? decimalOf(wholeDigits(type) + 1, 0) : type));
  return {
    name,
    usage: [`${name}(x)`, `${name}(x, places)`],
    strict: true,
    resolve: (given) => (given.length === 1 ? one(given) : resolvePlaces(name, given)),
    ...sharedCalls((call, called) => {
      const { text, type } = firstArgument(call);
      if (type.kind === 'DOUBLE') return called(`${verb}Double`, text);
      const places = call.arguments[1]?.text ?? '0';
      return type.kind === 'DECIMAL' && !isWhole(type, call)
        ? called(`${verb}Decimal`, text, String(type.scale), places, String(scaleOf(call)))
        : text;
    }),
  };
}

function scaleOf(call: PrintedCall): number {
  return (call.result as DecimalType).scale; // asked where the result is a DECIMAL
}
/** Nothing to round. */
function isWhole(type: DecimalType, call: PrintedCall): boolean {
  return type.scale === 0 && call.arguments.length === 1;
}

/** The scale of the result is the literal number of places; places known only at run time keep the scale. */
function resolvePlaces(name: string, given: readonly GivenArgument[]): Resolution | Unresolvable {
  const [number, places] = given;
  if (number === undefined || places === undefined || given.length !== 2) return wrongCount(name, given.length, [1, 2]);
  if (!isNumeric(number.type) && number.literal !== null) return notNumbers(name, given);
  if (places.type.kind !== 'INT' && places.literal !== null)
    return { problem: `${name} takes an INT as number of places` };
  if (number.type.kind === 'DOUBLE')
    return { problem: `${name} with places takes an exact number, not DOUBLE; CAST(… AS DECIMAL(18,6)) makes it one` };
  const type = asDecimal(number.untyped ? { type: INT } : number);
  return { parameters: [type, INT], result: placesType(type, places.literal), nullable: anyNullable };
}

function placesType(type: DecimalType, places: GivenArgument['literal']): DecimalType {
  const whole = wholeDigits(type);
  // Nothing is rounded away, so the value needs no digit more; zeros are added as far as there is room.
  if (typeof places === 'number' && places >= type.scale)
    return decimalOf(whole, Math.min(places, maximumPrecision - whole));
  return decimalOf(whole + 1, typeof places === 'number' ? Math.max(0, places) : type.scale);
}

type DoubleFunction = 'sqrt' | 'exp' | 'ln' | 'log10';

function ofDouble(name: string, shared: DoubleFunction): FunctionEntry {
  return {
    name,
    usage: [`${name}(x)`],
    strict: true,
    resolve: oneOf(name, [{ parameters: ['double'], result: DOUBLE }]),
    ...sharedCall(shared),
  };
}

const power: FunctionEntry = {
  name: 'POWER',
  usage: ['POWER(x, y)'],
  strict: true,
  resolve: oneOf('POWER', [{ parameters: ['double', 'double'], result: DOUBLE }]),
  ...sharedCall('power'),
};

const [ten, anyBase] = [sharedCall('log10'), sharedCall('logarithm')];
const log: FunctionEntry = {
  name: 'LOG',
  usage: ['LOG(x)', 'LOG(base, x)'],
  strict: true,
  resolve: oneOf('LOG', [
    { parameters: ['double'], result: DOUBLE },
    { parameters: ['double', 'double'], result: DOUBLE },
  ]),
  sqlite: (call) => (call.arguments.length === 1 ? ten : anyBase).sqlite(call),
  typescript: (call) => (call.arguments.length === 1 ? ten : anyBase).typescript(call),
};

const pi: FunctionEntry = {
  name: 'PI',
  usage: ['PI()'],
  resolve: (given) =>
    given.length === 0
      ? { parameters: [], result: DOUBLE, nullable: neverNullable }
      : wrongCount('PI', given.length, [0]),
  sqlite: () => String(Math.PI),
  typescript: () => 'Math.PI',
};

/** Functions of numbers. Inexact functions take and give DOUBLE. */
export const numberFunctions: readonly FunctionEntry[] = [
  abs,
  sign,
  toWhole('CEIL', 'ceil'),
  toWhole('CEILING', 'ceil'),
  toWhole('FLOOR', 'floor'),
  toPlaces('ROUND', 'round'),
  toPlaces('TRUNC', 'truncate'),
  power,
  { ...power, name: 'POW', usage: ['POW(x, y)'] },
  ofDouble('SQRT', 'sqrt'),
  ofDouble('EXP', 'exp'),
  ofDouble('LN', 'ln'),
  ofDouble('LOG10', 'log10'),
  log,
  pi,
];
