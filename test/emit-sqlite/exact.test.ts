/** Values are unchanged by aggregates: the whole range of each type, read back as in TypeScript. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AggregateName, TypedExpression } from '../../language/catalog/expression.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import type { Type, Value } from '../../language/values/type.ts';
import {
  BIGINT,
  BOOLEAN,
  catalogOf,
  column,
  DATE,
  decimal,
  DOUBLE,
  event,
  events,
  INT,
  JSON_,
  select,
  STRING,
  TIMESTAMP,
} from './bound.ts';
import { openReadModel } from './database.ts';

interface Options {
  readonly distinct?: boolean;
}

function aggregateOf(
  name: AggregateName,
  type: Type,
  result: Type,
  { distinct = false }: Options = {},
): TypedExpression {
  return {
    kind: 'aggregate',
    function: name,
    arguments: [column('data.x', type)],
    distinct,
    orderBy: [],
    relation: 0,
    type: result,
    nullable: true,
    sensitive: false,
  };
}

/** The aggregate over one stream of events `E(x)` with these payloads. */
function over(payloads: readonly unknown[], type: Type, expression: TypedExpression): Value {
  const catalog = catalogOf('A', event('E', { x: type }));
  const history = payloads.map((x) => ({ type: 'E', stream: 's', data: { x } }));
  const model = openReadModel(createReadModelDefinition(catalog), { A: history });
  try {
    const query = select([expression], { from: events('A'), aggregated: true });
    return model.run(compileQuery(query, catalog))[0]?.[0] ?? null;
  } finally {
    model.close();
  }
}

const kept: readonly (readonly [Type, unknown, Value])[] = [
  [STRING, '', ''],
  [STRING, 'ünï \u{1f600} \'"', 'ünï \u{1f600} \'"'],
  [INT, -2147483648, -2147483648],
  [BIGINT, '9223372036854775807', 9223372036854775807n],
  [BIGINT, '-9223372036854775808', -9223372036854775808n],
  [decimal(18, 2), '-9999999999999999.99', -999999999999999999n],
  [DOUBLE, 0.1 + 0.2, 0.1 + 0.2],
  [DOUBLE, 3, 3],
  [DOUBLE, -5e-324, -5e-324],
  [DOUBLE, 1.7976931348623157e308, 1.7976931348623157e308],
  [BOOLEAN, false, false],
  [TIMESTAMP, '2026-01-01T08:00:00.000001Z', 1767254400000001n],
  [DATE, '1969-12-31', -1],
  [JSON_, '{"a":[1.10]}', '{"a":[1.10]}'],
];

for (const [type, payload, value] of kept) {
  test(`LAST and FIRST keep ${type.kind} ${JSON.stringify(payload)}`, () => {
    assert.equal(over([payload, null], type, aggregateOf('LAST', type, type)), value);
    assert.equal(over([null, payload], type, aggregateOf('FIRST', type, type)), value);
    assert.equal(over([null], type, aggregateOf('LAST', type, type)), null);
  });
  test(`ARRAY_AGG keeps ${type.kind} ${JSON.stringify(payload)}`, () => {
    assert.equal(over([payload, null], type, aggregateOf('ARRAY_AGG', type, { kind: 'LIST', of: type })), [
      value,
      null,
    ]);
  });
  if (type.kind === 'JSON') continue;
  test(`MIN and MAX keep ${type.kind} ${JSON.stringify(payload)}`, () => {
    assert.equal(over([payload, null], type, aggregateOf('MIN', type, type)), value);
    assert.equal(over([null, payload], type, aggregateOf('MAX', type, type)), value);
  });
}

const money = decimal(18, 2);
const big = '9000000000000000.00';
const sums: readonly (readonly [string, readonly unknown[], Type, Type, Value])[] = [
  ['cents', Array.from({ length: 1000 }, () => '0.01'), decimal(5, 2), money, 1000n],
  [
    'more than 64 bits on the way',
    [...Array<string>(20).fill(big), ...Array<string>(19).fill(`-${big}`)],
    money,
    money,
    900000000000000000n,
  ],
  ['mixed signs in both halves', ['1234567890.12', '-0.13', '-1234567889.00'], money, money, 99n],
  ['BIGINT past the range and back', ['9223372036854775807', '1', '-2'], BIGINT, BIGINT, 9223372036854775806n],
  ['INT past 32 bits', [2147483647, 2147483647], INT, BIGINT, 4294967294n],
  ['DOUBLE', [0.5, null, 0.25], DOUBLE, DOUBLE, 0.75],
  ['nothing', [null], money, money, null],
];
for (const [name, payloads, type, result, value] of sums) {
  test(`SUM of ${name}`, () => assert.equal(over(payloads, type, aggregateOf('SUM', type, result)), value));
}

test('SUM DISTINCT compares whole values, not their halves', () => {
  const values = ['5000000000.00', '5000000000.00', '5000000000.01'];
  assert.equal(over(values, money, aggregateOf('SUM', money, money, { distinct: true })), 1000000000001n);
});

const averages: readonly (readonly [string, readonly unknown[], Type, Type, Value])[] = [
  ['two thirds up', [0, 1, 1], INT, decimal(18, 6), 666667n],
  ['a half away from zero', ['0.000001', '0.000002'], decimal(12, 6), decimal(18, 6), 2n],
  ['a negative half away from zero', ['-0.000001', '-0.000002'], decimal(12, 6), decimal(18, 6), -2n],
  [
    'more than 64 bits',
    ['900000000000.000000', '900000000000.000001', '900000000000.000002'],
    decimal(18, 6),
    decimal(18, 6),
    900000000000000001n,
  ],
  ['BIGINT', ['4000000000', '4000000001'], BIGINT, decimal(18, 6), 4000000000500000n],
  ['DOUBLE', [1, 2], DOUBLE, DOUBLE, 1.5],
  ['nothing', [null], INT, decimal(18, 6), null],
];
for (const [name, payloads, type, result, value] of averages) {
  test(`AVG rounds ${name}`, () => assert.equal(over(payloads, type, aggregateOf('AVG', type, result)), value));
}
test('AVG DISTINCT', () => {
  assert.equal(
    over(['1.00', '1.00', '2.00'], money, aggregateOf('AVG', money, decimal(18, 6), { distinct: true })),
    1500000n,
  );
  assert.equal(over([1, 1, 2], INT, aggregateOf('AVG', INT, decimal(18, 6), { distinct: true })), 1500000n);
});

const tooLarge: readonly (readonly [string, readonly unknown[], Type, Type])[] = [
  ['DECIMAL past 18 digits', ['9999999999999999.99', '0.01'], money, money],
  ['BIGINT past 64 bits', ['9223372036854775807', '1'], BIGINT, BIGINT],
  ['DOUBLE past its range', [1.7e308, 1.7e308], DOUBLE, DOUBLE],
];
for (const [name, payloads, type, result] of tooLarge) {
  test(`SUM of ${name} fails`, () => {
    assert.throws(
      () => over(payloads, type, aggregateOf('SUM', type, result)),
      (error: { code?: string }) => error.code === 'R0202',
    );
  });
}

test.run();
