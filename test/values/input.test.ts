import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readInput, type InputOptions } from '../../language/values/input.ts';
import { parseJson } from '../../language/values/json-parse.ts';
import type { Type, Value } from '../../language/values/type.ts';

const INT: Type = { kind: 'INT' };
const BIGINT: Type = { kind: 'BIGINT' };
const MONEY: Type = { kind: 'DECIMAL', precision: 10, scale: 2 };
const STRING: Type = { kind: 'STRING' };
const SHORT: Type = { kind: 'STRING', length: 3 };
const TIMESTAMP: Type = { kind: 'TIMESTAMP' };
const DATE: Type = { kind: 'DATE' };

function read(json: string, type: Type, options: InputOptions = {}): Value | string {
  const parsed = parseJson(json);
  if (parsed.problem !== undefined) throw new Error(parsed.problem);
  const input = readInput(parsed.value, type, options);
  return input.problem === undefined ? input.value : `${input.problem.takes}, not ${input.problem.given}`;
}

test('accepted values', () => {
  const table: readonly (readonly [string, Type, Value])[] = [
    ['null', MONEY, null],
    ['7', INT, 7],
    ['"7"', INT, 7],
    ['"+7"', INT, 7],
    ['7.0', INT, 7],
    ['1e2', INT, 100],
    ['-2147483648', INT, -2147483648],
    ['9223372036854775807', BIGINT, 9223372036854775807n],
    ['"-9223372036854775808"', BIGINT, -9223372036854775808n],
    ['12.3', MONEY, 1230n],
    ['"0.01"', MONEY, 1n],
    ['12.3400', MONEY, 1234n],
    ['99999999.99', MONEY, 9999999999n],
    ['5', MONEY, 500n],
    ['1.5e1', MONEY, 1500n],
    ['0.1', { kind: 'DOUBLE' }, 0.1],
    ['-0.0', { kind: 'DOUBLE' }, 0],
    ['true', { kind: 'BOOLEAN' }, true],
    ['"x"', STRING, 'x'],
    ['"007"', STRING, '007'],
    ['"😀é."', SHORT, '😀é.'],
    ['"EMP-001"', { kind: 'UUID' }, 'EMP-001'],
    ['"2026-01-01T08:00:00+02:00"', TIMESTAMP, 1767247200000000n],
    ['"2026-01-01"', DATE, 20454],
    ['{"b":[1.50], "a":null}', { kind: 'JSON' }, '{"b":[1.50],"a":null}'],
    ['"x"', { kind: 'JSON' }, '"x"'],
  ];
  for (const [json, type, expected] of table) assert.is(read(json, type), expected, `${json} as ${type.kind}`);
});

test('refused values, with their descriptions', () => {
  const int = 'INT (a whole number from -2147483648 to 2147483647)';
  const money = 'DECIMAL(10,2) (8 digits before the point and 2 after)';
  const timestamp = 'TIMESTAMP (as 2026-01-31T08:00:00Z)';
  const table: readonly (readonly [string, Type, string])[] = [
    ['1.5', INT, `${int}, not 1.5`],
    ['2147483648', INT, `${int}, not 2147483648`],
    ['"many"', INT, `${int}, not "many"`],
    ['" 7"', INT, `${int}, not " 7"`],
    ['""', INT, `${int}, not ""`],
    ['true', INT, `${int}, not true`],
    ['9223372036854775808', BIGINT, 'BIGINT, not 9223372036854775808'],
    ['12.345', MONEY, `${money}, not 12.345`],
    ['100000000', MONEY, `${money}, not 100000000`],
    ['1e400', MONEY, `${money}, not 1e400`],
    ['0.000000000000000000000000000000000000000000000001', MONEY, `${money}, not a number with so many digits`],
    ['1e400', { kind: 'DOUBLE' }, 'DOUBLE, not 1e400'],
    ['"1.5"', { kind: 'DOUBLE' }, 'DOUBLE, not "1.5"'],
    ['"true"', { kind: 'BOOLEAN' }, 'BOOLEAN, not "true"'],
    ['1', { kind: 'BOOLEAN' }, 'BOOLEAN, not 1'],
    ['7', STRING, 'STRING, not 7'],
    ['[]', STRING, 'STRING, not an array'],
    ['{}', STRING, 'STRING, not an object'],
    ['"abcd"', SHORT, 'VARCHAR(3), not "abcd"'],
    ['"EMP-001"', TIMESTAMP, `${timestamp}, not "EMP-001"`],
    ['1767225600', TIMESTAMP, `${timestamp}, not 1767225600`],
    ['"2026-02-30"', DATE, 'DATE (as 2026-01-31), not "2026-02-30"'],
    ['"2026-01-01T00:00:00Z"', DATE, 'DATE (as 2026-01-31), not "2026-01-01T00:00:00Z"'],
    [`"${'x'.repeat(50)}"`, INT, `${int}, not a text of 50 characters`],
  ];
  for (const [json, type, expected] of table) assert.is(read(json, type), expected);
});

test('a sensitive value is never quoted', () => {
  for (const json of ['"hunter2"', '12.345', 'true', '1e400'])
    assert.match(read(json, INT, { sensitive: true }) as string, /, not the given value$/);
});

test('text that cannot be stored is refused', () => {
  for (const text of ['a\0b', '\ud800']) {
    assert.equal(readInput(text, STRING).problem, {
      takes: 'STRING',
      given: 'text with a NUL or half a surrogate pair',
    });
  }
});

test.run();
