import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  arrayCode,
  callCode,
  joinedCode,
  layoutCode,
  negatedCode,
  objectCode,
  type Code,
} from '../../templates/code.ts';
import { evaluate } from './evaluate.ts';
import { dataCode, textCode } from '../../templates/data.ts';

const long = (name: string): string => `${name}${'x'.repeat(40)}`;
const layouts: readonly (readonly [what: string, code: Code, text: string])[] = [
  [
    'an object that fits',
    objectCode([
      ['a', '1'],
      ['b', 'c'],
    ]),
    '{ a: 1, b: c }',
  ],
  ['a shorthand', objectCode([['a', 'a']]), '{ a }'],
  ['a key that is called as a value is', objectCode([['null', 'null']]), '{ null: null }'],
  ['a quoted key and the same text', objectCode([["'a b'", "'a b'"]]), "{ 'a b': 'a b' }"],
  ['nothing', objectCode([]), '{}'],
  ['a list that fits', arrayCode(['1', '2']), '[1, 2]'],
  [
    'an object that does not fit',
    objectCode([
      ['a', long('1')],
      ['b', long('2')],
      ['c', long('3')],
    ]),
    `{\n  a: ${long('1')},\n  b: ${long('2')},\n  c: ${long('3')},\n}`,
  ],
  [
    'two objects in a list',
    dataCode([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ]),
    '[\n  { a: 1, b: 2 },\n  { a: 3, b: 4 },\n]',
  ],
  [
    'a call with an object alone',
    callCode('f', [
      objectCode([
        ['a', long('1')],
        ['b', long('2')],
        ['c', long('3')],
      ]),
    ]),
    `f({\n  a: ${long('1')},\n  b: ${long('2')},\n  c: ${long('3')},\n})`,
  ],
  [
    'a condition that does not fit',
    negatedCode(joinedCode('&&', [long('a'), long('b'), long('c')])),
    `!(\n  ${long('a')} &&\n  ${long('b')} &&\n  ${long('c')}\n)`,
  ],
  [
    'a condition with parentheses',
    negatedCode({ open: '(', items: ['a', 'b'], close: ')', separator: ' ||', padding: '', trailing: '' }),
    '!(a || b)',
  ],
  [
    'a returned value that does not fit',
    ['return ', joinedCode('&&', [long('a'), long('b'), long('c')]), ';'],
    `return (\n  ${long('a')} &&\n  ${long('b')} &&\n  ${long('c')}\n);`,
  ],
  ['undefined properties', dataCode({ a: undefined, b: null }), '{ b: null }'],
];
for (const [what, code, text] of layouts) test(what, () => assert.is(layoutCode(code, 0, 0), text));

test('the pieces of a long text join to that text', () => {
  const text = `${'SELECT a FROM b WHERE c '.repeat(20)}\n${'😀'.repeat(100)}`;
  const printed = layoutCode(textCode(text), 0, 0);
  assert.ok(printed.split('\n').every((line) => line.length <= 120));
  assert.is(evaluate(`return (${printed});`), text);
});

test('a very long text is a flat list of pieces', () => {
  const text = 'word '.repeat(40_000);
  const printed = layoutCode(textCode(text), 0, 0);
  assert.match(printed, /^\[\n/);
  assert.is(evaluate(`return (${printed});`), text);
});

test.run();
