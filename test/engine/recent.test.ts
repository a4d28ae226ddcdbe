import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRecent, type Recent } from '../../runtime/engine/recent.ts';

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The remaining letters after these steps: a plain letter is set, one with `?` is read. Reading is a step too. */
function kept(capacity: number, steps: string): string {
  return letters.filter((letter) => after(capacity, steps).get(letter) !== undefined).join('');
}

function after(capacity: number, steps: string): Recent<true> {
  const recent = createRecent<true>(capacity, 1);
  for (const step of steps.split(' ')) {
    if (step.endsWith('?')) recent.get(step.slice(0, -1));
    else recent.set(step, true);
  }
  return recent;
}

for (const [capacity, steps, expected] of [
  [4, 'a b c d', 'abcd'],
  [4, 'a b c d e', 'cde'],
  [4, 'a b a? c d', 'abcd'],
  [4, 'a b c a? d', 'acd'],
  [4, 'a b c d e f g h', 'efgh'],
  [4, 'a b c a? d a? e a? f', 'aef'],
] as const)
  test(`of ${capacity}, ${steps} leaves ${expected}`, () => {
    assert.is(kept(capacity, steps), expected);
  });

test('entries are reduced to what is left of them, old or new', () => {
  const recent = createRecent<string>(4, 1);
  for (const letter of ['a', 'b', 'c']) recent.set(letter, letter + letter);
  recent.reduce((value) => (value === 'bb' ? 'b' : undefined));
  assert.equal(
    ['a', 'b', 'c'].map((letter) => recent.get(letter)),
    [undefined, 'b', undefined],
  );
  recent.clear();
  assert.is(recent.get('b'), undefined);
});

test('what was neither set nor got lately is old', () => {
  const recent = after(4, 'a b c a?');
  assert.equal(
    ['a', 'b', 'c'].map((letter) => recent.young(letter) ?? false),
    [true, false, true],
  );
  assert.is(recent.get('b'), true);
});

test('a value of several places leaves room for fewer others', () => {
  const recent = createRecent<string>(8, 1, (value) => value.length);
  recent.set('a', 'one');
  recent.get('a');
  recent.grew();
  for (const letter of ['b', 'c', 'd', 'e', 'f']) recent.set(letter, letter);
  assert.equal(
    ['a', 'b', 'f'].map((letter) => recent.get(letter)),
    [undefined, 'b', 'f'],
  );
});

test.run();
