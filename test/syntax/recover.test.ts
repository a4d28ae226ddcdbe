/** Diagnostics of a statement with several errors; each error is reported once. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { createScanner } from '../../compiler/syntax/scan/scanner.ts';
import type { Token } from '../../compiler/syntax/tokens/token.ts';
import { placeOf, type SourceFile } from '../../language/source/source-file.ts';
import { assertDiagnostics } from '../kit/diagnostics.ts';
import { marked } from '../kit/marked.ts';
import { sampleScripts } from './sample-scripts.ts';

const missing = (what: string): string =>
  `E0101 expected ',' or ')', found '${what}'; is a ',' missing before '${what}'?`;
const unended = (what: string, line: number, sign = ';'): string =>
  `E0101 expected the end of the statement, found '${what}'; is a '${sign}' missing at the end of line ${line}?`;

const table: readonly (readonly [string, ...string[]])[] = [
  // several errors of one list
  ['CREATE EVENT E (\n a INT\n «b» INT,\n c INT,\n d INT\n «e» INT\n);', missing('b'), missing('e')],
  [
    'CREATE COMMAND C (id STRING «PRIMARY KEY», n «,» m INT«,»);',
    'E0120 PRIMARY KEY is written KEY: it marks the field that names the stream',
    "E0101 expected a type, found ','",
    'E0120 there is a comma too many: nothing follows it',
  ],
  [
    'CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (a := :a «&&» :b, b «=» 1, c := 1 «==» 2);',
    "E0120 '&&' is written AND",
    "E0101 expected ':=', found '='",
    "E0120 '==' is written =",
  ],
  // clauses of a query
  [
    'SELECT a «==» b AS x, c «&&» d AS y FROM t WHERE a «~» b GROUP BY a;',
    "E0120 '==' is written =",
    "E0120 '&&' is written AND",
    'E0120 there are no regular expressions: LIKE takes % for any text and _ for one character',
  ],
  // statements without a ; between them
  [
    'CREATE EVENT E (a INT)\n«CREATE» EVENT F (b INT)\n«CREATE» EVENT G (c INT «NOT NULL»);',
    unended('CREATE', 1),
    unended('CREATE', 2),
    'E0120 NOT NULL is not written: a field of an event has the value that the decision assigns, and is NULL without one',
  ],
  ['CREATE EVENT E (a INT\n«CREATE» EVENT F (b INT);', unended('CREATE', 1, ');')],
  ['CREATE PROJECTION P AS SELECT a FROM t\n\n«CREATE» EVENT F ();', unended('CREATE', 1)],
  ['SELECT 1 AS n\n«SELECT» 2 AS m;', unended('SELECT', 1)],
  ["EXECUTE C(id := 'a')\n«EXECUTE» C(id := 'b');", unended('EXECUTE', 1)],
  [
    'CREATE AGGREGATE A\n«CREATE» TEMPLATE T (n) AS (CREATE EVENT {{n}}E (); CREATE EVENT {{n}}F (););',
    unended('CREATE', 1),
  ],
  [
    'CREATE EVENT E () «CREATE» EVENT F ();',
    "E0101 expected the end of the statement, found 'CREATE'; is a ';' missing here?",
  ],
  // a comment of another language ends with its line
  [
    "CREATE EVENT E (\n a INT, «//» the first one's\n b INT, «#» and the second\n c INT «NULL»\n);",
    'E0120 a comment begins with --',
    'E0120 a comment begins with --',
    'E0120 NULL is written in a command only: fields of events and aggregates may always be NULL',
  ],
  // after these nothing more is said of the statement
  ["SELECT a «==» b, c «'open, d»;", "E0120 '==' is written =", "E0105 this string is not closed by a '"],
  ["CREATE EVENT E (a INT «'open,»\n b INT NOT NULL, c INT NOT NULL);", "E0105 this string is not closed by a '"],
  // the rest of the body of a broken template
  [
    'CREATE TEMPLATE T «n») AS (\n CREATE EVENT {{n}}A ();\n CREATE EVENT {{n}}B ();\n);\nCREATE EVENT E (a INT «NULL»);',
    "E0101 expected '(', found 'n'",
    'E0120 NULL is written in a command only: fields of events and aggregates may always be NULL',
  ],
  ['SELECT «{{a}}»;\nSELECT {{b}};', "E0501 {{a}} is outside a template's body"],
];

for (const [text, ...expected] of table) {
  test(text, () => {
    const source = marked(text);
    assertDiagnostics(parseScript(source.file).diagnostics, source, expected);
  });
}

/** Statements of people, each with the one after it, whose `;` may so be missing. */
function pairsOfStatements(): readonly SourceFile[] {
  return sampleScripts().flatMap((file) => {
    const { statements, diagnostics } = parseScript(file);
    if (diagnostics.length > 0) return [];
    return statements.slice(1).map(({ textSpan }, index) => ({
      name: `${file.name}:${index}`,
      text: file.text.slice(statements[index]?.span.start, textSpan.end),
    }));
  });
}

function tokensOf(file: SourceFile): readonly Token[] {
  const spanAt = (start: number, end: number) => ({ file, start, end });
  const scanner = createScanner({ text: file.text, start: 0, end: file.text.length, spanAt });
  const tokens: Token[] = [];
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) tokens.push(token);
  return tokens;
}

/** The lines from which on the loss of a token may show, and to which at the latest. */
const lateLines = 3;

test('a text that lost one token has at most two errors, and the first is near it', () => {
  const pairs = pairsOfStatements();
  assert.ok(pairs.length > 100, `${pairs.length} pairs of statements`);
  const wrong: string[] = [];
  // Each text loses a token at another place.
  for (const [index, file] of pairs.entries()) {
    const tokens = tokensOf(file);
    const at = 1 + ((index * 7) % Math.max(1, tokens.length - 2));
    const [before, lost, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
    if (before === undefined || lost === undefined || after === undefined) continue;
    const { text } = file;
    const blank = ' '.repeat(lost.endOffset + 1 - lost.startOffset);
    const broken = { ...file, text: text.slice(0, lost.startOffset) + blank + text.slice(lost.endOffset + 1) };
    const { diagnostics } = parseScript(broken);
    const [first] = diagnostics;
    // The parenthesis of a template's body is reported where it opens.
    if (first === undefined || first.code === 'E0513') continue;
    const line = (offset: number): number => placeOf(broken, offset).line;
    const near =
      line(first.span.end) >= line(before.startOffset) && line(first.span.start) <= line(after.endOffset) + lateLines;
    if (diagnostics.length > 2 || !near)
      wrong.push(`${file.name} without '${lost.image}': ${diagnostics.map(({ message }) => message).join(' | ')}`);
  }
  assert.equal(wrong, []);
});

test.run();
