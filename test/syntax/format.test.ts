import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findComments } from '../../compiler/syntax/format/comments.ts';
import { formatScript } from '../../compiler/syntax/format/format-script.ts';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { createScanner } from '../../compiler/syntax/scan/scanner.ts';
import { normalise } from './normalise.ts';
import { sampleScripts } from './sample-scripts.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
const settings = { seed, numRuns: Number(process.env['RUNS'] ?? 200) };

/** A text and its layout; the layout is its own. */
const table: readonly (readonly [string, string, string])[] = [
  ['nothing', ' \n', ''],
  ['a missing semicolon', 'select 1', 'SELECT 1;\n'],
  ['blank lines, one at most', 'SELECT 1;\n\n\n\nSELECT 2;SELECT 3;', 'SELECT 1;\n\nSELECT 2;\nSELECT 3;\n'],
  ['comments of their own', '\n-- a\n\n\n/* b\n  c */\nSELECT 1;\n-- d', '-- a\n\n/* b\n  c */\nSELECT 1;\n-- d\n'],
  [
    'comments behind a statement',
    'SELECT 1; -- a\nSELECT 2; /* b */ /* c */ SELECT 3 -- d\n;',
    'SELECT 1; -- a\nSELECT 2; /* b */ /* c */\nSELECT 3; -- d\n',
  ],
  [
    'expectations',
    'SELECT 1;\n\n--= rows\n--=   [[1]]\n\nSELECT 2;',
    'SELECT 1;\n--= rows\n--=   [[1]]\n\nSELECT 2;\n',
  ],
  [
    'comments in a list of fields',
    'CREATE COMMAND X ( -- open\n a INT, -- first\n -- own\n b INT -- second\n , c INT /* third */ NULL);',
    'CREATE COMMAND X ( -- open\n  a INT, -- first\n  -- own\n  b INT, -- second\n  c INT /* third */ NULL\n);\n',
  ],
  [
    'comments in a query',
    'SELECT a, -- one\nb\n-- from here\nFROM t -- t\nWHERE a = 1 -- cond\nAND b = 2;',
    'SELECT\n  a, -- one\n  b\n-- from here\nFROM t -- t\nWHERE a = 1 -- cond\n  AND b = 2;\n',
  ],
  [
    'comments in a decision',
    'CREATE DECISION D FOR A ON COMMAND C -- why\nAS\n-- the one\nBRANCH One SELECT EVENT E () WHERE TRUE -- always\nUNION ALL /* two */ SELECT EVENT F ();',
    'CREATE DECISION D FOR A ON COMMAND C -- why\nEMIT AS\n  -- the one\n  BRANCH One\n  SELECT EVENT E ()\n  WHERE TRUE -- always\n  UNION ALL /* two */\n  SELECT EVENT F ();\n',
  ],
  [
    'groups of fields, kept apart',
    'CREATE COMMAND X (a INT,\n\n\n b INT, c INT,\n\n -- last\n d INT\n\n);',
    'CREATE COMMAND X (\n  a INT,\n\n  b INT,\n  c INT,\n\n  -- last\n  d INT\n);\n',
  ],
  [
    'empty lines that keep nothing apart',
    'CREATE COMMAND X (\n\n a INT);\nSELECT 1\n\n  AS a\n\nFROM t\n\nWHERE\n\na = 1;',
    'CREATE COMMAND X (a INT);\nSELECT 1 AS a FROM t WHERE a = 1;\n',
  ],
  [
    'groups of a query, kept apart',
    'WITH a AS (SELECT 1),\n\nb AS (SELECT 2)\n\nSELECT x,\n\ny FROM a\n\nUNION ALL\n\nSELECT 1, 2;',
    'WITH\n  a AS (SELECT 1),\n\n  b AS (SELECT 2)\n\nSELECT\n  x,\n\n  y\nFROM a\n\nUNION ALL\nSELECT\n  1,\n  2;\n',
  ],
  [
    'groups of a decision, kept apart',
    'CREATE DECISION D FOR A ON COMMAND C\n\nSTATE AS SELECT 1 AS n\n\nEMIT AS BRANCH One SELECT EVENT E () /* one */\n\nUNION ALL\n\nBRANCH Two SELECT EVENT F (a := 1,\n\n b := 2);',
    'CREATE DECISION D FOR A ON COMMAND C\n\nSTATE AS\n  SELECT\n    1 AS n\n\nEMIT AS\n  BRANCH One\n  SELECT EVENT E () /* one */\n\n  UNION ALL\n\n  BRANCH Two\n  SELECT EVENT F (\n    a := 1,\n\n    b := 2\n  );\n',
  ],
  [
    'the body of a template as it is',
    'create template T (A) as (\n\n  create  event {{A}} (); -- odd\n\n);',
    'CREATE TEMPLATE T (A) AS (\n  create  event {{A}} (); -- odd\n);\n',
  ],
];

for (const [name, text, expected] of table) {
  test(name, () => {
    assert.equal(formatScript({ name: 'x', text }), { text: expected, diagnostics: [] });
    assert.equal(formatScript({ name: 'x', text: expected }), { text: expected, diagnostics: [] });
  });
}

test('a text that does not parse is left unchanged', () => {
  const { text, diagnostics } = formatScript({ name: 'x', text: 'SELECT 1;\nSELECT +;' });
  assert.equal([text, diagnostics.map(({ code }) => code)], [undefined, ['E0101']]);
});

const comments = [
  '-- c\n',
  ' -- c\n',
  '\n-- c\n',
  '/* c */',
  ' /* c */ ',
  '\n/* c\n d */\n',
  '\n\n--= ok\n',
  '\n',
  '\n\n',
  ' \n \n\n',
];

/** A text with comments put between its tokens, at places from 0 to 1. */
function withComments(text: string, places: readonly (readonly [number, string])[]): string {
  const ends: number[] = [0];
  const scanner = createScanner({
    text,
    start: 0,
    end: text.length,
    spanAt: (start, end) => ({ file: { name: '', text }, start, end }),
  });
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) ends.push(token.endOffset + 1);
  const chosen = places.map(([at, comment]) => [ends[Math.floor(at * ends.length)] ?? 0, comment] as const);
  return chosen
    .sort(([a], [b]) => b - a)
    .reduce((result, [at, comment]) => result.slice(0, at) + comment + result.slice(at), text);
}

test(`comments anywhere: none is lost, nothing else changes, and formatting again changes nothing (seed ${seed})`, () => {
  const statements = sampleScripts().flatMap((file) =>
    parseScript(file).statements.flatMap(({ statement, textSpan }) =>
      statement === undefined || statement.kind === 'CreateTemplate'
        ? []
        : file.text.slice(textSpan.start, textSpan.end),
    ),
  );
  const place = fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.constantFrom(...comments));
  const scripts = fc.tuple(
    fc.constantFrom(...statements),
    fc.constantFrom(...statements),
    fc.array(place, { maxLength: 6 }),
  );
  fc.assert(
    fc.property(scripts, ([first, second, places]) => {
      const text = withComments(`${first}\n${second}`, places);
      const file = { name: 'x', text };
      if (parseScript(file).diagnostics.length > 0) return;
      const formatted = { name: 'x', text: formatScript(file).text ?? '' };
      const words = (source: typeof file) =>
        findComments(source)
          .map((comment) => comment.text)
          .sort();
      const trees = (source: typeof file) =>
        parseScript(source).statements.map(({ statement }) => normalise(statement));
      assert.equal(words(formatted), words(file), formatted.text);
      assert.equal(trees(formatted), trees(file), formatted.text);
      assert.is(formatScript(formatted).text, formatted.text);
    }),
    settings,
  );
});

test.run();
