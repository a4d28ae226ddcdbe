/** Kinds of values that random queries hold. */
import { castValue } from '../../language/values/cast.ts';
import type { Type, Value } from '../../language/values/type.ts';

/**
 * `exact` are decimals so small that sums of them fit, `wide` decimals of 18 digits, `big` are near the ends of BIGINT: `wide` and `big`
 * are compared, sorted and counted, and not computed with. The numbers of `real` have exact sums in any order. Either of two equal values
 * of `span`, such as a month and 30 days, may be in a result, so nothing is computed from them that tells them apart. `clock` is the time
 * of a zone.
 */
export type Family =
  | 'number'
  | 'big'
  | 'exact'
  | 'wide'
  | 'real'
  | 'text'
  | 'truth'
  | 'day'
  | 'instant'
  | 'span'
  | 'clock';

/** The more often a family is listed, the more often it is drawn. */
export const families: readonly Family[] = [
  'number',
  'number',
  'text',
  'text',
  'truth',
  'truth',
  'big',
  'exact',
  'wide',
  'real',
  'day',
  'instant',
  'span',
  'clock',
];

/** Families whose values compare with each other. */
const comparable: readonly (readonly Family[])[] = [
  ['number', 'big', 'exact', 'wide', 'real'],
  ['day', 'instant'],
  ['text'],
  ['truth'],
  ['span'],
  ['clock'],
];

export function comparableWith(family: Family): readonly Family[] {
  return comparable.find((group) => group.includes(family)) ?? [family];
}

/** Families whose values a family's column may hold as well, exactly: in a set operation or after THEN. */
export const narrower: Readonly<Record<Family, readonly Family[]>> = {
  number: ['number'],
  big: ['big', 'number'],
  exact: ['exact', 'number'],
  wide: ['wide', 'number'],
  real: ['real', 'number', 'exact'],
  text: ['text'],
  truth: ['truth'],
  day: ['day'],
  instant: ['instant', 'day'],
  span: ['span'],
  clock: ['clock'],
};

/** Constants that both languages write alike. */
export const constants: Readonly<Record<Family, readonly string[]>> = {
  number: ['0', '1', '2', '3'],
  big: ["CAST('9223372036854775807' AS BIGINT)", "CAST('-9223372036854775808' AS BIGINT)", '9007199254740993'],
  exact: ['0.00', '1.25', '-2.50', '3.00'],
  wide: ['999999999999.999999', '-999999999999.999999', '0.000001', '1.000000'],
  real: ["CAST('0.5' AS FLOAT)", "CAST('-3' AS FLOAT)"],
  text: ["'a'", "'b'", "'c'"],
  truth: ['TRUE', 'FALSE'],
  day: ["DATE '2024-02-29'", "DATE '2023-12-31'"],
  instant: ["TIMESTAMP '2024-02-29T00:00:00'", "TIMESTAMP '2024-02-29T12:30:00.000001'"],
  span: [
    "INTERVAL '1 day'",
    "INTERVAL '24:00:00'",
    "INTERVAL '1 mon'",
    "INTERVAL '30 days'",
    "INTERVAL '-1 day +01:30'",
  ],
  // An hour that clocks show twice, and one shortly before clocks are set forward.
  clock: [
    "(TIMESTAMP '2026-10-25T00:30:00' AT TIME ZONE 'Europe/Oslo')",
    "(TIMESTAMP '2026-10-25T01:30:00' AT TIME ZONE 'Europe/Oslo')",
    "(TIMESTAMP '2026-03-29T00:59:59.5' AT TIME ZONE 'Europe/Oslo')",
  ],
};

const DECIMAL = (precision: number, scale: number): Type => ({ kind: 'DECIMAL', precision, scale });
export const typesOf: Readonly<Record<Family, Type>> = {
  number: { kind: 'INT' },
  big: { kind: 'BIGINT' },
  exact: DECIMAL(8, 2),
  wide: DECIMAL(18, 6),
  real: { kind: 'DOUBLE' },
  text: { kind: 'STRING' },
  truth: { kind: 'BOOLEAN' },
  day: { kind: 'DATE' },
  instant: { kind: 'TIMESTAMP' },
  span: { kind: 'INTERVAL' },
  clock: { kind: 'WALL' },
};

export function valueOf(family: Family, text: string): Value {
  // The text of a wall time is that of an instant in UTC.
  return castValue(text, { kind: 'STRING' }, typesOf[family === 'clock' ? 'instant' : family]);
}
