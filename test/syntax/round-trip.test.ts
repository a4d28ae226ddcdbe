import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatScript } from '../../compiler/syntax/format/format-script.ts';
import { parseExpression, parseScript } from '../../compiler/syntax/parse.ts';
import { printExpression, printStatement } from '../../compiler/syntax/print.ts';
import { arbitraryExpression, arbitraryStatement } from './arbitrary-tree.ts';
import { normalise } from './normalise.ts';
import { sampleScripts } from './sample-scripts.ts';
import { assertTreeInvariants } from './tree-invariants.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
const settings = { seed, numRuns: Number(process.env['RUNS'] ?? 300) };
const scripts = sampleScripts();

test('the list of scripts is not empty', () => {
  assert.ok(scripts.length >= 5);
});

for (const file of scripts) {
  test(`${file.name}: printing and parsing give the same tree`, () => {
    for (const { statement } of parseScript(file).statements) {
      if (statement === undefined) continue;
      assertTreeInvariants(statement);
      const text = printStatement(statement);
      const again = parseScript({ name: 'printed', text }).statements.map((found) => found.statement);
      assert.equal(again.map(normalise), [normalise(statement)], text);
      assert.is(again[0] && printStatement(again[0]), text);
    }
  });
  test(`${file.name}: formatting again changes nothing`, () => {
    const { text, diagnostics } = formatScript(file);
    if (diagnostics.length > 0) {
      assert.is(text, undefined);
      return;
    }
    const again = formatScript({ name: file.name, text: text ?? '' });
    assert.is(again.text, text);
    const trees = (script: string) =>
      parseScript({ name: '', text: script }).statements.map(({ statement }) => normalise(statement));
    assert.equal(trees(text ?? ''), trees(file.text));
  });
}

test(`any expression is printed and parsed back (seed ${seed})`, () => {
  fc.assert(
    fc.property(arbitraryExpression, (tree) => {
      const text = printExpression(tree);
      const { expression, diagnostics } = parseExpression({ name: 'x', text });
      assert.equal(
        diagnostics.map((fault) => fault.message),
        [],
        text,
      );
      assert.equal(normalise(expression), normalise(tree), text);
      if (expression !== undefined) assertTreeInvariants(expression);
    }),
    settings,
  );
});

test(`any statement is printed and parsed back (seed ${seed})`, () => {
  fc.assert(
    fc.property(arbitraryStatement, (tree) => {
      const text = printStatement(tree);
      const { statements, diagnostics } = parseScript({ name: 'x', text });
      assert.equal(
        diagnostics.map((fault) => fault.message),
        [],
        text,
      );
      assert.equal(
        statements.map(({ statement }) => normalise(statement)),
        [normalise(tree)],
        text,
      );
      const again = statements[0]?.statement;
      assert.is(again && printStatement(again), text);
      if (again !== undefined) assertTreeInvariants(again);
    }),
    settings,
  );
});

test.run();
