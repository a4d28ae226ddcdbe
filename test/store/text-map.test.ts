import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createTextHash, createTextMap, type TextMap } from '../../runtime/store/text-map.ts';

/** Does the same with a `Map`, in steps that a simple generator draws, and compares after each. */
function compared(seed: number, draws: number, keys: number, steps: number): void {
  const map: TextMap<number> = createTextMap(createTextHash(seed));
  const plain = new Map<string, number>();
  let drawn = draws;
  const draw = (below: number): number => {
    drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0;
    return Math.floor((drawn / 2 ** 32) * below);
  };
  for (let step = 0; step < steps; step++) {
    const key = `stream-${draw(keys)}`;
    if (draw(5) < 2) assert.is(map.delete(key), plain.delete(key));
    else {
      assert.is(map.set(key, step), !plain.has(key));
      plain.set(key, step);
    }
    assert.is(map.size(), plain.size);
    const other = `stream-${draw(keys)}`;
    assert.is(map.get(other), plain.get(other));
  }
  assert.equal(new Map(map.entries()), new Map(plain));
  for (const [key, value] of plain) assert.is(map.get(key), value);
}

for (const [seed, keys, steps] of [
  [0, 12, 2000],
  [-1, 40, 4000],
  [123456789, 3000, 20_000],
] as const)
  test(`${keys} keys, set and removed ${steps} times, are those of a Map (seed ${seed})`, () => {
    for (const draws of [1, 2, 3]) compared(seed, draws, keys, steps);
  });

test('the same text is one key, however it was made, and the empty text is one too', () => {
  const map = createTextMap<string>(createTextHash(7));
  map.set('', 'empty');
  map.set('a long text of a line of a request'.slice(2, 20), 'part');
  assert.is(map.get(''), 'empty');
  assert.is(map.get(['long text', ' of a lin'].join('')), 'part');
  assert.is(map.get('long text of a line'), undefined);
});

test('a hundred thousand keys are found again while the map grows', () => {
  const map = createTextMap<number>(createTextHash(42));
  for (let number = 0; number < 100_000; number++) map.set(`${number}`, number);
  assert.is(map.size(), 100_000);
  for (let number = 0; number < 100_000; number += 7) assert.is(map.get(`${number}`), number);
  assert.is(map.get('100000'), undefined);
});

test.run();
