/** Random draws from a seed (docs/language.md#recorded-commands). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createDraws, newSeed, seedForm, seedOf } from '../../language/values/draws.ts';

const placed = `01${'5a'.repeat(16)}`;
const ordered = '5a'.repeat(16);

test('a draw depends on the seed, its place, and the draws before it at that place', () => {
  const one = createDraws(() => placed);
  const other = createDraws(() => placed);
  const [a, b, again] = [one.random('A/1'), one.random('B/1'), one.random('A/1')];
  other.uuid('C/1');
  assert.equal([other.random('B/1'), other.random('A/1'), other.random('A/1')], [b, a, again]);
  assert.is(new Set([a, b, again, createDraws(() => seedOf('entry 1')).random('A/1')]).size, 4);
});

test('a seed of the older form draws as it did: in order, whatever the place', () => {
  const draws = createDraws(() => ordered);
  assert.equal(
    [draws.random('A/1'), draws.uuid('B/1'), draws.random()],
    [0.1024066217581826, '7bc037fb-2cf1-4ea9-87ec-fdc4610633c8', 0.9568724974762852],
  );
});

test('the seed is asked for with the first draw', () => {
  let asked = 0;
  const draws = createDraws(() => {
    asked += 1;
    return placed;
  });
  assert.is(asked, 0);
  draws.random('A/1');
  assert.ok(asked > 0);
});

test('the form of seeds', () => {
  const made = newSeed((length) => new Uint8Array(length).fill(7));
  assert.equal([made, seedForm.test(made), seedForm.test(seedOf('x'))], [`01${'07'.repeat(16)}`, true, true]);
});

test.run();
