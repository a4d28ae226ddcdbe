/** The reference of functions as data, for documentation and listings. One sentence per entry, kept here so that entries are only about types. */
import { aggregateReference } from './aggregates.ts';
import { functionThemes } from './catalogue.ts';

export interface ReferenceEntry {
  readonly theme: string;
  readonly name: string;
  readonly usage: readonly string[];
  readonly summary: string;
}

const summaries: Readonly<Record<string, string>> = {
  add: 'Sum at the larger scale; a DATE and a number of days give a DATE, an instant and an INTERVAL a TIMESTAMP.',
  subtract:
    'Difference at the larger scale; two DATEs give the days between them, two instants of which one is a TIMESTAMP an INTERVAL.',
  multiply: 'Product with min(s1+s2, max(6, s1, s2)) fraction digits.',
  divide: 'Quotient with max(6, s1, s2) fraction digits; of whole numbers the whole part. Division by zero fails.',
  modulo: 'Remainder of the division, with the sign of x. A zero divisor fails.',
  negate: 'The number with the other sign.',
  equal: 'TRUE if both are equal; NULL if one is NULL.',
  not_equal: 'TRUE if they differ; `!=` is the same.',
  less: 'TRUE if x comes before y; text compares by code point, FALSE comes before TRUE.',
  less_equal: 'TRUE if x does not come after y.',
  greater: 'TRUE if x comes after y.',
  greater_equal: 'TRUE if x does not come before y.',
  is_distinct: 'As `<>`, but NULL is a value; never NULL.',
  is_not_distinct: 'As `=`, but NULL is a value; never NULL.',
  between: 'TRUE if x comes neither before low nor after high.',
  between_symmetric: 'TRUE if x lies between a and b, in either order. NULL if one of the three is NULL.',
  like: 'Whether the whole text matches: `%` matches any text, `_` one character; after a backslash (or the ESCAPE character) each matches itself.',
  ilike: 'As LIKE, in any case.',
  any_equal: 'Whether an element of the list equals x.',
  any_not_equal: 'Whether an element of the list differs from x.',
  any_less: 'Whether x comes before an element of the list.',
  any_less_equal: 'Whether x does not come after some element of the list.',
  any_greater: 'Whether x comes after an element of the list.',
  any_greater_equal: 'Whether x does not come before some element of the list.',
  and: 'TRUE if both are; FALSE if one is FALSE, even if the other is NULL.',
  or: 'TRUE if one is, even if the other is NULL.',
  not: 'The opposite; NULL stays NULL.',
  is_true: 'Whether the value is TRUE; never NULL.',
  is_false: 'Whether the value is FALSE; never NULL.',
  is_unknown: 'Whether the truth value is NULL.',
  is_null: 'Whether there is no value.',
  COALESCE: 'The first argument that is not NULL; later ones are not evaluated.',
  NULLIF: 'NULL if x equals y, else x.',
  GREATEST: 'The largest argument, NULLs left out.',
  LEAST: 'The smallest argument, NULLs left out.',
  ABS: 'The absolute value of a number.',
  SIGN: '-1, 0 or 1.',
  CEIL: 'The smallest whole number that is not less.',
  CEILING: 'CEIL under another name.',
  FLOOR: 'The largest whole number that is not greater.',
  ROUND:
    'Rounded to a number of fraction digits (0), halves away from zero; a DOUBLE is rounded to a whole number, halves to the even one.',
  TRUNC: 'Cut after a number of fraction digits (0).',
  POWER: 'x to the power of y, as a DOUBLE.',
  POW: 'POWER under another name.',
  SQRT: 'The square root, as a DOUBLE; a negative number fails.',
  EXP: 'e to the power of x, as a DOUBLE.',
  LN: 'The natural logarithm, as a DOUBLE; zero and negative numbers fail.',
  LOG10: 'The logarithm to base 10, as a DOUBLE.',
  LOG: 'The logarithm to base 10 or another base, as a DOUBLE.',
  PI: 'The number π, as a DOUBLE.',
  MOD: 'x % y.',
  concat: 'Both texts joined; a value next to a text becomes text. NULL if one is NULL.',
  CONCAT: 'The texts of all arguments joined, without NULLs.',
  CONCAT_WS: 'The texts of all arguments joined with a separator, without NULLs.',
  UPPER: "Text in upper case, by Unicode's simple mapping: 'ß' stays 'ß'.",
  LOWER: "Text in lower case, by Unicode's simple mapping.",
  INITCAP: 'Each word with a capital first.',
  LENGTH: 'The number of characters of a text.',
  CHAR_LENGTH: 'LENGTH under another name.',
  CHARACTER_LENGTH: 'LENGTH under another name.',
  SUBSTRING: 'Characters from a position, counted from 1, to the end or a number of them.',
  SUBSTR: 'SUBSTRING under another name.',
  LEFT: 'The first n characters; if n is negative, all but the last ones.',
  RIGHT: 'The last n characters; if n is negative, all but the first ones.',
  LPAD: 'Padded on the left with a text (a space) to a width, or cut to it.',
  RPAD: 'Padded on the right with a text (a space) to a width, or cut to it.',
  TRIM: 'Without certain characters (spaces) at both ends; `TRIM(LEADING c FROM text)` works too.',
  BTRIM: 'TRIM under another name.',
  LTRIM: 'Without certain characters (spaces) at the start.',
  RTRIM: 'Without certain characters (spaces) at the end.',
  POSITION: 'The position of the first occurrence, from 1; 0 if there is none.',
  STRPOS: 'POSITION with its arguments in reverse order.',
  STARTS_WITH: 'Whether a text begins with another.',
  REPLACE: 'Every occurrence of one text replaced by another.',
  SPLIT_PART: "The field with a number between delimiters, from 1, or from the end if negative; '' if there is none.",
  REVERSE: 'The characters in reverse order.',
  REPEAT: 'A text repeated n times; more than 1048576 characters fail.',
  NOW: 'The one instant of the command or query.',
  CURRENT_TIMESTAMP: 'The one instant of the command or query.',
  CURRENT_DATE: 'The day, in UTC, of that instant.',
  YEAR: 'The year of a DATE or TIMESTAMP.',
  MONTH: 'The month of a DATE or TIMESTAMP, 1 to 12.',
  DAY: 'The day of the month of a DATE or TIMESTAMP.',
  EXTRACT:
    'A part: YEAR, MONTH, DAY, QUARTER, WEEK, ISOYEAR, DOW, ISODOW, DOY, DECADE, CENTURY, MILLENNIUM, EPOCH; of a TIMESTAMP also HOUR, MINUTE, SECOND, MILLISECONDS, MICROSECONDS.',
  DATE_TRUNC: 'The start of the microsecond … millennium that holds an instant, as a TIMESTAMP.',
  DATE: 'CAST(x AS DATE).',
  at_time_zone:
    'The time that the clocks of a zone show at an instant, as a LOCAL TIMESTAMP; of a LOCAL TIMESTAMP the instant, by the offset before a gap and after an overlap.',
  truncate_in_zone: 'The instant at which the unit began by the clocks of a zone, as a TIMESTAMP.',
  json_get: 'A member or an element as JSON; NULL if there is none.',
  json_get_text: 'A member or an element as text; NULL if there is none and for JSON null.',
  CARDINALITY: 'The number of elements of a list.',
  DIGEST:
    "The digest of a text by 'sha256', 'sha512' or 'md5', as bytes for ENCODE. Clears the mark of a SENSITIVE value in the schema.",
  ENCODE: "Bytes, or a text's bytes in UTF-8, written in 'hex' or 'base64'.",
  RANDOM: 'A random DOUBLE, at least 0 and less than 1; each occurrence is evaluated once.',
  GEN_RANDOM_UUID: 'A random UUID; each occurrence is evaluated once.',
  GENERATE_ID: 'A random UUID; each occurrence is evaluated once.',
  ARROW_CAST: "CAST with an Arrow type name as target: 'Utf8', 'Int64', 'Decimal128(10, 2)'.",
  LAST: 'The value of the latest event that has one.',
  FIRST: 'The value of the earliest event that has one.',
  COUNT: 'The number of rows, or of rows with a value.',
  SUM: 'The exact sum, without NULLs; BIGINT for whole numbers, DECIMAL(18,s) for decimals, INTERVAL for intervals. NULL without any value.',
  AVG: 'The mean with max(6, s) fraction digits, or of intervals, without NULLs. NULL without any value.',
  MIN: 'The smallest value.',
  MAX: 'The largest value.',
  BOOL_AND: 'TRUE if every value is, ignoring NULLs. NULL without any value.',
  BOOL_OR: 'TRUE if at least one value is, ignoring NULLs. NULL without any value.',
  EVERY: 'BOOL_AND under another name.',
  ARRAY_AGG: 'All values as a list, including NULLs. DISTINCT values are sorted, a NULL last.',
  STRING_AGG: 'All texts joined with a separator, without NULLs. DISTINCT texts are sorted.',
  ROW_NUMBER: 'The number of the row in its partition, from 1.',
  RANK: 'The rank in the order of the window; equal rows share a rank, and leave a gap.',
  DENSE_RANK: 'The rank without gaps.',
  PERCENT_RANK: 'The rank as a fraction of the rows, from 0 to 1.',
  CUME_DIST: 'The fraction of the rows up to this one and its equals.',
  NTILE:
    'The number of the bucket when the rows are distributed evenly. The first row of the partition gives the number of buckets. NULL for NULL; zero and less fail.',
  LAG: 'The value a number of rows (1) before, or a default; NULL if the distance is NULL.',
  LEAD: 'The value a number of rows (1) after, or a default; NULL if the distance is NULL.',
  FIRST_VALUE: "The value of the frame's first row.",
  LAST_VALUE: "The value of the frame's last row.",
  NTH_VALUE: "The value of the frame's n-th row, from 1. NULL for NULL; zero and less fail.",
};

/** Every function, operator, aggregate and window function, by theme. */
export const functionReference: readonly ReferenceEntry[] = [
  ...functionThemes.flatMap(({ theme, entries }) => entries.map((entry) => ({ theme, ...describe(entry) }))),
  ...aggregateReference.map((entry) => ({ theme: 'Aggregates and windows', ...describe(entry) })),
];

function describe({
  name,
  usage,
}: {
  readonly name: string;
  readonly usage: readonly string[];
}): Omit<ReferenceEntry, 'theme'> {
  return { name, usage, summary: (Object.hasOwn(summaries, name) ? summaries[name] : undefined) ?? '' };
}

/** Names that have a summary; a test compares them with the entries. */
export const summarised: readonly string[] = Object.keys(summaries);
