import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkScriptInSteps } from '../../compiler/check-script.ts';
import { atOnce } from '../../language/source/steps.ts';
import { bindQuery, compileFiles, crossCheck, parseQuery } from '../../compiler/index.ts';
import type { Diagnostic, Fix } from '../../language/diagnostics/diagnostic.ts';
import { fixesOf } from '../../language/diagnostics/fixes.ts';
import { diagnosticJson } from '../../language/diagnostics/json.ts';
import { offeredNames } from '../../language/diagnostics/suggestion.ts';
import { readPage } from '../errors/page.ts';
import { root } from '../kit/tool.ts';

/** Everything that `check` says of a page of errors, as files or as a script. */
function findings(text: string): readonly Diagnostic[] {
  const [blocks = '', query] = text.split('-- console\n');
  if (query !== undefined) {
    const { registry } = compileFiles([{ name: 'blocks', text: blocks }]);
    const parsed = parseQuery({ name: 'page', text: query });
    return parsed.outcome === 'query'
      ? bindQuery(registry, parsed.query, { tables: [], cleared: false }).diagnostics
      : parsed.diagnostics;
  }
  const file = { name: 'page', text };
  const compiled = compileFiles([file]);
  const asFiles = [...compiled.diagnostics, ...crossCheck(compiled.registry)];
  if (text.startsWith('-- check\n')) return asFiles;
  const { registry } = compileFiles([]);
  return [...atOnce(checkScriptInSteps(file, registry)).flatMap(({ diagnostics }) => diagnostics), ...asFiles];
}

function applied(text: string, { span, replacement }: Fix): string {
  const changed = span.file.text.slice(0, span.start) + replacement + span.file.text.slice(span.end);
  return text.replace(span.file.text, () => changed);
}

const pages = join(root, 'test/errors');
let offers = 0;
for (const name of readdirSync(pages).filter((each) => each.endsWith('.page'))) {
  const { source } = readPage(readFileSync(join(pages, name), 'utf8'));
  const offering = findings(source).filter(({ message }) => offeredNames(message).length > 0);
  if (offering.length > 0)
    test(`each name that ${name} offers is a fix, and repairs it`, () => {
      for (const diagnostic of offering) {
        offers++;
        const names = offeredNames(diagnostic.message);
        assert.equal(
          fixesOf(diagnostic).map(({ title }) => title),
          names.map((offered) => `write '${offered}'`),
          diagnostic.message,
        );
        for (const fix of fixesOf(diagnostic)) {
          const left = findings(applied(source, fix)).map(({ message }) => message);
          const before = findings(source).map(({ message }) => message);
          const count = (all: readonly string[]): number => all.filter((each) => each === diagnostic.message).length;
          assert.ok(count(left) < count(before), `${fix.title} leaves ${diagnostic.message}`);
        }
      }
    });
}
test('the pages offer names', () => assert.ok(offers >= 25, `${offers} names`));

const bank = `CREATE AGGREGATE A ("order" STRING, x INT); CREATE COMMAND C (id STRING, "from" INT); CREATE EVENT E (n INT);
`;
/** Replacements of `«…»`, one for each fix. */
const cases: readonly (readonly [text: string, ...replacements: string[]])[] = [
  ['SELECT «ordr» FROM Reg."A$Agg";', '"order"'],
  ['SELECT a.«ordr» FROM Reg."A$Agg" a;', 'order'],
  ['SELECT «"ordr"» FROM Reg."A$Agg";', '"order"'],
  ['SELECT * FROM Reg.«"A$Evnts"»;', '"A$Events"'],
  ['SELECT * FROM Reg.«A»;', 'A$Events', 'A$Agg'],
  ['«SELCT» 1;', 'SELECT'],
  ['CREATE EVENT F (x «DECIML»(12,2));', 'DECIMAL'],
  ['CREATE EVENT F (x «INTT», y STRING);', 'INT'],
  ["SELECT «UPER»('a');", 'UPPER'],
  ['SELECT COUNT(*) FROM Reg."A$Events" WHERE event_type = «\'F\'»;'],
  ['CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (n := :«frm»);', 'from'],
];
for (const [marked, ...replacements] of cases)
  test(`the fixes of ${marked}`, () => {
    const text = bank + marked.replace(/[«»]/g, '');
    const { registry } = compileFiles([{ name: 'bank', text: bank }]);
    const found = atOnce(checkScriptInSteps({ name: 'a', text }, registry)).flatMap(({ diagnostics }) => diagnostics);
    const fixes = found.flatMap(fixesOf);
    assert.equal(
      fixes.map(({ replacement }) => replacement),
      replacements,
      JSON.stringify(found.map(({ message }) => message)),
    );
    const start = bank.length + marked.indexOf('«');
    for (const { span } of fixes)
      assert.equal([span.start, span.end], [start, start + marked.indexOf('»') - marked.indexOf('«') - 1]);
  });

test('a name that a template makes from its parameters is not in the text', () => {
  const text = `CREATE TEMPLATE T (Entity) AS (CREATE PROJECTION P AS SELECT * FROM Reg."{{Entity}}$Evnts";);
APPLY TEMPLATE T WITH (Entity = 'A');`;
  const { diagnostics } = compileFiles([{ name: 'a', text: bank + text }]);
  const [found] = diagnostics.filter(({ code }) => code === 'E0206');
  assert.equal(found === undefined ? undefined : [offeredNames(found.message), fixesOf(found)], [['A$Events'], []]);
});

test('JSON has the first fix, and the others with it', () => {
  const { registry } = compileFiles([{ name: 'bank', text: bank }]);
  const [found] = atOnce(checkScriptInSteps({ name: 'a', text: 'SELECT * FROM Reg.A;' }, registry)).flatMap(
    ({ diagnostics }) => diagnostics,
  );
  const range = { file: 'a', line: 1, column: 19, end_line: 1, end_column: 20 };
  const json = found === undefined ? undefined : diagnosticJson(found);
  assert.equal(
    [json?.fix, json?.other_fixes],
    [
      { title: "write 'A$Events'", replacement: 'A$Events', ...range },
      [{ title: "write 'A$Agg'", replacement: 'A$Agg', ...range }],
    ],
  );
});

test.run();
