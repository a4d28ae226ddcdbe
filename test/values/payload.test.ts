import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { firstDay, lastDay } from '../../language/values/calendar.ts';
import { bigintMax, bigintMin, intMax, intMin } from '../../language/values/integer.ts';
import { fromPayload, toPayload } from '../../language/values/payload.ts';
import { fromSqlite, sqliteParameter, toSqlite } from '../../language/sqlite/value.ts';
import { timestampMax, timestampMin } from '../../language/values/timestamp.ts';
import type { Type, Value } from '../../language/values/type.ts';
import * as write from '../../runtime/generated/write.ts';
import { createRandom, sampleTypes, sampleValues } from '../functions/samples.ts';

test('stored values are read back', () => {
  const random = createRandom(31);
  for (const type of sampleTypes) {
    for (const value of sampleValues(type, random, 20)) {
      assert.equal(fromPayload(JSON.parse(JSON.stringify(toPayload(value, type))), type), value);
    }
  }
});

test('forms in the log', () => {
  const table: readonly (readonly [Value, Type, unknown])[] = [
    [1230n, { kind: 'DECIMAL', precision: 12, scale: 2 }, '12.30'],
    [12_300_000n, { kind: 'DECIMAL', precision: 18, scale: 6, bare: true }, '12.3'],
    [5n, { kind: 'BIGINT' }, '5'],
    [5, { kind: 'INT' }, 5],
    [0, { kind: 'DATE' }, '1970-01-01'],
    [0n, { kind: 'TIMESTAMP' }, '1970-01-01T00:00:00.000000Z'],
    [[1n], { kind: 'LIST', of: { kind: 'BIGINT' } }, ['1']],
    [
      new Map([['a', 1n]]),
      {
        kind: 'STRUCT',
        fields: [
          { name: 'a', type: { kind: 'BIGINT' } },
          { name: 'b', type: { kind: 'INT' } },
        ],
      },
      { a: '1' },
    ],
  ];
  for (const [value, type, expected] of table) assert.equal(toPayload(value, type), expected);
});

test('older forms are read after a field has widened', () => {
  const wide: Type = { kind: 'DECIMAL', precision: 18, scale: 4 };
  const table: readonly (readonly [unknown, Type, Value])[] = [
    [7, { kind: 'BIGINT' }, 7n],
    [7, wide, 70000n],
    ['9007199254740993', wide, 90071992547409930000n],
    ['12.30', wide, 123000n],
    ['7', { kind: 'INT' }, 7],
    [7, { kind: 'DOUBLE' }, 7],
    ['12.5', { kind: 'DOUBLE' }, 12.5],
    ['abc', { kind: 'STRING' }, 'abc'],
    [7, { kind: 'STRING' }, '7'],
    [undefined, { kind: 'STRING' }, null],
    ['2026-01-01', { kind: 'TIMESTAMP' }, 1767225600000000n],
  ];
  for (const [stored, type, expected] of table) assert.equal(fromPayload(stored, type), expected);
});

/** Each writer with the values at the ends of its type, and the first ones past them. */
const written: readonly (readonly [
  Type,
  (value: Value) => string,
  inside: readonly Value[],
  past: readonly Value[],
])[] = [
  [
    { kind: 'TIMESTAMP' },
    (value) => write.timestamp('x', value as bigint),
    [timestampMin, timestampMax],
    [timestampMin - 1n, timestampMax + 1n],
  ],
  [{ kind: 'DATE' }, (value) => write.date('x', value as number), [firstDay, lastDay], [firstDay - 1, lastDay + 1]],
  [
    { kind: 'BIGINT' },
    (value) => write.bigint('x', value as bigint),
    [bigintMin, bigintMax],
    [bigintMin - 1n, bigintMax + 1n],
  ],
  [
    { kind: 'DECIMAL', precision: 18, scale: 18 },
    (value) => write.decimal('x', value as bigint, 18),
    [1n - 10n ** 18n, 1n, 10n ** 18n - 1n],
    [-(10n ** 18n), 10n ** 18n],
  ],
  [{ kind: 'INT' }, (value) => write.number('x', value as number), [intMin, intMax], [NaN]],
  [
    { kind: 'DOUBLE' },
    (value) => write.number('x', value as number),
    [5e-324, 1.7976931348623157e308],
    [Infinity, -Infinity, NaN],
  ],
];

test('an event is written only as it is read back', () => {
  for (const [type, writes, inside, past] of written) {
    for (const value of inside) {
      const stored = JSON.parse(write.object(writes(value))) as { readonly x: unknown };
      assert.equal(fromPayload(stored.x, type), value);
    }
    for (const value of past)
      assert.throws(
        () => writes(value),
        (error: unknown) => error instanceof Failure && error.code === 'R0202' && error.message.endsWith(' in x'),
        type.kind,
      );
  }
});

test('a damaged record is refused', () => {
  const table: readonly (readonly [unknown, Type])[] = [
    ['x', { kind: 'INT' }],
    ['1.5', { kind: 'BIGINT' }],
    [{}, { kind: 'STRING' }],
    [1, { kind: 'BOOLEAN' }],
    ['2026-02-30', { kind: 'DATE' }],
    ['soon', { kind: 'TIMESTAMP' }],
    ['x', { kind: 'LIST', of: { kind: 'INT' } }],
    [[], { kind: 'STRUCT', fields: [] }],
  ];
  for (const [stored, type] of table)
    assert.throws(() => fromPayload(stored, type), new RegExp(`stored data is no ${type.kind}`));
});

test('cells of SQLite', () => {
  assert.is(toSqlite(9223372036854775807n, { kind: 'BIGINT' }), '9223372036854775807');
  assert.is(toSqlite(true, { kind: 'BOOLEAN' }), 1);
  assert.is(toSqlite([1n], { kind: 'LIST', of: { kind: 'BIGINT' } }), '["1"]');
  assert.is(fromSqlite(1n, { kind: 'BOOLEAN' }), true);
  assert.is(Object.is(fromSqlite(-0, { kind: 'DOUBLE' }), 0), true);
  assert.equal(
    ['BIGINT', 'DOUBLE', 'STRING'].map((kind) => sqliteParameter(2, { kind } as Type)),
    ['CAST(?2 AS INTEGER)', 'CAST(?2 AS REAL)', '?2'],
  );
  assert.throws(() => fromSqlite(1.5, { kind: 'BIGINT' }), /SQLite gave a number where a BIGINT was asked for/);
});

test.run();
