import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles } from '../../compiler/index.ts';

function codes(...texts: readonly string[]): readonly string[] {
  const { diagnostics } = compileFiles(texts.map((text, index) => ({ name: `${index}.schema`, text })));
  return diagnostics.map(({ code }) => code);
}

const table: readonly (readonly [what: string, texts: readonly string[], codes: readonly string[]])[] = [
  ['nothing', [''], []],
  [
    'blocks in any order, over several files',
    ['CREATE PROJECTION P AS SELECT stream_id FROM Reg."A$Events";', 'CREATE AGGREGATE A;'],
    [],
  ],
  ['a plain CREATE yields to OR REPLACE', ['CREATE EVENT E (a INT);', 'CREATE OR REPLACE EVENT E (a INT, b INT);'], []],
  ['two plain ones do not', ['CREATE EVENT E (a INT);', 'CREATE EVENT E (b INT);'], ['E0421']],
  ['statements that run are checked, not run', ['SELECT 1;'], ['E0912']],
  ['and their faults are told', ['SELECT nothing FROM Reg.meta_events;'], ['E0912', 'E0203']],
  ['tables that a script makes are not known', ['CREATE TABLE t AS VALUES (1); SELECT * FROM t;'], ['E0912', 'E0912']],
  [
    'applications count as what they stamp out',
    [
      "APPLY TEMPLATE T WITH (N = 'A'); CREATE TEMPLATE T (N) AS (CREATE AGGREGATE {{N}};);",
      'CREATE PROJECTION P AS SELECT stream_id FROM Reg."A$Events";',
    ],
    [],
  ],
  ['faults of several files in order', ['CREATE EVENT E (a COLOUR);', 'CREATE GIZMO;'], ['E0301', 'E0103']],
];

for (const [what, texts, expected] of table) test(what, () => assert.equal(codes(...texts), expected));

test.run();
