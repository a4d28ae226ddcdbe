/** A few words at the places where they once went wrong, and some at all; `npm run test:names` tries every word at every place. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { places, type Place } from './places.ts';
import { tryName } from './try-name.ts';

const works: readonly (readonly [word: string, place: Place])[] = [
  ['rowid', 'field of an event'],
  ['true', 'column of a projection'],
  ['__proto__', 'field of a command'],
  ['constructor', 'column of STATE'],
  ['data', 'target of an inspection'],
  ['left', 'window'],
  ['default', 'decision'],
  ['null', 'aggregate'],
];
for (const [word, place] of works)
  test(`'${word}' names a ${place}`, async () => assert.is(await tryName(place, word), 'works'));

test('a word that cannot name something is refused by one message', async () => {
  assert.equal(await tryName('projection', 'meta_x'), {
    refused: "E0211 'meta_x' is reserved and cannot name a projection",
  });
  assert.equal(await tryName('event store', 'reg'), {
    refused: "E0211 'reg' is reserved and cannot name an event store",
  });
});

test('there is no place twice', () => assert.is(new Set(places).size, places.length));

test.run();
