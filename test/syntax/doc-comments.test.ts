/** Doc comments: which text belongs to which block and field, and which is an ordinary comment. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isBlockStatement } from '../../compiler/syntax/ast.ts';
import { formatScript } from '../../compiler/syntax/format/format-script.ts';
import { expandApplications } from '../../compiler/syntax/expand/expand-applications.ts';
import { createChangeParser } from '../../compiler/syntax/parse-changes.ts';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { printStatement } from '../../compiler/syntax/print.ts';
import { withoutPasswords } from '../../compiler/analyse/store/without-passwords.ts';
import type { Statement } from '../../compiler/syntax/ast.ts';
import { atOnce } from '../../language/source/steps.ts';

/** The doc comments of statements: `Name: text`, and `Name.field: text`, a line break as `|`. */
function docsIn(statements: readonly (Statement | undefined)[]): readonly string[] {
  const shown = (doc: string): string => doc.replaceAll('\n', '|');
  return statements.flatMap((statement) => {
    if (statement === undefined || !isBlockStatement(statement)) return [];
    const { doc, name } = statement;
    const fields = 'fields' in statement ? statement.fields : [];
    return [
      ...(doc === undefined ? [] : [`${name.text}: ${shown(doc)}`]),
      ...fields.flatMap((field) =>
        field.doc === undefined ? [] : [`${name.text}.${field.name.text}: ${shown(field.doc)}`],
      ),
    ];
  });
}

const parsed = (text: string): readonly (Statement | undefined)[] => {
  const { statements, diagnostics } = parseScript({ name: 'a', text });
  assert.equal(diagnostics, [], text);
  return statements.map(({ statement }) => statement);
};

const table: readonly (readonly [text: string, ...docs: readonly string[]])[] = [
  ['--- a\nCREATE AGGREGATE X;', 'X: a'],
  ['--- a\r\n---   b \t\r\n  CREATE OR REPLACE AGGREGATE X;', 'X: a|  b'],
  ["\ufeff---\ta\nCREATE ENUM X AS ('a');", 'X: a'],
  [`--- it's "it"; -- /* here\nCREATE AGGREGATE X;`, `X: it's "it"; -- /* here`],
  ['--- a\nCREATE AGGREGATE X; --- not b\nCREATE AGGREGATE Y;', 'X: a'],
  ['CREATE AGGREGATE X; --- not a\n--- b\nCREATE AGGREGATE Y;', 'Y: b'],
  ['--- a\n\nCREATE AGGREGATE X;'],
  ['--- a\n-- b\nCREATE AGGREGATE X;'],
  ['--- a\n/* b */ CREATE AGGREGATE X;'],
  ['/* b */ --- a\nCREATE AGGREGATE X;'],
  ['/*\n--- a\n--- b */\nCREATE AGGREGATE X;'],
  ['--- a\n\n--- b\nCREATE AGGREGATE X;', 'X: b'],
  ['--- Banner ---\n--- a\nCREATE AGGREGATE X;', 'X: a'],
  ['--- a\n--- Banner ---\nCREATE AGGREGATE X;'],
  ['---- a\nCREATE AGGREGATE X;'],
  ['---a\nCREATE AGGREGATE X;'],
  ['---\nCREATE AGGREGATE X;'],
  ['--- \nCREATE AGGREGATE X;'],
  ['--- a\n--=\nCREATE AGGREGATE X;'],
  ["SELECT '\n--- a\n--- b';\nCREATE AGGREGATE X;"],
  ['--- a\nSELECT 1;\nCREATE AGGREGATE X;'],
  ['CREATE AGGREGATE\n--- a\nX;'],
  ['CREATE AGGREGATE X (\n--- a\n--- b\nf INT KEY,\n--- c\ng INT AS COUNT(*), h INT);', 'X.f: a|b', 'X.g: c'],
  ['CREATE AGGREGATE X ( --- a\nf INT, --- b\ng INT);'],
  ['CREATE COMMAND X (\n--- a\nf INT CHECK (f > 0),\n--- b\nCHECK (f > 1));', 'X.f: a'],
  ['CREATE EVENT X (\n--- a\nf INT)\n--- b\nUPCAST FROM (\n--- c\ng INT) AS (f := g);', 'X.f: a'],
  ['--- a\nCREATE FUNCTION X (\n--- b\nf INT) RETURNS INT AS f;', 'X: a'],
];

for (const [text, ...docs] of table) test(JSON.stringify(text), () => assert.equal(docsIn(parsed(text)), docs));

test('printed with its doc comments, a text has them again; printed without, it is the definition alone', () => {
  for (const [text, ...docs] of table) {
    const statements = parsed(text).flatMap((statement) => statement ?? []);
    const print = (kept: 'keep' | 'omit'): string =>
      statements.map((statement) => printStatement(statement, { docs: kept })).join('\n');
    assert.equal(docsIn(parsed(print('keep'))), docs, text);
    assert.equal(docsIn(parsed(print('omit'))), [], text);
    assert.equal(
      print('omit'),
      parsed(print('keep'))
        .map((one) => one && printStatement(one))
        .join('\n'),
      text,
    );
  }
});

test('the formatter keeps what is a doc comment, and makes none of other comments', () => {
  for (const [text, ...docs] of table) {
    const formatted = formatScript({ name: 'a', text }).text ?? '';
    assert.equal(docsIn(parsed(formatted)), docs, formatted);
    assert.is(formatScript({ name: 'a', text: formatted }).text, formatted);
  }
  const { text } = formatScript({ name: 'a', text: 'CREATE EVENT X (\n--- no\n\na INT,\n\n--- yes\nb INT);' });
  assert.is(text, 'CREATE EVENT X (\n  --- no\n\n  a INT,\n\n  --- yes\n  b INT\n);\n');
});

test('a text that is parsed statement by statement has the same ones', () => {
  for (const [text, ...docs] of table) {
    const changes = atOnce(createChangeParser().parse([{ name: 'a', text: text.replace(/^\ufeff/, '') }]));
    assert.equal(docsIn(changes?.statements ?? []), docs, text);
  }
});

test('blocks of a template have those of its body, with its arguments in them', () => {
  const text = `--- Makes a counter.
CREATE TEMPLATE Counter (Entity STRING, Fields) AS (
  --- Counts a {{ Entity }}, not {{Other}}.
  CREATE COMMAND Count{{Entity}} (id STRING KEY, {{Fields}});
);
APPLY TEMPLATE Counter WITH (Entity = 'Sheep', Fields = (
  --- its colour
  colour STRING));`;
  const [template, application] = parsed(text);
  if (template?.kind !== 'CreateTemplate' || application?.kind !== 'ApplyTemplate') throw new Error('no application');
  const expanded = expandApplications(application, () => template);
  assert.equal(docsIn([template, ...expanded.statements]), [
    'Counter: Makes a counter.',
    'CountSheep: Counts a Sheep, not {{Other}}.',
    'CountSheep.colour: its colour',
  ]);
});

test('a password in an event store stays out of its documented text', () => {
  const [store] = parsed("--- Our log.\nCREATE EVENTSTORE Log WITH (durable.url = 'postgres://u:secret@h/d');");
  const text = store === undefined ? '' : withoutPasswords(printStatement(store, { docs: 'keep' }));
  assert.equal([text.startsWith('--- Our log.\nCREATE EVENTSTORE'), text.includes('secret')], [true, false]);
});

test.run();
