import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatScript } from '../../compiler/syntax/format/format-script.ts';
import { parseExpression, parseScript } from '../../compiler/syntax/parse.ts';
import { printExpression, printStatement } from '../../compiler/syntax/print.ts';
import { arbitraryExpression, arbitraryStatement } from './arbitrary-tree.ts';
import { normalise } from './normalise.ts';
import { sampleScripts } from './sample-scripts.ts';
import { createScanner } from '../../compiler/syntax/scan/scanner.ts';
import type { Token } from '../../compiler/syntax/tokens/token.ts';
import { keyword } from '../../compiler/syntax/tokens/vocabulary.ts';
import { createChance } from '../crash/chance.ts';
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

/** Statements with names at the places that the scripts leave out. */
const named = `DESCRIBE Tank; DESCRIBE EVENT Tank; DROP TABLE Tank; DROP EVENT Tank; EXPLAIN DECISION Tank; SELECT a AS Tank FROM t Tank; EXECUTE Tank(Tank := 1);
INSPECT DECISION Tank FROM Tank INTO Tank USING EVENTSTORE Tank; INSPECT PROJECTION Tank INTO Tank; CREATE TABLE Tank (Tank) AS SELECT Tank; APPLY TEMPLATE Tank WITH (Tank = 1);
SELECT SUM(a) OVER Tank FROM t WINDOW Tank AS (PARTITION BY Tank); WITH Tank AS (SELECT 1 AS Tank) SELECT Tank.Tank FROM Tank; SELECT * FROM Reg.Tank JOIN u USING (Tank);`;
const statements = [...scripts, { name: 'named', text: named }].flatMap((file) =>
  parseScript(file).statements.flatMap(({ statement, textSpan: { start, end } }) =>
    statement === undefined || end - start > 1500 ? [] : [file.text.slice(start, end)],
  ),
);

function tokensOf(text: string): readonly Token[] {
  const file = { name: '', text };
  const scanner = createScanner({
    text,
    start: 0,
    end: text.length,
    spanAt: (start, end) => ({ file, start, end }),
  });
  const tokens: Token[] = [];
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) tokens.push(token);
  return tokens;
}

/** A text that parses is laid out in one go, and means the same. */
function assertFormatted(text: string): void {
  const trees = (script: string): unknown =>
    parseScript({ name: '', text: script }).statements.map(({ statement }) => normalise(statement));
  const once = formatScript({ name: '', text }).text;
  if (once === undefined) return;
  assert.is(formatScript({ name: '', text: once }).text, once, text);
  assert.equal(trees(once), trees(text), text);
}

const comments = [
  ...['-- x\n', '--\n', '/* x */', '/* a\n b */', '--= x\n', '\n\n', '\n-- own\n', '\n--- doc\n'],
  ...['\n--- a\n\n--- b\n', '\n--\n--- doc\n'],
];

test(`comments between any tokens are laid out once (seed ${seed})`, () => {
  const chance = createChance(seed);
  const some = <T>(items: readonly T[]): T => items[chance.below(items.length)] as T; // none of the lists is empty
  for (let run = 0; run < settings.numRuns; run++) {
    let text = some(statements);
    const tokens = tokensOf(text);
    const at = chance.below(tokens.length);
    const places = chance.below(2) === 0 ? [at, at - 1] : [at, chance.below(at + 1)];
    for (const place of places) {
      const start = tokens[place]?.startOffset ?? 0;
      text = text.slice(0, start) + some(comments) + text.slice(start);
    }
    assertFormatted(text);
  }
});

test(`a name that is a keyword in quotes stays that name (seed ${seed})`, () => {
  const chance = createChance(seed);
  const words = Object.keys(keyword).flatMap((word) => [word, word.toLowerCase()]);
  for (const text of named.split(';').slice(0, -1))
    for (const { image, startOffset, endOffset } of tokensOf(text))
      for (let run = 0; image === 'Tank' && run * 20 < settings.numRuns; run++) {
        const word = words[chance.below(words.length)] ?? '';
        assertFormatted(`${text.slice(0, startOffset)}"${word}"${text.slice(endOffset + 1)};`);
      }
  for (const word of ['EVENTS', 'aggregates', 'event', 'INSPECTION']) assertFormatted(`DESCRIBE "${word}";`);
});

test.run();
