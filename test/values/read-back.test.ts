/** The short form of `npm run test:random -- values/read-back`: the value that a command reports is the one that reads back. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { entriesWithoutShape } from './expressions.ts';
import { readBack } from './read-back.ts';

const rounds = Number(process.env['ROUNDS'] ?? '1');
const seed = Number(process.env['SEED'] ?? '20260101');
const expressions = Number(process.env['EXPRESSIONS'] ?? (rounds > 1 ? '2000' : '160'));

test('every entry of the catalogue is written in some expression', () => {
  assert.equal(entriesWithoutShape(), []);
});

for (let round = 0; round < rounds; round += 1)
  test(`values at the ends of their types read back (seed ${seed + round})`, async () => {
    const { faults, accepted, dropped, refused, expressions: made } = await readBack(seed + round, expressions);
    assert.is(faults.slice(0, 10).join('\n'), '');
    // Neither the compiler nor failures take most of what was tried.
    assert.ok(
      dropped < made / 10 && accepted > made,
      `${made} expressions, ${dropped} dropped, ${accepted} commands accepted`,
    );
    assert.ok(refused.has('R0202'));
  });

test.run();
