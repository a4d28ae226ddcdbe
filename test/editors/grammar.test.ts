import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Oniguruma from 'vscode-oniguruma';
import type * as TextMate from 'vscode-textmate';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { wordsOf, type WordKind } from '../../compiler/editor/words.ts';
import { callWords, clauseWords, freeWords, literalWords } from '../../compiler/syntax/tokens/keywords.ts';
import { reservedWords } from '../../language/source/reserved-words.ts';
import { bareFunctionWords, functionWords, textMateGrammar, typeWords } from '../../editors/textmate-grammar.ts';
import { root } from '../kit/tool.ts';

const load = createRequire(import.meta.url);
const oniguruma = load('vscode-oniguruma') as typeof Oniguruma;
const textmate = load('vscode-textmate') as typeof TextMate;

await oniguruma.loadWASM(readFileSync(load.resolve('vscode-oniguruma/release/onig.wasm')));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => oniguruma.createOnigScanner(patterns),
    createOnigString: (text) => oniguruma.createOnigString(text),
  }),
  loadGrammar: () =>
    Promise.resolve(textmate.parseRawGrammar(JSON.stringify(textMateGrammar()), 'schemac.tmLanguage.json')),
});
const grammar = await registry.loadGrammar('source.schemac');

/** The innermost scope of each character, without `.schemac`. */
function scopesOf(text: string): readonly string[] {
  const scopes: string[] = [];
  let state: TextMate.StateStack | null = null;
  for (const line of text.split('\n')) {
    const found: TextMate.ITokenizeLineResult | undefined = grammar?.tokenizeLine(line, state);
    if (found === undefined) throw new Error('the grammar is not loaded');
    for (const { startIndex, endIndex, scopes: all } of found.tokens)
      for (let at = startIndex; at < Math.min(endIndex, line.length); at++)
        scopes.push((all.at(-1) ?? '').replace(/\.schemac$/, ''));
    scopes.push(''); // the line end
    state = found.ruleStack;
  }
  return scopes;
}

/** Runs of one scope, without blanks and plain text: `keyword:CREATE type:INT`. */
function shown(text: string): string {
  const scopes = scopesOf(text);
  const runs: { scope: string; text: string }[] = [];
  Array.from(text, (character, at) => {
    const scope = scopes[at] ?? '';
    const last = runs.at(-1);
    if (last?.scope === scope) last.text += character;
    else runs.push({ scope, text: character });
  });
  return runs
    .filter(({ scope, text: run }) => !/^(source|punctuation.*|)$/.test(scope) && run.trim() !== '')
    .map(({ scope, text: run }) => `${scope.split('.')[0] ?? ''}:${run.trim()}`)
    .join(' ');
}

const cases: readonly (readonly [text: string, expected: string])[] = [
  [
    'CREATE EVENT Opened (owner STRING SENSITIVE); -- a',
    'keyword:CREATE keyword:EVENT entity:Opened storage:STRING keyword:SENSITIVE comment:-- a',
  ],
  ['create event Opened (a Int)', 'keyword:create keyword:event entity:Opened storage:Int'],
  [
    "SELECT 'it''s', 1.5e3, .5 FROM x",
    "keyword:SELECT string:'it constant:'' string:s' constant:1.5e3 constant:.5 keyword:FROM",
  ],
  ["''''", "string:' constant:'' string:'"],
  ['data.key AS "from"', 'variable:key keyword:AS variable:"from"'],
  ['a::DATE, :state, b := :"x y"', 'keyword::: storage:DATE variable::state keyword::= variable::"x y"'],
  ['COUNT(*) OVER (ORDER BY x)', 'support:COUNT keyword:* keyword:OVER keyword:ORDER keyword:BY'],
  ['LEFT JOIN x ON LEFT(y, 2)', 'keyword:LEFT keyword:JOIN keyword:ON support:LEFT constant:2'],
  ["DATE '2020-01-01' < TRUE", "keyword:DATE string:'2020-01-01' keyword:< constant:TRUE"],
  ['/* a /* b */ c */ NULL', 'comment:/* a /* b */ c */ constant:NULL'],
  ['CREATE EVENT {{Entity}}Made', 'keyword:CREATE keyword:EVENT entity:{{Entity}}Made'],
  ["EXECUTE Pay(label := '{{x}}')", "keyword:EXECUTE entity:Pay keyword::= string:' variable:{{x}} string:'"],
  ['--= rejected {"a": 1}', 'keyword:rejected string:{"a": 1}'],
  ['a$SELECT SELECTED x_FROM', ''],
];
for (const [text, expected] of cases) test(`colours of ${text}`, () => assert.is(shown(text), expected));

test('every keyword, function and type of the parser has its colour', () => {
  const scopeIn = (text: string, at: number): string => scopesOf(text)[at]?.split('.')[0] ?? '';
  const constants = ['TRUE', 'FALSE', 'NULL'];
  const words: (readonly [text: string, at: number, expected: string])[] = [
    ...[...reservedWords, ...clauseWords, ...freeWords].map(
      (word) => [`x ${word} `, 2, constants.includes(word) ? 'constant' : 'keyword'] as const,
    ),
    ...literalWords.map((word) => [`x ${word} 'a'`, 2, 'keyword'] as const),
    ...functionWords.map((word) => [`x ${word}(y)`, 2, 'support'] as const),
    ...bareFunctionWords.map((word) => [`x ${word},`, 2, 'support'] as const),
    ...callWords.filter((word) => !functionWords.includes(word)).map((word) => [`x ${word}(y)`, 2, 'keyword'] as const),
    ...typeWords.map((word) => [`x ${word},`, 2, 'storage'] as const),
  ];
  assert.equal(
    words.filter(([text, at, expected]) => scopeIn(text, at) !== expected).map(([text]) => text),
    [],
  );
});

/**
 * Scopes that the grammar may give a word of which the language server says this. The grammar sees no tree: it cannot always distinguish
 * names from other words.
 */
const agrees: Readonly<Record<WordKind, RegExp>> = {
  comment: /^comment|expectation|^punctuation\.definition\.comment/,
  string: /^string|^constant\.character|template/,
  number: /^constant\.numeric/,
  parameter: /^variable|^source|^entity/,
  keyword: /^keyword\.other|^constant\.language|^storage|^support/,
  type: /^storage/,
  function: /^support|^keyword/,
  class: /^entity|^source|^variable|^keyword/,
  event: /^entity|^source|^variable/,
  method: /^entity|^source|^variable/,
  property: /^(?!string|comment|constant\.numeric)/,
  variable: /^(?!string|comment|constant\.numeric)/,
};

function schemaFiles(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.name.endsWith('.schema') && !entry.parentPath.includes('generated'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

for (const folder of ['examples', 'templates'])
  test(`the grammar and the language server agree on every word of ${folder}`, () => {
    const files = schemaFiles(folder);
    assert.ok(files.length >= 10);
    const wrong = files.flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      const scopes = scopesOf(text);
      return wordsOf({ name: path, text }).flatMap(({ start, end, kind }) => {
        const seen = [...new Set(scopes.slice(start, end).filter((scope) => scope !== ''))];
        const isWrong = seen.some((scope) => !agrees[kind].test(scope));
        return isWrong ? [`${path}: ${kind} ${text.slice(start, end)} is ${seen.join(' and ')}`] : [];
      });
    });
    assert.equal(wrong, []);
  });

test.run();
