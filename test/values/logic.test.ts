import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { failures } from '../../language/failure/catalogue.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { and, not, or, type Truth } from '../../language/values/boolean.ts';
import { compareAny } from '../../language/values/list.ts';
import { greatest, least, nullIf } from '../../language/values/null-aware.ts';
import { sql } from '../../language/values/sql.ts';
import { decodeFailure, encodeFailure } from '../../language/sqlite/failure.ts';
import { sqliteFunctions } from '../../language/sqlite/functions.ts';
import { createEventIds, isUuid, randomUuid } from '../../language/values/uuid.ts';

test('three-valued logic', () => {
  const [T, F, N] = [true, false, null];
  const table: readonly (readonly [Truth, Truth, Truth, Truth])[] = [
    [T, T, T, T],
    [T, F, F, T],
    [T, N, N, T],
    [F, T, F, T],
    [F, F, F, F],
    [F, N, F, N],
    [N, T, N, T],
    [N, F, F, N],
    [N, N, N, N],
  ];
  for (const [a, b, both, either] of table) {
    assert.equal([and(a, b), or(a, b), and(a, () => b), or(a, () => b)], [both, either, both, either]);
  }
  assert.equal([not(T), not(F), not(N)], [false, true, null]);
});

test('AND and OR evaluate their right side only when the left one does not decide', () => {
  const never = (): boolean => {
    throw new Error('evaluated');
  };
  assert.is(and(false, never), false);
  assert.is(or(true, never), true);
});

test('a NULL argument gives NULL', () => {
  assert.is(sql.addInt(1, null), null);
  assert.is(sql.upper(null), null);
  assert.is(sql.less(null, 1), null);
  assert.is(sql.less('\uffff', '\u{10000}'), true);
  assert.equal(
    [greatest(1, null, 3), least<string>(null, 'b', 'a'), greatest<number>(null), nullIf(1, 1), nullIf(null, 1)],
    [3, 'a', null, null, null],
  );
});

test('ANY', () => {
  const string = { kind: 'STRING' } as const;
  const money = { kind: 'DECIMAL', precision: 6, scale: 2 } as const;
  const table: readonly (readonly [Truth, Truth])[] = [
    [compareAny('=', 'a', string, ['b', 'a'], string), true],
    [compareAny('=', 'a', string, ['b'], string), false],
    [compareAny('=', 'a', string, [], string), false],
    [compareAny('=', 'a', string, ['b', null], string), null],
    [compareAny('=', 'a', string, [null, 'a'], string), true],
    [compareAny('=', null, string, ['a'], string), null],
    [compareAny('=', null, string, [], string), false],
    [compareAny('=', 'a', string, null, string), null],
    [compareAny('<>', 'a', string, ['a', 'b'], string), true],
    [compareAny('<', 'b', string, ['a'], string), false],
    [compareAny('<=', 'a', string, ['a'], string), true],
    [compareAny('>', 15n, { kind: 'DECIMAL', precision: 2, scale: 1 }, [140n], money), true],
    [compareAny('>=', 15n, { kind: 'DECIMAL', precision: 2, scale: 1 }, [151n], money), false],
  ];
  for (const [index, [actual, expected]] of table.entries()) assert.is(actual, expected, String(index));
});

test('failures pass through SQLite, and no other text is taken for one', () => {
  const failure = fail('R0204', { what: "the text \u0001schemac\u0001R0201\u0001'", type: 'INT' });
  const back = decodeFailure(new Error(encodeFailure(failure)));
  assert.instance(back, Failure);
  assert.equal([back?.code, back?.message], [failure.code, failure.message]);
  assert.is(decodeFailure(new Error('integer overflow'))?.code, 'R0202');
  for (const message of [
    'no such column: \u0001schemac\u0001R0201\u0001x',
    'schemac R0201 x',
    '\u0001schemac\u0001R9999\u0001x',
    '\u0001schemac\u0001constructor\u0001x',
  ]) {
    assert.is(decodeFailure(new Error(message)), undefined);
  }
  assert.ok('R0204' in failures);
});

test('functions for SQLite have their declared arity and the prefix schemac_', () => {
  for (const { name, arity, call } of sqliteFunctions) {
    assert.is(call.length, arity, name);
    assert.match(name, /^schemac_[a-z0-9_]+$/);
  }
  assert.is(new Set(sqliteFunctions.map(({ name }) => name)).size, sqliteFunctions.length);
});

test('identifiers', () => {
  let next = 0;
  const random = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => (next = (next * 57 + 11) & 0xff));
  assert.match(randomUuid(random), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const create = createEventIds(random);
  const instants = [1_767_225_600_000_000n, 1_767_225_600_000_000n, 1_767_225_599_000_000n, 1_767_225_600_001_000n];
  const ids = [...instants, ...Array.from({ length: 10_000 }, () => 1_767_225_600_001_000n)].map(create);
  assert.equal([...ids].sort(), ids);
  assert.is(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => isUuid(id) && id[14] === '7'));
  assert.is(parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16), 1_767_225_600_000);
  const past = (id: string, instant: bigint): boolean => createEventIds(random, id)(instant) > id;
  assert.ok(ids.every((id) => past(id, 0n)));
  assert.ok(past('019b76da-a800-7fff-bfff-ffffffffffff', 1_767_225_600_000_000n), 'the millisecond goes on');
  assert.match(createEventIds(random, 'EMP-001')(1_767_225_600_000_000n), /^019b76da-a800-7/);
  assert.equal(
    ['EMP-001', '', '123e4567e89b12d3a456426614174000', '123E4567-E89B-12D3-A456-426614174000'].map(isUuid),
    [false, false, false, true],
  );
});

test.run();
