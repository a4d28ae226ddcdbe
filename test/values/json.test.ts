import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultJsonLimits, parseJson } from '../../language/values/json-parse.ts';
import { jsonField, jsonFieldText, jsonItem, jsonItemText } from '../../language/values/json-path.ts';
import { toJsonValue, trustedJson } from '../../language/values/json-value.ts';
import { writeJson, writeJsonValue } from '../../language/values/json-write.ts';
import { ExactNumber } from '../../language/values/json.ts';
import type { Type, Value } from '../../language/values/type.ts';

const rewritten = (text: string): string => writeJsonValue(trustedJson(text));

test('text that JSON.parse accepts is read with the same meaning', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const parsed = parseJson(text);
      if (parsed.problem !== undefined) {
        assert.match(parsed.problem, /surrogate|NUL/);
        return;
      }
      assert.equal(JSON.parse(writeJsonValue(parsed.value)), JSON.parse(text));
    }),
    { numRuns: 1500, seed: 21 },
  );
});

test('text that JSON.parse refuses is refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:0123456789.eE+-tfnaulsr\\ "')) }), (text) => {
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      const parsed = parseJson(text);
      if (parsed.problem === undefined) assert.ok(valid, text);
      else if (valid) assert.match(parsed.problem, /twice|surrogate/);
    }),
    { numRuns: 5000, seed: 22 },
  );
});

test('numbers keep their text', () => {
  const numbers = [
    '0',
    '-0',
    '1.10',
    '1e2',
    '1E+400',
    '123456789012345678901234567890',
    '0.1000000000000000055511151231257827',
  ];
  for (const number of numbers) assert.equal(trustedJson(number), new ExactNumber(number));
  assert.is(rewritten(' { "b" : [ 1.50 , null ] , "a" : "\\u00e9\\n" } '), '{"b":[1.50,null],"a":"é\\n"}');
  assert.is(rewritten('{"__proto__":1,"constructor":2}'), '{"__proto__":1,"constructor":2}');
});

test('errors have a description and a position', () => {
  const table: readonly (readonly [string, string, number])[] = [
    ['', 'the text ends too early', 0],
    ['  ', 'the text ends too early', 2],
    ['nul', 'this is no JSON value', 0],
    ['01', 'this is no JSON number', 1],
    ['1.', 'this is no JSON number', 1],
    ['-', 'this is no JSON value', 0],
    ['+1', 'this is no JSON value', 0],
    ['NaN', 'this is no JSON value', 0],
    ["'a'", 'this is no JSON value', 0],
    ['"a', 'a string that is not closed', 2],
    ['"a\nb"', 'a control character in a string', 2],
    ['"\\x"', 'an unknown escape', 2],
    ['"\\constructor"', 'an unknown escape', 2],
    ['"\\u12"', '\\u without four hexadecimal digits', 3],
    ['"\\u0000"', 'a NUL character in a string', 3],
    ['"\\ud800"', 'a lone surrogate in a string', 0],
    ['"\\udc00\\ud800"', 'a lone surrogate in a string', 0],
    ['[1,]', 'this is no JSON value', 3],
    ['[1 2]', "',' or ']' must follow", 3],
    ['{"a":1,}', 'a key in double quotes must follow', 7],
    ['{a:1}', 'a key in double quotes must follow', 1],
    ['{"a" 1}', "':' must follow", 5],
    ['{"a":1 "b":2}', "',' or '}' must follow", 7],
    ['{"a":1,"a":2}', 'a repeated key in one object', 7],
    ['{"a":1,"\\u0061":2}', 'a repeated key in one object', 7],
    ['1 2', 'nothing may follow the value', 2],
    ['1//', 'nothing may follow the value', 1],
    ['\ufeff1', 'this is no JSON value', 0],
  ];
  for (const [text, problem, offset] of table) assert.equal(parseJson(text), { problem, offset }, text);
});

test('depth and size are limited', () => {
  const limits = { ...defaultJsonLimits, depth: 3, keysPerObject: 2, nodes: 6, stringBytes: 4 };
  const table: readonly (readonly [string, string | undefined])[] = [
    ['[[[1]]]', undefined],
    ['[[[[1]]]]', 'nested deeper than 3 levels'],
    ['{"a":{"b":{"c":{}}}}', 'nested deeper than 3 levels'],
    ['{"a":1,"b":2}', undefined],
    ['{"a":1,"b":2,"c":3}', 'more than 2 keys in one object'],
    ['[1,2,3,4,5]', undefined],
    ['[1,2,3,4,5,6]', 'more than 6 values'],
    ['"abcd"', undefined],
    ['"abcde"', 'a string longer than 4 bytes'],
    ['"éé"', undefined],
    ['"ééa"', 'a string longer than 4 bytes'],
    ['"\\u00e9€"', 'a string longer than 4 bytes'],
  ];
  for (const [text, problem] of table) assert.is(parseJson(text, limits).problem, problem, text);
  assert.is(parseJson('['.repeat(1_000_000)).problem, 'nested deeper than 32 levels');
});

const money: Type = { kind: 'DECIMAL', precision: 12, scale: 2 };

test('values as JSON', () => {
  const table: readonly (readonly [Value, Type, string])[] = [
    [null, money, 'null'],
    [1230n, money, '12.30'],
    [-5n, money, '-0.05'],
    [12_300_000n, { kind: 'DECIMAL', precision: 18, scale: 6, bare: true }, '12.3'],
    [7, { kind: 'INT' }, '7'],
    [9007199254740991n, { kind: 'BIGINT' }, '9007199254740991'],
    [9007199254740992n, { kind: 'BIGINT' }, '"9007199254740992"'],
    [-9223372036854775808n, { kind: 'BIGINT' }, '"-9223372036854775808"'],
    [0.1, { kind: 'DOUBLE' }, '0.1'],
    [-0, { kind: 'DOUBLE' }, '0'],
    [1e300, { kind: 'DOUBLE' }, '1e+300'],
    [true, { kind: 'BOOLEAN' }, 'true'],
    ['a"\n\u2028</', { kind: 'STRING' }, '"a\\"\\n\u2028</"'],
    [0n, { kind: 'TIMESTAMP' }, '"1970-01-01T00:00:00.000000Z"'],
    [0, { kind: 'DATE' }, '"1970-01-01"'],
    ['{"a":1.0}', { kind: 'JSON' }, '{"a":1.0}'],
    [[150n, null], { kind: 'LIST', of: money }, '[1.50,null]'],
    [
      new Map<string, Value>([
        ['b', 1],
        ['a', 5n],
      ]),
      {
        kind: 'STRUCT',
        fields: [
          { name: 'a', type: money },
          { name: 'x', type: money },
          { name: 'b', type: { kind: 'INT' } },
        ],
      },
      '{"a":0.05,"b":1}',
    ],
  ];
  for (const [value, type, expected] of table) assert.is(writeJson(value, type), expected);
  assert.equal(toJsonValue(1230n, money), new ExactNumber('12.30'));
  assert.throws(() => writeJson('x', money), /expected a DECIMAL, not a string/);
});

test('-> and ->>', () => {
  const json = '{"a":{"b":[1,2.50,"x",null]},"s":"é","n":null,"t":true}';
  const table: readonly (readonly [string | null, string | null])[] = [
    [jsonField(json, 'a'), '{"b":[1,2.50,"x",null]}'],
    [jsonField(json, 's'), '"é"'],
    [jsonField(json, 'n'), 'null'],
    [jsonField(json, 'z'), null],
    [jsonField(json, 'constructor'), null],
    [jsonFieldText(json, 's'), 'é'],
    [jsonFieldText(json, 'n'), null],
    [jsonFieldText(json, 't'), 'true'],
    [jsonFieldText(json, 'a'), '{"b":[1,2.50,"x",null]}'],
    [jsonItem('[1,2.50]', 1), '2.50'],
    [jsonItem('[1,2.50]', -1), '2.50'],
    [jsonItem('[1,2.50]', 2), null],
    [jsonItem('{"0":1}', 0), null],
    [jsonField('[1]', '0'), null],
    [jsonItemText('["x"]', 0), 'x'],
    [jsonField('5', 'a'), null],
  ];
  for (const [index, [actual, expected]] of table.entries()) assert.is(actual, expected, String(index));
  assert.throws(() => jsonField('{"a":1,"a":2}', 'a'), /the text is not a valid JSON/);
});

test.run();
