import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createIncrementalCompiler } from '../../compiler/compile.ts';
import { compileFiles } from '../../compiler/index.ts';
import { createPartialCompiler } from '../../compiler/partial.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import { fixesOf } from '../../language/diagnostics/fixes.ts';

/** Each finding with the text it marks, and the text after its repair. */
function found({ code, message, span, ...more }: Diagnostic): readonly unknown[] {
  const { text } = span.file;
  const repaired = fixesOf({ code, message, span, ...more }).map(
    ({ span: { start, end }, replacement }) => text.slice(0, start) + replacement + text.slice(end),
  );
  return [code, message, text.slice(span.start, span.end), ...repaired];
}

const rest = 'CREATE AGGREGATE Tank;\nCREATE EVENT Filled ();\n';
const hint = (kind: string, first: string, text: string): readonly unknown[] => [
  'E0123',
  `this comment describes ${kind}; with an empty line below it, it is about the whole text`,
  first,
  text,
];

const texts: readonly (readonly [what: string, text: string, hints: readonly (readonly unknown[])[]])[] = [
  [
    'a line above the first block',
    `--- All about tanks.\n${rest}`,
    [hint("aggregate 'Tank'", '--- All about tanks.', `--- All about tanks.\n\n${rest}`)],
  ],
  [
    'lines above the first block, behind a byte order mark and blanks',
    `\ufeff\n--- Tanks.\n--- And more.\nCREATE EVENT E1 ();\n${rest}`,
    [hint("event 'E1'", '--- Tanks.', `\ufeff\n--- Tanks.\n--- And more.\n\nCREATE EVENT E1 ();\n${rest}`)],
  ],
  ['an empty line below', `--- All about tanks.\n\n${rest}`, []],
  ['another comment above', `-- Tanks\n\n--- A tank.\n${rest}`, []],
  ['another block with one', `--- A tank.\n${rest}--- More.\nCREATE EVENT Other ();`, []],
  ['a field with one', `--- A fill.\nCREATE COMMAND Fill (\n  --- The plate.\n  id STRING\n);\n${rest}`, []],
  ['a single block', '--- A tank.\nCREATE AGGREGATE Tank;\n', []],
  ['nothing to describe', `--- Numbers.\nSELECT 1 AS one;\n${rest}`, []],
];

for (const [what, text, hints] of texts)
  test(`a text with ${what}`, () => {
    const sources = [{ name: 'a.schema', text }];
    const incremental = createIncrementalCompiler();
    const partial = createPartialCompiler();
    const compilers = [
      compileFiles(sources),
      incremental.compile(sources),
      incremental.compile(sources),
      partial.compile(sources),
      partial.compile(sources),
    ];
    for (const { diagnostics } of compilers)
      assert.equal(diagnostics.filter(({ code }) => code !== 'E0912').map(found), hints);
  });

test.run();
