/** Printed expressions: native operators where the types prove that they are exact, calls elsewhere. */
import initSqlJs from 'sql.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { literalSqlite, printCastSqlite, printCastTypescript } from '../../compiler/functions/cast.ts';
import { lookupFunction } from '../../compiler/functions/catalogue.ts';
import type { PrintedArgument } from '../../compiler/functions/entry.ts';
import { quoteTypescript } from '../../compiler/functions/typescript-text.ts';
import type { Type } from '../../language/values/type.ts';

const decimal = (precision: number, scale: number): Type => ({ kind: 'DECIMAL', precision, scale });
const INT: Type = { kind: 'INT' };
const STRING: Type = { kind: 'STRING' };
const column = (text: string, type: Type, nullable = false): PrintedArgument => ({
  text,
  type,
  nullable,
  simple: true,
});
const nullable = (text: string, type: Type): PrintedArgument => column(text, type, true);

function print(name: string, ...given: readonly PrintedArgument[]): readonly [string, string] {
  const entry = lookupFunction(name);
  assert.ok(entry, name);
  const resolution = entry.resolve(
    given.map(({ text, type }) => ({
      type,
      untyped: false,
      ...(text.startsWith("'") ? { literal: text.slice(1, -1) } : {}),
    })),
  );
  if ('problem' in resolution) throw new Error(resolution.problem);
  const call = (target: 'sqlite' | 'typescript') => ({
    arguments: given.map((argument, index) => {
      const wanted = resolution.parameters[index] ?? argument.type;
      const cast = target === 'sqlite' ? printCastSqlite : printCastTypescript;
      return { ...argument, text: cast(argument, wanted, 'implicit'), type: wanted };
    }),
    result: resolution.result,
  });
  return [entry.typescript(call('typescript')), entry.sqlite(call('sqlite'))];
}

test('operators', () => {
  const [a, b] = [column('a', decimal(14, 2)), column('b', decimal(14, 2))];
  const [n, m] = [column('n', INT), column('m', INT)];
  const table: readonly (readonly [readonly [string, string], string, string])[] = [
    [print('add', a, b), '(a + b)', '(a + b)'],
    [print('subtract', a, nullable('b', decimal(14, 2))), 'sql.subtractDecimal(a, b)', '(a - b)'],
    [print('add', a, column('c', decimal(6, 4))), '((a * 100n) + c)', '((a * 100) + c)'],
    [print('multiply', n, column('price', decimal(8, 2))), '(BigInt(n) * price)', '(n * price)'],
    [
      print('multiply', column('p', decimal(9, 4)), column('q', decimal(9, 4))),
      'sql.multiplyDecimal(p, q, 2)',
      'CAST(schemac_multiply_decimal(CAST(p AS TEXT), CAST(q AS TEXT), 2) AS INTEGER)',
    ],
    [
      print('add', n, m),
      'sql.addInt(n, m)',
      "(CASE WHEN (n + m) NOT BETWEEN -2147483648 AND 2147483647 THEN CAST(schemac_overflow('INT', '') AS INTEGER) ELSE (n + m) END)",
    ],
    [print('divide', n, column('2', INT)), 'sql.divideInt(n, 2)', '(n / 2)'],
    [print('divide', n, m), 'sql.divideInt(n, m)', 'CAST(schemac_divide_int(n, m) AS INTEGER)'],
    [print('greater', a, column('0', INT)), '(a > 0n)', '(a > 0)'],
    [print('greater_equal', a, nullable('b', decimal(14, 2))), 'sql.greaterEqual(a, b)', '(a >= b)'],
    [print('equal', column('s', STRING), column("'x'", STRING)), "(s === 'x')", "(s = 'x')"],
    [print('less', column('s', STRING), column('t', STRING)), 'sql.less(s, t)', '(s < t)'],
    [print('less', a, column('c', decimal(18, 4))), '((a * 100n) < c)', '((a * 100) < c)'],
    [
      print('less', column('c', decimal(18, 2)), column('d', decimal(18, 4))),
      '((c * 100n) < d)',
      '(CAST(schemac_compare_decimal(CAST(c AS TEXT), CAST(d AS TEXT), 2, 4) AS INTEGER) < 0)',
    ],
    [print('is_distinct', nullable('n', INT), nullable('m', INT)), 'sql.isDistinct(n, m)', '(n IS NOT m)'],
    [print('is_null', nullable('n', INT)), '(n === null)', '(n IS NULL)'],
    [print('concat', column('s', STRING), n), '(s + String(n))', '(s || CAST(n AS TEXT))'],
    [print('negate', a), '(-a)', '(-a)'],
    [print('COALESCE', nullable('a', decimal(14, 2)), column('0', INT)), '(a ?? 0n)', 'COALESCE(a, 0)'],
    [print('COALESCE', n, nullable('m', INT)), 'n', 'n'],
    [print('UPPER', column('s', STRING)), 'sql.upper(s)', 'schemac_upper(s)'],
    [print('CURRENT_TIMESTAMP'), 'context.now', 'CAST(schemac_now() AS INTEGER)'],
    [print('RANDOM'), 'context.random()', 'schemac_random()'],
  ];
  for (const [actual, typescript, sqlite] of table) assert.equal(actual, [typescript, sqlite]);
});

test('logic is lazy where the right side may fail', () => {
  const truth = (text: string, maybe = false): PrintedArgument => ({
    text,
    type: { kind: 'BOOLEAN' },
    nullable: maybe,
    simple: false,
  });
  assert.is(print('and', truth('(a > 0)'), truth('(b > 0)'))[0], '((a > 0) && (b > 0))');
  assert.is(print('or', truth('x', true), truth('(b > 0)'))[0], 'sql.or(x, (b > 0))');
  assert.is(print('or', truth('x', true), truth('sql.less(a, b)'))[0], 'sql.or(x, () => sql.less(a, b))');
  assert.is(print('or', truth("(a === 'x')"), truth("(a === 'y')"))[0], "((a === 'x') || (a === 'y'))");
  assert.is(print('and', truth("(a === 'x')"), truth("(a === 'y')"))[0], "sql.and((a === 'x'), (a === 'y'))");
});

test('an argument that is not simple is printed once', () => {
  const costly = (type: Type): PrintedArgument => ({ text: 'COSTLY', type, nullable: true, simple: false });
  for (const type of [INT, { kind: 'BIGINT' } as const, decimal(18, 2), { kind: 'DOUBLE' } as const, STRING]) {
    for (const name of [
      'add',
      'multiply',
      'divide',
      'negate',
      'less',
      'is_distinct',
      'ABS',
      'ROUND',
      'GREATEST',
      'NULLIF',
      'COALESCE',
      'concat',
    ]) {
      const given =
        name === 'negate' || name === 'ABS' || name === 'ROUND' ? [costly(type)] : [costly(type), costly(type)];
      const resolution = lookupFunction(name)?.resolve(
        given.map((argument) => ({ type: argument.type, untyped: false })),
      );
      if (resolution === undefined || 'problem' in resolution) continue;
      for (const text of print(name, ...given)) assert.is(text.split('COSTLY').length - 1, given.length, text);
    }
  }
});

const hostile = [
  "';globalThis.PWN=1;//",
  '";globalThis.PWN=1;//',
  '`${globalThis.PWN=1}`',
  'abc\\',
  "\\';globalThis.PWN=1;//",
  'a\nglobalThis.PWN=1\n//',
  'a\u2028globalThis.PWN=1\u2029',
  '*/ globalThis.PWN=1 /*',
  '</script><script>globalThis.PWN=1</script>',
  "'; DROP TABLE x; --",
  "' || (SELECT 1) || '",
  'a\u202eb\u2066c\ufeff',
  '😀é\u{10ffff}',
  '?1 :x @y $z',
];

test('texts of any content stay literals', async () => {
  const engine = await initSqlJs();
  const database = new engine.Database();
  for (const text of hostile) {
    // oxlint-disable-next-line typescript/no-implied-eval -- the literal must come out of a script unharmed
    const back = new Function(`'use strict'; return ${quoteTypescript(text)};`)() as unknown;
    assert.is(back, text);
    assert.match(quoteTypescript(text), /^'[ -~]*'$/);
    assert.not.match(quoteTypescript(text), /`|\$\{|\*\/|<\/script/);
    assert.equal(database.exec(`SELECT ${literalSqlite(text, STRING)}`)[0]?.values, [[text]]);
  }
  assert.is('PWN' in globalThis, false);
  assert.throws(() => literalSqlite('a\0b', STRING), /a NUL/);
});

test('literals for SQLite', async () => {
  const engine = await initSqlJs();
  const database = new engine.Database();
  const table: readonly (readonly [string | number | boolean | null, Type, string, string])[] = [
    [null, INT, 'NULL', 'null'],
    [7, INT, '7', 'integer'],
    [-7, INT, '(-7)', 'integer'],
    ['9223372036854775807', { kind: 'BIGINT' }, '9223372036854775807', 'integer'],
    ['-9223372036854775808', { kind: 'BIGINT' }, '(-9223372036854775807 - 1)', 'integer'],
    ['12.30', decimal(12, 2), '1230', 'integer'],
    ['12.3', { kind: 'DECIMAL', precision: 18, scale: 6, bare: true }, '12300000', 'integer'],
    [1000, { kind: 'DOUBLE' }, '1000.0', 'real'],
    [1e21, { kind: 'DOUBLE' }, '1e+21', 'real'],
    [-0.5, { kind: 'DOUBLE' }, '(-0.5)', 'real'],
    [true, { kind: 'BOOLEAN' }, '1', 'integer'],
    ['2026-01-01', { kind: 'DATE' }, '20454', 'integer'],
    ['1969-12-31T23:59:59.999999Z', { kind: 'TIMESTAMP' }, '(-1)', 'integer'],
    ["it's", STRING, "'it''s'", 'text'],
  ];
  for (const [value, type, expected, storage] of table) {
    const printed = literalSqlite(value, type);
    assert.is(printed, expected);
    assert.equal(database.exec(`SELECT typeof(${printed})`)[0]?.values, [[storage]]);
  }
  assert.throws(() => literalSqlite('x', INT), /does not spell a value/);
});

test.run();
