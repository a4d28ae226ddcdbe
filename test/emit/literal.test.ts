import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { evaluate } from './evaluate.ts';
import { commentLines, propertyAccess, propertyKey, quotedText, stringLiteral } from '../../templates/literal.ts';

const corpus = JSON.parse(readFileSync(new URL('hostile.json', import.meta.url), 'utf8')) as readonly {
  readonly value: unknown;
}[];
const hostile = corpus.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
const canary = (): unknown => (globalThis as { PWN?: unknown }).PWN;

const literals: readonly (readonly [text: string, literal: string])[] = [
  ['', "''"],
  ['plain', "'plain'"],
  ["it's", "'it\\'s'"],
  ['a\\', "'a\\\\'"],
  ['two\nlines\r\t', "'two\\nlines\\r\\t'"],
  ['`${x}`', "'\\`$\\{x}\\`'"],
  ['*/', "'*\\/'"],
  ['</script>', "'\\x3c/script>'"],
  ['<!--', "'\\x3c!--'"],
  ['\u2028\u2029', "'\\u2028\\u2029'"],
  ['\u202e\u200d\ufeff', "'\\u202e\\u200d\\ufeff'"],
  ['\ud800', "'\\ud800'"],
  ['😀é', "'😀é'"],
  ['\u{e0041}', "'\\u{e0041}'"],
  ['//# sourceMappingURL=x', "'//# \\x73ourceMappingURL=x'"],
  ['source', "'source'"],
];
for (const [text, literal] of literals)
  test(`literal of ${JSON.stringify(text)}`, () => assert.is(stringLiteral(text), literal));

test('a literal evaluates to its text, for any text', () => {
  for (const text of [...hostile, ...literals.map(([given]) => given), '\0\u0001\u007f', '\\u0041', '${', '\\`']) {
    assert.is(evaluate(`return ${stringLiteral(text)};`), text);
    assert.is(evaluate(`return ${quotedText(text)};`), text);
    assert.not.match(stringLiteral(text), /[\n\r\u2028\u2029]|\*\/|<\/|\$\{/);
  }
  assert.is(canary(), undefined);
});

test('a literal uses the quotes that need fewer escapes', () => {
  assert.is(quotedText("it's"), `"it's"`);
  assert.is(quotedText('say "x"'), `'say "x"'`);
  assert.is(quotedText('plain'), "'plain'");
});

test('any name is the key of one property', () => {
  for (const name of [...hostile, 'await', 'two words', '0']) {
    const object = evaluate(`return { ${propertyKey(name)}: 7 };`) as object;
    assert.equal(Object.getOwnPropertyNames(object), [name]);
    assert.is(Object.getPrototypeOf(object), Object.prototype);
    assert.is(evaluate(`const o = { ${propertyKey(name)}: 7 }; return ${propertyAccess('o', name)};`), 7);
  }
  assert.is(canary(), undefined);
});

test('no text can end a comment', () => {
  for (const text of [...hostile, '*/*/', '/*', '@ts-nocheck', '//# sourceMappingURL=/etc/passwd', 'a\r\nb']) {
    const lines = commentLines(text);
    assert.is(evaluate(`/** ${lines.join('\n * ')} */ return 1;`), 1);
    assert.is(evaluate(`${lines.map((line) => `// ${line}`).join('\n')}\nreturn 1;`), 1);
    assert.not.match(lines.join('\n'), /[#@]\s*source|@ts-/i);
  }
  assert.is(canary(), undefined);
});

test.run();
