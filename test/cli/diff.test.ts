import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { diffTexts } from '../../cli/expectations/diff.ts';

const rows = (count: number, from = 1): string =>
  `[${Array.from({ length: count }, (_, index) => `[${index + from}]`).join(',')}]`;

const cases: [title: string, expected: string, got: string, lines: readonly string[]][] = [
  ['a row is another', '[[1],[2],[3]]', '[[1],[5],[3]]', ['  [1]', '- [2]', '+ [5]', '  [3]']],
  ['a row is missing', '[[1],[2]]', '[[1]]', ['  [1]', '- [2]']],
  ['a row too many', '[]', '[[1]]', ['+ [1]']],
  ['rows have changed places', '[[1],[2]]', '[[2],[1]]', ['- [1]', '  [2]', '+ [1]']],
  ['members of an object', '{"a":1,"b":2}', '{"a":1,"b":3}', ['  "a": 1', '- "b": 2', '+ "b": 3']],
  ['what is no JSON', 'an error', '{"kind":"select"}', ['- an error', '+ "kind": "select"']],
  [
    'only what is near a difference is shown',
    rows(9),
    rows(9).replace('[5]', '[0]'),
    ['  [3]', '  [4]', '- [5]', '+ [0]', '  [6]', '  [7]', '  …'],
  ],
  [
    'a deep and long row is shown member by member',
    `[{"a":{"b":"${'x'.repeat(80)}"},"c":1}]`,
    `[{"a":{"b":"${'x'.repeat(80)}"},"c":2}]`,
    ['    }', '-   "c": 1', '+   "c": 2', '  }'],
  ],
];
for (const [title, expected, got, lines] of cases) {
  test(title, () => assert.equal(diffTexts(expected, got).slice(-lines.length), lines));
}

test('long lines are cut around their difference, and further lines are counted', () => {
  const [minus = '', plus = ''] = diffTexts(`["${'x'.repeat(999)}"]`, `["${'x'.repeat(500)}y${'x'.repeat(498)}"]`);
  assert.match(minus, /^- …x{160}… \(1001 characters\)$/);
  assert.match(plus, /^\+ …x+yx+… \(1001 characters\)$/);
  const many = diffTexts(rows(100), '[]');
  assert.equal([many.length, many.at(-1)], [41, '  … and 60 more lines']);
});

test('two long lists with nothing in common are shown whole', () => {
  assert.is(diffTexts(rows(3000), rows(3000, 10_000)).at(-1), '  … and 5960 more lines');
});

test.run();
