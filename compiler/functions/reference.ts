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
  add: 'Sum at the larger scale; a DATE and a number of days give a DATE.',
  subtract: 'Difference at the larger scale; two DATEs give the days between them.',
  multiply: 'Product with min(s1+s2, max(6, s1, s2)) fraction digits.',
  divide: 'Quotient with max(6, s1, s2) fraction digits; of whole numbers the whole part. Division by zero fails.',
  modulo: 'Rest of the division, with the sign of x. A zero divisor fails.',
  negate: 'The number with the other sign.',
  equal: 'TRUE where both are equal; NULL where one is NULL.',
  not_equal: 'TRUE where they differ; `!=` is the same.',
  less: 'TRUE where x comes before y; text goes by code point, FALSE comes before TRUE.',
  less_equal: 'TRUE where x does not come after y.',
  greater: 'TRUE where x comes after y.',
  greater_equal: 'TRUE where x does not come before y.',
  is_distinct: 'As `<>`, with NULL as a value of its own; never NULL.',
  is_not_distinct: 'As `=`, with NULL as a value of its own; never NULL.',
  between: 'TRUE where x comes neither before low nor after high.',
  between_symmetric: 'TRUE where x lies between a and b, whichever comes first. NULL where one of the three is NULL.',
  like: 'Whether the whole text matches: `%` stands for any text, `_` for one character, a backslash (or the ESCAPE character) before either for itself.',
  ilike: 'As LIKE, without regard to case.',
  any_equal: 'Whether an element of the list equals x.',
  any_not_equal: 'Whether an element of the list differs from x.',
  any_less: 'Whether x comes before an element of the list.',
  any_less_equal: 'Whether x does not come after some element of the list.',
  any_greater: 'Whether x comes after an element of the list.',
  any_greater_equal: 'Whether x does not come before some element of the list.',
  and: 'TRUE where both are; FALSE where one is FALSE, even beside NULL.',
  or: 'TRUE where one is, even beside NULL.',
  not: 'The opposite; NULL stays NULL.',
  is_true: 'Whether the value is TRUE; never NULL.',
  is_false: 'Whether the value is FALSE; never NULL.',
  is_unknown: 'Whether the truth value is NULL.',
  is_null: 'Whether there is no value.',
  COALESCE: 'The first argument that is not NULL; those behind it are not evaluated.',
  NULLIF: 'NULL where x equals y, else x.',
  GREATEST: 'The largest argument, NULLs left out.',
  LEAST: 'The smallest argument, NULLs left out.',
  ABS: 'The size of a number.',
  SIGN: '-1, 0 or 1.',
  CEIL: 'The smallest whole number that is not less.',
  CEILING: 'CEIL under another name.',
  FLOOR: 'The largest whole number that is not greater.',
  ROUND:
    'To so many fraction digits (0), halves away from zero; a DOUBLE goes to a whole number, halves to the even one.',
  TRUNC: 'Cut at so many fraction digits (0).',
  POWER: 'x to the power of y, as a DOUBLE.',
  POW: 'POWER under another name.',
  SQRT: 'The square root, as a DOUBLE; a negative number fails.',
  EXP: 'e to the power of x, as a DOUBLE.',
  LN: 'The natural logarithm, as a DOUBLE; zero and negative numbers fail.',
  LOG10: 'The logarithm to base 10, as a DOUBLE.',
  LOG: 'The logarithm to base 10 or another base, as a DOUBLE.',
  PI: 'The number π, as a DOUBLE.',
  MOD: 'x % y.',
  concat: 'Both texts in one; a value beside a text becomes its text. NULL where one is NULL.',
  CONCAT: 'The texts of all arguments in one, NULLs left out.',
  CONCAT_WS: 'The texts of all arguments with a separator between, NULLs left out.',
  UPPER: "Text in upper case, by Unicode's simple mapping: 'ß' stays 'ß'.",
  LOWER: "Text in lower case, by Unicode's simple mapping.",
  INITCAP: 'Each word with a capital first.',
  LENGTH: 'How many characters a text has.',
  CHAR_LENGTH: 'LENGTH under another name.',
  CHARACTER_LENGTH: 'LENGTH under another name.',
  SUBSTRING: 'Characters from a position, counted from 1, to the end or so many.',
  SUBSTR: 'SUBSTRING under another name.',
  LEFT: 'The first so many characters; with a negative count all but the last so many.',
  RIGHT: 'The last so many characters; with a negative count all but the first so many.',
  LPAD: 'Filled up on the left with a text (a space) to a width, or cut to it.',
  RPAD: 'Filled up on the right with a text (a space) to a width, or cut to it.',
  TRIM: 'Without certain characters (spaces) at both ends; `TRIM(LEADING c FROM text)` works too.',
  BTRIM: 'TRIM under another name.',
  LTRIM: 'Without certain characters (spaces) at the start.',
  RTRIM: 'Without certain characters (spaces) at the end.',
  POSITION: 'Where the first occurrence begins, from 1; 0 where there is none.',
  STRPOS: 'POSITION with its arguments the other way round.',
  STARTS_WITH: 'Whether a text begins with another.',
  REPLACE: 'Every occurrence of one text replaced by another.',
  SPLIT_PART:
    "The field of that number between delimiters, from 1, or from the end when negative; '' where there is none.",
  REVERSE: 'The characters in the opposite order.',
  REPEAT: 'A text so many times; more than 1048576 characters fail.',
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
  json_get: 'A member or an element as JSON; NULL where there is none.',
  json_get_text: 'A member or an element as text; NULL where there is none and for JSON null.',
  CARDINALITY: 'How many elements a list has.',
  DIGEST:
    "The digest of a text by 'sha256', 'sha512' or 'md5', as bytes for ENCODE. Clears the mark of a SENSITIVE value in the schema.",
  ENCODE: "Bytes, or a text's bytes in UTF-8, written in 'hex' or 'base64'.",
  RANDOM: 'A DOUBLE from 0 up to, without, 1; each occurrence is drawn once.',
  GEN_RANDOM_UUID: 'A random UUID; each occurrence is drawn once.',
  GENERATE_ID: 'A random UUID; each occurrence is drawn once.',
  ARROW_CAST: "CAST with the target named as Arrow does: 'Utf8', 'Int64', 'Decimal128(10, 2)'.",
  LAST: 'The value of the latest event that has one.',
  FIRST: 'The value of the earliest event that has one.',
  COUNT: 'How many rows there are, or how many have a value.',
  SUM: 'The exact sum, NULLs left out; BIGINT for whole numbers, DECIMAL(18,s) for decimals. NULL without any value.',
  AVG: 'The mean with max(6, s) fraction digits, NULLs left out. NULL without any value.',
  MIN: 'The smallest value.',
  MAX: 'The largest value.',
  BOOL_AND: 'TRUE where every value is, NULLs left out. NULL without any value.',
  BOOL_OR: 'TRUE where at least one value is, NULLs left out. NULL without any value.',
  EVERY: 'BOOL_AND under another name.',
  ARRAY_AGG: 'All values as a list, NULLs kept. DISTINCT values stand in their order, a NULL last.',
  STRING_AGG: 'All texts with a separator between, NULLs left out. DISTINCT texts stand in their order.',
  ROW_NUMBER: 'The number of the row in its partition, from 1.',
  RANK: 'The rank in the order of the window; equal rows share one, and leave a gap.',
  DENSE_RANK: 'The rank without gaps.',
  PERCENT_RANK: 'The rank as a part of the rows, from 0 to 1.',
  CUME_DIST: 'The part of the rows up to this one and its equals.',
  NTILE:
    'The number of the bucket when the rows are dealt out evenly; of so many buckets as the first row of the partition says. NULL for NULL; zero and less fail.',
  LAG: 'The value so many rows (1) before, or a default; NULL where the distance is NULL.',
  LEAD: 'The value so many rows (1) behind, or a default; NULL where the distance is NULL.',
  FIRST_VALUE: "The value of the frame's first row.",
  LAST_VALUE: "The value of the frame's last row.",
  NTH_VALUE: "The value of the frame's row of that number, from 1. NULL for NULL; zero and less fail.",
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
