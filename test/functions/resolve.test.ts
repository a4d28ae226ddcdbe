/** Result types of functions and operators, and their messages for wrong types (docs/language.md#types). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findAggregate, findWindowOnly, resolveAggregate } from '../../compiler/functions/aggregates.ts';
import { findCallable, lookupFunction, nearestFunctions } from '../../compiler/functions/catalogue.ts';
import type { GivenArgument, Resolution, Unresolvable } from '../../compiler/functions/entry.ts';
import { functionReference, summarised } from '../../compiler/functions/reference.ts';
import { commonType } from '../../compiler/functions/typing.ts';
import { typeName, type Type } from '../../language/values/type.ts';

/** `INT`, `DECIMAL(5,2)`, `STRING[]` as types; `'x'`, `7`, `1.50`, `NULL` as literals. */
function given(text: string): GivenArgument {
  if (text.startsWith("'")) return { type: { kind: 'STRING' }, untyped: true, literal: text.slice(1, -1) };
  if (text === 'NULL') return { type: { kind: 'NULL' }, untyped: true, literal: null };
  if (/^\d+$/.test(text)) return { type: { kind: 'INT' }, untyped: false, literal: Number(text) };
  const decimal = /^(\d*)\.(\d+)$/.exec(text);
  if (decimal !== null) {
    const [whole, scale] = [(decimal[1] ?? '').replace(/^0+/, '').length, (decimal[2] ?? '').length];
    return { type: { kind: 'DECIMAL', precision: whole + scale, scale }, untyped: false, literal: text };
  }
  return { type: type(text), untyped: false };
}
function type(text: string): Type {
  if (text.endsWith('[]')) return { kind: 'LIST', of: type(text.slice(0, -2)) };
  const [, kind = '', first, second] = /^(\w+)(?:\((\d+)(?:,(\d+))?\))?$/.exec(text) ?? [];
  if (kind === 'DECIMAL')
    return first === undefined
      ? { kind, precision: 18, scale: 6, bare: true }
      : { kind, precision: Number(first), scale: Number(second) };
  if (kind === 'VARCHAR') return { kind: 'STRING', length: Number(first) };
  return { kind } as Type; // the names of the tables below
}
function shown(resolution: Resolution | Unresolvable | undefined): string {
  if (resolution === undefined) return 'not there';
  return 'problem' in resolution ? resolution.problem : typeName(resolution.result);
}
/** Splits at commas outside parentheses. */
const split = (text: string): readonly string[] => (text === '' ? [] : text.split(/, (?![^(]*\))/));
const resolve = (name: string, operands: string): string =>
  shown((lookupFunction(name) ?? findCallable(name))?.resolve(split(operands).map(given)));

test('arithmetic', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['add', 'INT, INT', 'INT'],
    ['add', 'INT, BIGINT', 'BIGINT'],
    ['add', 'DECIMAL(5,2), DECIMAL(7,4)', 'DECIMAL(8,4)'],
    ['add', 'DECIMAL(18,2), DECIMAL(18,2)', 'DECIMAL(18,2)'],
    ['add', 'DECIMAL(14,2), INT', 'DECIMAL(15,2)'],
    ['add', 'DECIMAL(5,2), INT', 'DECIMAL(13,2)'],
    ['add', 'DECIMAL(5,2), 1', 'DECIMAL(6,2)'],
    ['add', 'BIGINT, DECIMAL(5,2)', 'DECIMAL(18,2)'],
    ['add', '0.1, 0.2', 'DECIMAL(2,1)'],
    ['add', 'DOUBLE, DECIMAL(5,2)', 'DOUBLE'],
    ['add', "INT, '5'", 'INT'],
    ['add', "DECIMAL(5,2), '12.345'", 'DECIMAL(7,3)'],
    ['add', 'NULL, INT', 'INT'],
    ['add', 'NULL, NULL', 'INT'],
    ['add', 'DATE, INT', 'DATE'],
    ['add', 'INT, DATE', 'DATE'],
    ['subtract', 'DATE, DATE', 'INT'],
    ['subtract', "DATE, '2026-01-01'", 'INT'],
    ['subtract', 'DATE, 7', 'DATE'],
    ['multiply', 'DECIMAL(3,2), DECIMAL(3,2)', 'DECIMAL(6,4)'],
    ['multiply', 'DECIMAL(10,4), DECIMAL(10,4)', 'DECIMAL(18,6)'],
    ['multiply', 'DECIMAL(8,7), DECIMAL(3,2)', 'DECIMAL(9,7)'],
    ['multiply', 'INT, DECIMAL(8,2)', 'DECIMAL(18,2)'],
    ['multiply', 'DECIMAL(14,2), 2', 'DECIMAL(15,2)'],
    ['divide', 'INT, INT', 'INT'],
    ['divide', '1.0, 3', 'DECIMAL(18,6)'],
    ['divide', 'DECIMAL(12,8), DECIMAL(5,2)', 'DECIMAL(18,8)'],
    ['modulo', 'INT, BIGINT', 'BIGINT'],
    ['modulo', 'DECIMAL(5,2), INT', 'DECIMAL(12,2)'],
    ['negate', 'DECIMAL(5,2)', 'DECIMAL(5,2)'],
    ['negate', 'NULL', 'INT'],
    [
      'add',
      'STRING, INT',
      "'+' takes numbers, not STRING and INT; write CAST(… AS DECIMAL(18,2)) or another number type to take the STRING as a number",
    ],
    ['add', "'a', 'b'", "'+' takes numbers, not a string literal and a string literal"],
    [
      'add',
      'TIMESTAMP, INT',
      "'+' takes a DATE and a whole number of days; an instant takes an INTERVAL, as in x + INTERVAL '1 hour'",
    ],
    [
      'subtract',
      'TIMESTAMP, INT',
      "'-' takes a DATE and a whole number of days, or two DATEs; an instant takes an INTERVAL, as in x - INTERVAL '1 hour'",
    ],
    ['modulo', 'DOUBLE, INT', "'%' takes INT, BIGINT and DECIMAL, not DOUBLE; CAST(… AS DECIMAL(18,6)) makes it exact"],
    ['negate', 'BOOLEAN', "'-' takes numbers, not BOOLEAN"],
  ];
  for (const [name, operands, expected] of table) assert.is(resolve(name, operands), expected, `${name}(${operands})`);
});

test('comparison', () => {
  const parameters = (name: string, operands: string): string => {
    const resolution = lookupFunction(name)?.resolve(split(operands).map(given));
    if (resolution === undefined || 'problem' in resolution) return shown(resolution);
    return resolution.parameters.map(typeName).join(', ');
  };
  const table: readonly (readonly [string, string, string])[] = [
    ['equal', 'INT, INT', 'INT, INT'],
    ['equal', 'INT, BIGINT', 'BIGINT, BIGINT'],
    ['greater', 'DECIMAL(14,2), 0', 'DECIMAL(14,2), DECIMAL(14,2)'],
    ['equal', 'DECIMAL(2,1), 0.30', 'DECIMAL(2,1), DECIMAL(3,2)'],
    ['less', 'DECIMAL(18,18), DECIMAL(18,0)', 'DECIMAL(18,18), DECIMAL(18,0)'],
    ['less', 'BIGINT, DECIMAL(5,2)', 'BIGINT, DECIMAL(5,2)'],
    ['less', 'DOUBLE, INT', 'DOUBLE, DOUBLE'],
    ['equal', "DECIMAL(10,2), '12.345'", 'DECIMAL(10,2), DECIMAL(11,3)'],
    ['equal', "INT, 'many'", 'INT, INT'],
    ['equal', "DATE, '2026-01-01'", 'DATE, DATE'],
    ['less', 'DATE, TIMESTAMP', 'TIMESTAMP, TIMESTAMP'],
    ['equal', 'UUID, STRING', 'UUID, STRING'],
    ['equal', "VARCHAR(3), 'longer'", 'VARCHAR(3), STRING'],
    ['equal', 'NULL, NULL', 'STRING, STRING'],
    ['equal', 'NULL, BOOLEAN', 'BOOLEAN, BOOLEAN'],
    ['equal', 'STRING, INT', "'=' cannot compare STRING and INT; write CAST(… AS INT) around the text"],
    ['equal', 'BOOLEAN, INT', "'=' cannot compare BOOLEAN and INT"],
    ['equal', 'JSON, JSON', "'=' cannot compare JSON values; take a part of it, or CAST it to STRING"],
    [
      'is_distinct',
      'INT[], INT[]',
      "'IS DISTINCT FROM' cannot compare INT[] values; take a part of it, or CAST it to STRING",
    ],
    ['any_equal', 'STRING, STRING[]', 'STRING, STRING[]'],
    ['any_equal', 'DECIMAL(3,1), DECIMAL(6,2)[]', 'DECIMAL(3,1), DECIMAL(6,2)[]'],
    ['any_equal', 'DOUBLE, INT[]', "ANY compares with values of the list's own type; CAST the value to it, not DOUBLE"],
    ['any_equal', 'STRING, STRING', 'ANY takes a list, such as tags, not STRING'],
    ['and', 'BOOLEAN, INT', 'AND takes BOOLEAN, not BOOLEAN and INT; compare the value with something'],
  ];
  for (const [name, operands, expected] of table)
    assert.is(parameters(name, operands), expected, `${name}(${operands})`);
});

test('common types', () => {
  const table: readonly (readonly [string, string])[] = [
    ['INT, INT', 'INT'],
    ['INT, BIGINT, NULL', 'BIGINT'],
    ['DECIMAL(3,2), DECIMAL(5,1)', 'DECIMAL(6,2)'],
    ['DECIMAL(3,2), INT', 'DECIMAL(12,2)'],
    ['DECIMAL(18,9), BIGINT', 'DECIMAL(18,9)'],
    ['DECIMAL, INT', 'DECIMAL'],
    ['DECIMAL, DECIMAL(5,2)', 'DECIMAL(18,6)'],
    ['DECIMAL(5,2), DOUBLE', 'DOUBLE'],
    ['VARCHAR(3), VARCHAR(3)', 'VARCHAR(3)'],
    ['VARCHAR(3), VARCHAR(4)', 'STRING'],
    ['UUID, STRING', 'STRING'],
    ['DATE, TIMESTAMP', 'TIMESTAMP'],
    ['NULL, NULL', 'NULL'],
    ['STRING, INT', 'none'],
    ['BOOLEAN, INT', 'none'],
    ['INT[], STRING[]', 'none'],
  ];
  for (const [types, expected] of table) {
    const common = commonType(split(types).map(type));
    assert.is(common === undefined ? 'none' : typeName(common), expected, types);
  }
});

test('functions', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['ROUND', '2.5', 'DECIMAL(2,0)'],
    ['ROUND', 'DECIMAL(10,4), 2', 'DECIMAL(9,2)'],
    ['ROUND', 'INT', 'INT'],
    [
      'ROUND',
      'DOUBLE, 2',
      'ROUND with places takes an exact number, not DOUBLE; CAST(… AS DECIMAL(18,6)) makes it one',
    ],
    ['CEIL', 'DECIMAL(5,2)', 'DECIMAL(4,0)'],
    ['POWER', 'INT, DECIMAL(5,2)', 'DOUBLE'],
    ['COALESCE', 'DECIMAL(12,2), 0', 'DECIMAL(12,2)'],
    ['COALESCE', "NULL, 'a'", 'STRING'],
    ['COALESCE', 'INT, STRING', 'COALESCE takes values of one type, not INT and STRING; CAST one of them'],
    ['concat', 'STRING, INT', 'STRING'],
    ['concat', 'INT, INT', "'||' joins texts, not INT and INT; write CAST(… AS STRING) around one of them"],
    ['UPPER', 'INT', 'UPPER takes (STRING), not INT; CAST what differs'],
    ['UPPER', '', 'UPPER takes 1 argument, not 0'],
    ['SUBSTRING', 'STRING', 'SUBSTRING takes 2 or 3 arguments, not 1'],
    ['NOW', 'INT', 'NOW takes no arguments, not 1'],
    ['EXTRACT', "'second', TIMESTAMP", 'DECIMAL(8,6)'],
    ['EXTRACT', "'EPOCH', DATE", 'BIGINT'],
    [
      'EXTRACT',
      "'HOUR', DATE",
      "a DATE has no part 'HOUR'; it has YEAR, MONTH, DAY, QUARTER, WEEK, ISOYEAR, DOW, ISODOW, DOY, DECADE, CENTURY, MILLENNIUM, EPOCH",
    ],
    ['YEAR', 'STRING', 'YEAR takes a DATE or TIMESTAMP, not STRING; write CAST(… AS TIMESTAMP) around a text'],
    [
      'DATE_TRUNC',
      "'fortnight', DATE",
      "DATE_TRUNC knows microsecond, millisecond, second, minute, hour, day, week, month, quarter, year, decade, century, millennium, not 'fortnight'",
    ],
    ['DIGEST', "STRING, 'sha1'", "DIGEST knows 'sha256', 'sha512', 'md5', not 'sha1'"],
    ['ARROW_CAST', "INT, 'Decimal128(10, 2)'", 'DECIMAL(10,2)'],
    [
      'ARROW_CAST',
      "INT, 'Float16'",
      "ARROW_CAST takes as second argument 'Utf8', 'Int32', 'Int64', 'Float64', 'Boolean', 'Date32', 'Timestamp(Microsecond, UTC)' or 'Decimal128(p, s)'",
    ],
    ['json_get_text', "STRING, 'a'", "'->>' takes JSON, not STRING; write CAST(… AS JSON) around a text"],
  ];
  for (const [name, operands, expected] of table) assert.is(resolve(name, operands), expected, `${name}(${operands})`);
});

test('aggregates and window functions', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['COUNT', '', 'BIGINT'],
    ['COUNT', 'STRING', 'BIGINT'],
    ['SUM', 'INT', 'BIGINT'],
    ['SUM', 'BIGINT', 'BIGINT'],
    ['SUM', 'DECIMAL(10,2)', 'DECIMAL(18,2)'],
    ['SUM', 'DOUBLE', 'DOUBLE'],
    ['SUM', 'STRING', 'SUM takes numbers and INTERVALs, not STRING'],
    ['AVG', 'INT', 'DECIMAL(18,6)'],
    ['AVG', 'DECIMAL(12,8)', 'DECIMAL(18,8)'],
    ['AVG', 'DOUBLE', 'DOUBLE'],
    ['MIN', 'DATE', 'DATE'],
    ['MAX', 'BOOLEAN', 'MAX takes values that have an order, not BOOLEAN'],
    ['MAX', 'JSON', 'MAX takes values that have an order, not JSON'],
    ['BOOL_AND', 'BOOLEAN', 'BOOLEAN'],
    ['BOOL_OR', 'NULL', 'BOOLEAN'],
    ['EVERY', 'INT', 'EVERY takes BOOLEAN, not INT'],
    ['BOOL_OR', 'BOOLEAN, BOOLEAN', 'BOOL_OR takes 1 argument, not 2'],
    ['LAST', 'DECIMAL(5,2)', 'DECIMAL(5,2)'],
    ['LAST', 'INT, INT', 'LAST takes 1 argument, not 2'],
    ['ARRAY_AGG', 'DATE', 'DATE[]'],
    ['STRING_AGG', "STRING, ','", 'STRING'],
    [
      'STRING_AGG',
      "INT, ','",
      'STRING_AGG takes STRING and a separator, not INT and a string literal; write CAST(… AS STRING)',
    ],
    ['ROW_NUMBER', '', 'BIGINT'],
    ['NTILE', '4', 'INT'],
    ['LAG', 'DECIMAL(5,2), 1, 0', 'DECIMAL(12,2)'],
    ['LAG', 'INT, STRING', 'LAG takes an INT, not STRING'],
    ['NTH_VALUE', 'STRING, 2', 'STRING'],
    ['PERCENT_RANK', '', 'DOUBLE'],
  ];
  for (const [name, operands, expected] of table) {
    const known = findAggregate(name.toLowerCase()) ?? findWindowOnly(name);
    assert.is(
      known && shown(resolveAggregate(known, split(operands).map(given), false)),
      expected,
      `${name}(${operands})`,
    );
  }
  assert.is(shown(resolveAggregate('COUNT', [given('JSON')], true)), 'DISTINCT takes values that compare, not JSON');
  assert.is(findAggregate('UPPER'), undefined);
});

test('names', () => {
  assert.is(findCallable('upper')?.name, 'UPPER');
  assert.is(findCallable('add'), undefined);
  assert.is(findCallable('constructor'), undefined);
  assert.equal(nearestFunctions('UPER'), ['UPPER']);
  assert.equal(nearestFunctions('colaesce'), ['COALESCE']);
  assert.equal(nearestFunctions('string_ag'), ['STRING_AGG']);
  assert.equal(nearestFunctions('load_extension'), []);
});

test('the reference is complete', () => {
  const names = functionReference.map((entry) => entry.name);
  assert.is(new Set(names).size, names.length);
  assert.equal([...summarised].sort(), [...names].sort());
  for (const { name, usage, summary } of functionReference) {
    assert.ok(usage.length > 0 && usage.every((line) => line !== '') && /\.$/.test(summary), name);
  }
  const wanted =
    'COALESCE NULLIF GREATEST LEAST ABS ROUND CEIL FLOOR MOD POWER SQRT SIGN UPPER LOWER LENGTH TRIM LTRIM RTRIM SUBSTRING SUBSTR REPLACE CONCAT LEFT RIGHT LPAD RPAD POSITION STARTS_WITH SPLIT_PART REVERSE REPEAT ENCODE DIGEST RANDOM GEN_RANDOM_UUID GENERATE_ID NOW CURRENT_TIMESTAMP CURRENT_DATE DATE YEAR MONTH DAY EXTRACT DATE_TRUNC ARROW_CAST LAST FIRST COUNT SUM AVG MIN MAX ARRAY_AGG STRING_AGG ROW_NUMBER RANK DENSE_RANK LAG LEAD';
  assert.equal(
    wanted.split(' ').filter((name) => !names.includes(name)),
    [],
  );
});

test.run();
