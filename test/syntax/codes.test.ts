import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { explanations } from '../../cli/commands/explain.ts';
import { syntax } from '../../language/diagnostics/codes/syntax.ts';
import { templates } from '../../language/diagnostics/codes/templates.ts';
import type { CreateTemplate } from '../../compiler/syntax/ast.ts';
import { expandApplications } from '../../compiler/syntax/expand/expand-applications.ts';
import { headerHints } from '../../compiler/syntax/file-header.ts';
import { parseQuery } from '../../compiler/syntax/parse-query.ts';
import { parseScript } from '../../compiler/syntax/parse.ts';

/** The codes of a text and of the expansions of its APPLYs. */
function codesOf(text: string): readonly string[] {
  const { statements, diagnostics } = parseScript({ name: 'x', text });
  const trees = statements.flatMap(({ statement }) => statement ?? []);
  const find = (name: string): CreateTemplate | undefined =>
    trees.find((tree): tree is CreateTemplate => tree.kind === 'CreateTemplate' && tree.name.text === name);
  const applied = trees.flatMap((tree) =>
    tree.kind === 'ApplyTemplate' ? expandApplications(tree, find).diagnostics : [],
  );
  return [...diagnostics, ...applied].map(({ code }) => code);
}

/** Codes that no script of a page raises alone. */
const elsewhere: Readonly<Record<string, () => readonly string[]>> = {
  E0110: () => codesOf("SELECT '\0'"),
  E0111: () => codesOf(' '.repeat(10 * 1024 * 1024 + 1)),
  E0113: () => codesOf(`SELECT ${'1, '.repeat(300_000)}1`),
  E0117: () => parseQuery({ name: 'x', text: 'DROP EVENT E' }).diagnostics.map(({ code }) => code),
  E0118: () => parseQuery({ name: 'x', text: 'SELECT 1; SELECT 2' }).diagnostics.map(({ code }) => code),
  E0119: () => parseQuery({ name: 'x', text: 'SELECT a INTO b FROM c' }).diagnostics.map(({ code }) => code),
  E0123: () =>
    headerHints(parseScript({ name: 'x', text: '--- Bikes\nCREATE EVENT A ();\nCREATE EVENT B ();' }).statements).map(
      ({ code }) => code,
    ),
  E0510: () =>
    codesOf(
      `CREATE TEMPLATE T (N) AS ( CREATE PROJECTION P AS SELECT '${'{{N}}'.repeat(1100)}' AS a; ); APPLY TEMPLATE T WITH (N = '${'x'.repeat(1000)}');`,
    ),
};

const explained = explanations();
for (const code of Object.keys({ ...syntax, ...templates })) {
  test(`${code}: ${explained.get(code)?.title}`, () => {
    const found = elsewhere[code]?.() ?? codesOf(explained.get(code)?.example ?? '');
    assert.equal(found, [code]);
  });
}

test.run();
