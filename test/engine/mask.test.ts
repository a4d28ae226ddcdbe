/** Values, rows and outcomes as shown to a caller without `sensitive:read` (docs/language.md#sensitive-values). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Column } from '../../language/contract/query.ts';
import { maskValue } from '../../language/values/mask.ts';
import { maskOutcome, maskTable } from '../../runtime/engine/mask.ts';
import type { NamedValue, Outcome } from '../../runtime/engine/outcome.ts';
import { rejectionText } from '../../runtime/engine/rejection.ts';
import type { StructField, Type, Value } from '../../language/values/type.ts';

const string: Type = { kind: 'STRING' };
const int: Type = { kind: 'INT' };

const values: readonly (readonly [
  type: Type,
  value: string | number | bigint | boolean | null,
  shown: '****' | null,
])[] = [
  [string, 'secret', '****'],
  [string, '', '****'],
  [string, null, null],
  [{ kind: 'UUID' }, '123e4567-e89b-42d3-a456-426614174000', '****'],
  [int, 7, null],
  [int, 0, null],
  [{ kind: 'BIGINT' }, 7n, null],
  [{ kind: 'DECIMAL', precision: 5, scale: 2 }, 700n, null],
  [{ kind: 'DOUBLE' }, 1.5, null],
  [{ kind: 'BOOLEAN' }, true, null],
  [{ kind: 'BOOLEAN' }, false, null],
  [{ kind: 'TIMESTAMP' }, 1n, null],
  [{ kind: 'JSON' }, '"secret"', null],
];
for (const [type, value, shown] of values) {
  test(`a sensitive ${type.kind} of ${String(value)} is shown as ${String(shown)}`, () => {
    assert.is(maskValue(value, type), shown);
    const columns: readonly Column[] = [
      { name: 'open', type, nullable: true, sensitive: false },
      { name: 'hidden', type, nullable: true, sensitive: true },
    ];
    assert.equal(maskTable({ columns, rows: [[value, value]] }), { columns, rows: [[value, shown]] });
  });
}

test('a struct is masked in its sensitive fields, a sensitive struct in all fields', () => {
  const fields: readonly StructField[] = [
    { name: 'name', type: string },
    { name: 'pin', type: int, sensitive: true },
  ];
  const value = new Map<string, Value>([
    ['name', 'Ann'],
    ['pin', 4711],
  ]);
  const shown = (sensitive: boolean): unknown => {
    const column: Column = { name: 'data', type: { kind: 'STRUCT', fields }, nullable: false, sensitive };
    return maskTable({ columns: [column], rows: [[value]] }).rows;
  };
  assert.equal(shown(false), [
    [
      new Map<string, Value>([
        ['name', 'Ann'],
        ['pin', null],
      ]),
    ],
  ]);
  assert.equal(shown(true), [
    [
      new Map<string, Value>([
        ['name', '****'],
        ['pin', null],
      ]),
    ],
  ]);
  assert.is(value.get('pin'), 4711, 'what was given stays what it was');
});

test('a struct in a rejection is masked in the same way', () => {
  const type: Type = { kind: 'STRUCT', fields: [{ name: 'pin', type: int, sensitive: true }] };
  const data = { name: 'data', type, sensitive: false, value: new Map<string, Value>([['pin', 4711]]) };
  const rejection = { decision: 'D', guards: [], state: [data], command: [] };
  assert.is(rejectionText(rejection), '{"decision":"D","guards":[],"state":{"data":{"pin":null}},"command":{}}');
  assert.equal(maskOutcome(outcome({ outcome: 'rejected', rejection })).rejection?.state, [
    { ...data, value: new Map([['pin', null]]) },
  ]);
});

const named = (sensitive: boolean): NamedValue[] => [
  { name: 'pin', type: int, sensitive, value: 4711 },
  { name: 'word', type: string, sensitive, value: 'secret' },
];
const masked = [
  { name: 'pin', type: int, sensitive: true, value: null },
  { name: 'word', type: string, sensitive: true, value: '****' },
];
const outcome = (more: Partial<Outcome>): Outcome => ({
  outcome: 'emitted',
  replayed: false,
  streamType: 'A',
  streamId: '1',
  head: 1,
  events: [],
  entry: 1,
  ...more,
});

test('events, state and arguments of an outcome are masked where they are sensitive', () => {
  const event = { type: 'E', streamType: 'A', streamId: '1', seq: 1 };
  assert.equal(maskOutcome(outcome({ events: [{ ...event, fields: named(true) }] })).events, [
    { ...event, fields: masked },
  ]);
  assert.equal(maskOutcome(outcome({ events: [{ ...event, fields: named(false) }] })).events, [
    { ...event, fields: named(false) },
  ]);
  const rejection = { decision: 'D', guards: [], state: named(true), command: named(true) };
  assert.equal(maskOutcome(outcome({ outcome: 'rejected', rejection })).rejection, {
    decision: 'D',
    guards: [],
    state: masked,
    command: masked,
  });
  assert.is(
    rejectionText(rejection),
    '{"decision":"D","guards":[],"state":{"pin":null,"word":"****"},"command":{"pin":null,"word":"****"}}',
  );
});

test.run();
