/** Pieces of printed SQL: literals, range checks. Every given expression is printed at most once, unless it is marked as simple. */
import { intMax, intMin } from '../../language/values/integer.ts';
import { sqliteCall } from '../../language/sqlite/call.ts';
import { typeName } from '../../language/values/type.ts';
import type { DecimalType } from './typing.ts';

/** A text literal. */
export function quoteSqlite(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export interface Checked {
  readonly text: string;
  /** Cheap to evaluate twice: then the check needs no function call. */
  readonly simple: boolean;
  /** The field to name when the value does not fit. */
  readonly where?: string;
}

/** Largest value of this number of digits: `999`. */
function largest(digits: number): string {
  return '9'.repeat(digits);
}

function between({ text, where }: Checked, low: string, high: string, type: string): string {
  const overflow = sqliteCall('overflow', quoteSqlite(type), quoteSqlite(where ?? ''));
  return `(CASE WHEN ${text} NOT BETWEEN ${low} AND ${high} THEN ${overflow} ELSE ${text} END)`;
}

/** An integer expression as an INT, else R0202. */
export function checkedInt(checked: Checked): string {
  if (checked.simple) return between(checked, String(intMin), String(intMax), 'INT');
  return sqliteCall('fitInt', checked.text, quoteSqlite(checked.where ?? ''));
}

/** An integer expression as a BIGINT, else R0202; SQLite makes it a REAL when it exceeds 64 bits. */
export function checkedBigint(checked: Checked): string {
  if (!checked.simple) return sqliteCall('fitBigint', checked.text, quoteSqlite(checked.where ?? ''));
  const overflow = sqliteCall('overflow', quoteSqlite('BIGINT'), quoteSqlite(checked.where ?? ''));
  return `(CASE WHEN typeof(${checked.text}) = 'real' THEN ${overflow} ELSE ${checked.text} END)`;
}

/** An unscaled decimal, which may be too long or already a REAL, as a value of the type, else R0202. */
export function checkedDecimal(checked: Checked, type: DecimalType): string {
  if (checked.simple) return between(checked, `-${largest(type.precision)}`, largest(type.precision), typeName(type));
  return sqliteCall(
    'fitDecimal',
    checked.text,
    String(type.precision),
    String(type.scale),
    quoteSqlite(checked.where ?? ''),
  );
}

const largestDouble = '1.7976931348623157e308';

/** A REAL, else R0202 if it is infinite. */
export function checkedDouble(checked: Checked): string {
  if (checked.simple) return between(checked, `-${largestDouble}`, largestDouble, 'DOUBLE');
  return sqliteCall('fitDouble', checked.text, quoteSqlite(checked.where ?? ''));
}

const power = (digits: number): string => `1${'0'.repeat(digits)}`;

/** An integer times a power of ten; literals are multiplied here. */
export function timesPowerOfTen(text: string, digits: number): string {
  if (digits === 0) return text;
  const literal = /^\(?(-?\d+)\)?$/.exec(text);
  if (literal?.[1] === undefined) return `(${text} * ${power(digits)})`;
  const value = (BigInt(literal[1]) * 10n ** BigInt(digits)).toString();
  return value.startsWith('-') ? `(${value})` : value;
}
