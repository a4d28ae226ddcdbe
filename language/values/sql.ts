/**
 * All functions that a printed expression may call, in one object: generated deciders write `sql.addInt(a, b)`. Each function has the
 * meaning of its namesake in this folder. If an argument is NULL the result is NULL, except for the functions listed as accepting NULLs.
 * sql.js runs the same functions, through `language/sqlite/functions.ts`.
 */
import { fromWallTime, toWallTime, truncateInZone } from './zones/wall-time.ts';
import { and, not, or } from './boolean.ts';
import { initcap, lower, upper } from './case-mapping.ts';
import { compareSame, type Comparable } from './compare.ts';
import { addDays, printDate, subtractDays } from './date.ts';
import * as decimal from './decimal.ts';
import { digest, encodeBytes, encodeText } from './digest.ts';
import * as double from './double.ts';
import { writeJson } from './json-write.ts';
import * as integer from './integer.ts';
import * as interval from './interval.ts';
import * as intervalOrder from './interval-order.ts';
import { jsonField, jsonFieldText, jsonItem, jsonItemText, structFieldText } from './json-path.ts';
import { ilike, like } from './like.ts';
import { cardinality, compareAny } from './list.ts';
import { between, greatest, isDistinct, isNotDistinct, least, nullIf, nullIfDecimal } from './null-aware.ts';
import * as numberCast from './number-cast.ts';
import { countingTexts, strict, strictOfTexts } from './strict.ts';
import * as textCast from './text-cast.ts';
import * as text from './text.ts';
import { datePart, hour, microsecondOfMinute, minute, timestampPart, truncateTimestamp } from './time-parts.ts';
import { dateToTimestamp, printTimestamp, timestampToDate, printWallTime } from './timestamp.ts';

const comparisons = strict({
  equal: (a: Comparable, b: Comparable) => a === b,
  notEqual: (a: Comparable, b: Comparable) => a !== b,
  less: (a: Comparable, b: Comparable) => compareSame(a, b) < 0,
  lessEqual: (a: Comparable, b: Comparable) => compareSame(a, b) <= 0,
  greater: (a: Comparable, b: Comparable) => compareSame(a, b) > 0,
  greaterEqual: (a: Comparable, b: Comparable) => compareSame(a, b) >= 0,
  /** Between the two ends, in either order. */
  betweenSymmetric: (value: Comparable, a: Comparable, b: Comparable) => {
    const [fromA, fromB] = [compareSame(value, a), compareSame(value, b)];
    return (fromA >= 0 && fromB <= 0) || (fromA <= 0 && fromB >= 0);
  },
  compareDecimal: decimal.compareDecimal,
  /** A whole number or decimal at a scale larger by `digits`, only for comparison. */
  scaleUp: (a: number | bigint, digits: number) => BigInt(a) * decimal.powerOfTen(digits),
});

const arithmetic = strict({
  addInt: integer.addInt,
  subtractInt: integer.subtractInt,
  multiplyInt: integer.multiplyInt,
  divideInt: integer.divideInt,
  moduloInt: integer.moduloInt,
  negateInt: integer.negateInt,
  absInt: integer.absInt,
  signInt: (a: number) => double.fitDouble(Math.sign(a)),
  addBigint: integer.addBigint,
  subtractBigint: integer.subtractBigint,
  multiplyBigint: integer.multiplyBigint,
  divideBigint: integer.divideBigint,
  moduloBigint: integer.moduloBigint,
  negateBigint: integer.negateBigint,
  absBigint: integer.absBigint,
  signBigint: (a: bigint) => (a > 0n ? 1 : a < 0n ? -1 : 0),
  addDecimal: decimal.addDecimal,
  subtractDecimal: decimal.subtractDecimal,
  multiplyDecimal: decimal.multiplyDecimal,
  divideDecimal: decimal.divideDecimal,
  moduloDecimal: decimal.moduloDecimal,
  negateDecimal: (a: bigint) => -a,
  absDecimal: (a: bigint) => (a < 0n ? -a : a),
  roundDecimal: decimal.roundDecimal,
  truncateDecimal: decimal.truncateDecimal,
  ceilDecimal: decimal.ceilDecimal,
  floorDecimal: decimal.floorDecimal,
  addDouble: double.addDouble,
  subtractDouble: double.subtractDouble,
  multiplyDouble: double.multiplyDouble,
  divideDouble: double.divideDouble,
  negateDouble: double.negateDouble,
  absDouble: (a: number) => Math.abs(a),
  roundDouble: double.roundDouble,
  truncateDouble: double.truncateDouble,
  ceilDouble: double.ceilDouble,
  floorDouble: double.floorDouble,
  power: double.power,
  sqrt: double.sqrt,
  exp: double.exp,
  ln: double.ln,
  log10: double.log10,
  logarithm: double.logarithm,
});

const texts = strictOfTexts({
  like,
  ilike,
  concat: (a: string, b: string) => a + b,
  upper,
  lower,
  initcap,
  length: text.length,
  substring: text.substring,
  substringFrom: text.substringFrom,
  left: text.left,
  right: text.right,
  padLeft: text.padLeft,
  padRight: text.padRight,
  trim: text.trim,
  trimLeft: text.trimLeft,
  trimRight: text.trimRight,
  position: text.position,
  startsWith: text.startsWith,
  replaceAll: text.replaceAll,
  splitPart: text.splitPart,
  reverse: text.reverse,
  repeat: text.repeat,
  digest,
  encodeBytes,
  encodeText,
});

const times = strict({
  datePart,
  timestampPart,
  hour,
  minute,
  microsecondOfMinute,
  /** Seconds since 1970, of midnight. */
  dateEpoch: (date: number) => BigInt(date) * 86400n,
  truncateTimestamp,
  toWallTime,
  fromWallTime,
  truncateInZone,
  addDays,
  subtractDays,
  subtractDates: (a: number, b: number) => a - b,
  addInterval: interval.addInterval,
  subtractInterval: interval.subtractInterval,
  subtractTimestamps: interval.subtractTimestamps,
  addIntervals: interval.addIntervals,
  subtractIntervals: interval.subtractIntervals,
  negateInterval: interval.negateInterval,
  multiplyInterval: interval.multiplyInterval,
  divideInterval: interval.divideInterval,
  intervalLength: interval.intervalLength,
  intervalKey: intervalOrder.intervalKey,
  intervalPart: interval.intervalPart,
  intervalMicroseconds: interval.intervalMicroseconds,
  intervalEpoch: interval.intervalEpoch,
});

const casts = strict({
  intToBigint: (a: number) => BigInt(a),
  intToBoolean: (a: number) => a !== 0,
  intToDecimal: numberCast.intToDecimal,
  intToText: (a: number) => String(a),
  bigintToInt: integer.narrowBigint,
  bigintToDecimal: numberCast.bigintToDecimal,
  bigintToDouble: (a: bigint) => Number(a),
  bigintToText: (a: bigint) => a.toString(),
  decimalToInt: numberCast.decimalToInt,
  decimalToBigint: numberCast.decimalToBigint,
  decimalToDecimal: numberCast.decimalToDecimal,
  decimalToDouble: numberCast.decimalToDouble,
  decimalToText: (a: bigint, scale: number) => decimal.printDecimal(a, scale),
  bareDecimalToText: (a: bigint, scale: number) => decimal.printDecimal(a, scale, true),
  doubleToInt: numberCast.doubleToInt,
  doubleToBigint: double.doubleToBigint,
  doubleToDecimal: numberCast.doubleToDecimal,
  doubleToText: double.printDouble,
  booleanToInt: (a: boolean) => (a ? 1 : 0),
  booleanToText: (a: boolean) => String(a),
  timestampToDate,
  timestampToText: printTimestamp,
  wallTimeToText: printWallTime,
  dateToTimestamp,
  dateToText: printDate,
});

const textCasts = strictOfTexts({
  textToInt: textCast.textToInt,
  textToBigint: textCast.textToBigint,
  textToDecimal: textCast.textToDecimal,
  textToDouble: textCast.textToDouble,
  textToBoolean: textCast.textToBoolean,
  textToTimestamp: textCast.textToTimestamp,
  textToDate: textCast.textToDate,
  textToInterval: textCast.textToInterval,
  textToJson: textCast.textToJson,
  cutText: textCast.cutText,
  fitText: textCast.fitText,
  fitEnum: textCast.fitEnum,
  toJson: writeJson,
});

const parts = strictOfTexts({ jsonField, jsonItem, jsonFieldText, jsonItemText, structFieldText });

const lists = strict({ cardinality });

export const sql = {
  ...comparisons,
  ...arithmetic,
  ...texts,
  ...times,
  ...casts,
  ...textCasts,
  ...parts,
  ...lists,
  and,
  or,
  not,
  isDistinct,
  isNotDistinct,
  nullIf,
  nullIfDecimal,
  nullIfInterval: intervalOrder.nullIfInterval,
  between,
  greatest,
  least,
  greatestInterval: intervalOrder.greatestInterval,
  leastInterval: intervalOrder.leastInterval,
  longestInterval: intervalOrder.longestInterval,
  shortestInterval: intervalOrder.shortestInterval,
  compareAny,
  concatenate: countingTexts(text.concatenate),
  concatenateWith: countingTexts(text.concatenateWith) as typeof text.concatenateWith,
} as const;
