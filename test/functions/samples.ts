/** Types and values to try everything with: edges first, then seeded random ones. */
import { printInterval } from '../../language/values/interval.ts';
import type { Type, Value } from '../../language/values/type.ts';

export const sampleTypes: readonly Type[] = [
  { kind: 'INT' },
  { kind: 'BIGINT' },
  { kind: 'DECIMAL', precision: 5, scale: 2 },
  { kind: 'DECIMAL', precision: 10, scale: 4 },
  { kind: 'DECIMAL', precision: 18, scale: 0 },
  { kind: 'DECIMAL', precision: 18, scale: 6, bare: true },
  { kind: 'DECIMAL', precision: 18, scale: 18 },
  { kind: 'DOUBLE' },
  { kind: 'STRING' },
  { kind: 'STRING', length: 3 },
  { kind: 'STRING', bytes: true },
  { kind: 'UUID' },
  { kind: 'BOOLEAN' },
  { kind: 'TIMESTAMP' },
  { kind: 'WALL' },
  { kind: 'DATE' },
  { kind: 'INTERVAL' },
  { kind: 'JSON' },
  { kind: 'LIST', of: { kind: 'STRING' } },
  { kind: 'LIST', of: { kind: 'DECIMAL', precision: 6, scale: 2 } },
  {
    kind: 'STRUCT',
    fields: [
      { name: 'a', type: { kind: 'INT' } },
      { name: 'b', type: { kind: 'DECIMAL', precision: 6, scale: 2 } },
    ],
  },
];

/** Seeded, so that a failure can be repeated. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const texts = [
  '',
  'a',
  'Ab c',
  '  x ',
  'ß',
  'İı',
  'ΣΑΣ',
  '😀é',
  '\u{ffff}',
  'a_b%c',
  '\\%',
  "it's",
  '12',
  '-1.5',
  '1e2',
  'true',
  'no',
  '2026-02-29',
  '2024-02-29',
  '2026-01-01T23:30:00+02:00',
  '{"a":[1,2.50]}',
  'sha256',
  'hex',
  'month',
  ',',
  'a,b,,c',
];

export function sampleValues(type: Type, random: () => number, count: number): readonly Value[] {
  const edges = edgeValues(type);
  const more = Array.from({ length: count }, () => randomValue(type, random));
  return [null, ...edges, ...more];
}

function edgeValues(type: Type): readonly Value[] {
  switch (type.kind) {
    case 'INT':
      return [0, 1, -1, 2, 3, 7, -7, 20, 2147483647, -2147483648];
    case 'BIGINT':
      return [
        0n,
        1n,
        -1n,
        3n,
        -10n,
        2147483648n,
        999999999999999999n,
        1000000000000000000n,
        9223372036854775807n,
        -9223372036854775808n,
      ];
    case 'DECIMAL': {
      const top = 10n ** BigInt(type.precision) - 1n;
      return [0n, 1n, -1n, 5n, -50n, 149n, 150n, -150n, 10n ** BigInt(type.scale) % (top + 1n), top, -top];
    }
    case 'DOUBLE':
      return [0, 1, -1, 0.5, 2.5, -2.5, 0.1, 1e15, 123456.789, 1e-7, 1e22, 1e300, -1.7976931348623157e308, 5e-324];
    case 'STRING':
      if (type.bytes === true) return ['\\x', '\\xca978112', `\\x${'00ff'.repeat(40)}`];
      return type.length === undefined ? texts : texts.filter((text) => Array.from(text).length <= (type.length ?? 0));
    case 'UUID':
      return ['EMP-001', '123e4567-e89b-12d3-a456-426614174000'];
    case 'BOOLEAN':
      return [true, false];
    case 'TIMESTAMP':
    case 'WALL':
      return [0n, -1n, 1n, 1_772_323_199_999_999n, 1_709_164_800_000_000n, -62135596800000000n, 253402300799999999n];
    case 'DATE':
      return [0, -1, 19782, 20513, -719162, 2932896];
    case 'INTERVAL':
      return [
        '00:00:00',
        '1 mon',
        '30 days',
        '-1 days +02:00:00',
        '10 mons 3 days -04:05:06.789',
        '-1 years -2 mons +3 days -00:00:01',
        '-00:00:00.000001',
      ];
    case 'JSON':
      return ['null', '1.50', '"x"', '[1,"b",null,{"k":1e2}]', '{"a":{"b":1},"k":"v","n":null,"é":true}'];
    case 'LIST':
      return type.of.kind === 'DECIMAL' ? [[], [150n, null], [0n, -1n]] : [[], ['a', null], ['a', 'ß', '']];
    case 'STRUCT':
      return [
        new Map(),
        new Map<string, Value>([['a', 1]]),
        new Map<string, Value>([
          ['a', null],
          ['b', 1250n],
        ]),
      ];
    case 'NULL':
      return [];
  }
}

function randomValue(type: Type, random: () => number): Value {
  const whole = (limit: number): number => Math.floor((random() * 2 - 1) * limit);
  switch (type.kind) {
    case 'INT':
      return whole(10 ** Math.ceil(random() * 9));
    case 'BIGINT':
      return BigInt(whole(2 ** 31)) * BigInt(whole(2 ** Math.ceil(random() * 31)));
    case 'DECIMAL': {
      const digits = Math.max(1, Math.ceil(random() * type.precision));
      const value = (BigInt(whole(1e9)) * 1_000_000_000n + BigInt(Math.abs(whole(1e9)))) % 10n ** BigInt(digits);
      return value;
    }
    case 'DOUBLE':
      return whole(1e6) / 2 ** Math.floor(random() * 20);
    case 'STRING':
      return type.bytes === true ? '\\xabcd' : randomText(random, type.length ?? 6);
    case 'UUID':
      return `ID-${whole(100)}`;
    case 'BOOLEAN':
      return random() < 0.5;
    case 'TIMESTAMP':
    case 'WALL':
      return BigInt(whole(2 ** 31)) * 1_000_000n + BigInt(whole(1_000_000));
    case 'DATE':
      return whole(700_000);
    case 'INTERVAL':
      return printInterval({
        months: BigInt(whole(2000)),
        days: BigInt(whole(5000)),
        microseconds: BigInt(whole(1e6)) * BigInt(whole(1e6)),
      });
    case 'JSON':
      return JSON.stringify([whole(10), { k: whole(10) }]);
    case 'LIST':
      return type.of.kind === 'DECIMAL' ? [BigInt(whole(1000))] : [`t${whole(3)}`];
    case 'STRUCT':
      return new Map<string, Value>([['a', whole(9)]]);
    case 'NULL':
      return null;
  }
}

const letters = Array.from('abAB ,%_é😀\u{10ffff}\uffff');

function randomText(random: () => number, limit: number): string {
  const length = Math.floor(random() * (limit + 1));
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)] ?? '').join('');
}
