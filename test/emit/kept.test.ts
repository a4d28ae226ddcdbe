import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createKept } from '../../compiler/emit/memory/kept.ts';

interface Item {
  readonly name: string;
  readonly note?: string | null;
  readonly of?: readonly Item[];
}
const item = (name: string): Item => ({ name });
const [a, b, c] = [item('a'), item('b'), item('c')];

/** Which items of the second list are objects of the first, by their names. */
const lists: readonly (readonly [
  what: string,
  last: readonly Item[],
  next: readonly Item[],
  kept: readonly string[],
])[] = [
  ['one that changed', [a, b, c], [item('a'), item('x'), item('c')], ['a', 'c']],
  ['one that came first', [a, b], [item('x'), item('a'), item('b')], ['a', 'b']],
  ['one that came between', [a, c], [item('a'), item('b'), item('c')], ['a', 'c']],
  ['one that came last', [a, b], [item('a'), item('b'), item('c')], ['a', 'b']],
  ['one that went', [a, b, c], [item('a'), item('c')], ['a', 'c']],
  ['all but the last that went', [a, b, c], [item('c')], ['c']],
  ['the same one twice', [a], [item('a'), item('a')], ['a']],
  ['nothing before', [], [item('a')], []],
  ['a property more', [a], [{ name: 'a', note: 'x' }], []],
  ['a property less', [{ name: 'a', note: 'x' }], [item('a')], []],
  ['null for an object', [a], [{ name: 'a', note: null }], []],
  ['properties in another order', [{ name: 'a', note: 'x' }], [{ note: 'x', name: 'a' }], []],
  ['a change inside', [{ name: 'a', of: [b, c] }], [{ name: 'a', of: [item('b'), item('x')] }], []],
];

for (const [what, last, next, names] of lists)
  test(`equal items of a list stay the same objects: ${what}`, () => {
    const keep = createKept<readonly Item[]>();
    keep(last);
    const kept = keep(next);
    assert.equal(kept, next);
    assert.equal(
      kept.map((each) => Object.keys(each)),
      next.map((each) => Object.keys(each)),
    );
    const known = new Set(last);
    assert.equal(
      kept.filter((each) => known.has(each)).map(({ name }) => name),
      names,
    );
  });

test('an equal value is the previous object itself, and so is each equal part', () => {
  const keep = createKept<{ readonly items: readonly Item[]; readonly count: number }>();
  const first = keep({ items: [a, { name: 'x', of: [b] }], count: 1 });
  assert.is(keep({ items: [item('a'), { name: 'x', of: [item('b')] }], count: 1 }), first);
  const second = keep({ items: [item('a'), { name: 'x', of: [item('b')] }], count: 2 });
  assert.is(second.items, first.items);
  assert.is(second.count, 2);
});

test.run();
