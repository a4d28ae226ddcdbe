import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles } from '../../compiler/index.ts';

function codes(...texts: readonly string[]): readonly string[] {
  const { diagnostics } = compileFiles(texts.map((text, index) => ({ name: `${index}.schema`, text })));
  return diagnostics.map(({ code }) => code);
}

/** A command for an aggregate, its decision, and an event with a field n. */
function decides(event: string, aggregate = 'A'): string {
  return `CREATE AGGREGATE A; CREATE COMMAND C (n INT);
    CREATE DECISION D FOR ${aggregate} ON COMMAND C EMIT AS SELECT EVENT ${event} (n := :n);`;
}

/** A projection that reads a field of the aggregate's events. */
function lastOf(field: string): string {
  return `CREATE PROJECTION P AS SELECT LAST(data.${field}) AS x FROM Reg."A$Events" GROUP BY stream_id;`;
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
  ['what a broken statement would create is not missed', ['CREATE EVENT E (a COLOR(;', decides('E')], ['E0101']],
  [
    'nor what stands behind a forgotten semicolon',
    ['CREATE COMMAND F (n INT) CREATE EVENT E (n INT);', decides('E')],
    ['E0101'],
  ],
  ['nor under a misspelt kind', ['CREATE EVNT E (n INT);', decides('E')], ['E0103']],
  ['nor what an open comment swallows', [`${decides('E')} CREATE AGGREGATE X /*; CREATE EVENT E (n INT);`], ['E0107']],
  [
    'nor what a broken template or application would stamp out',
    ['CREATE TEMPLATE T (N) AS (CREATE EVENT {{M}} (n INT););', "APPLY TEMPLATE T WITH (N = 'E');", decides('E')],
    ['E0502'],
  ],
  ['nor what an application that fails would', ["APPLY TEMPLATE T WITH (N = 'E');", decides('E')], ['E0201']],
  [
    'nor the fields of events that a broken decision would make land',
    [`CREATE EVENT E (n INT); ${decides('E').replace('SELECT', 'SELCT')}`, lastOf('n')],
    ['E0101'],
  ],
  [
    'nor of one that is for an unknown aggregate',
    [`CREATE EVENT E (n INT); ${decides('E', 'Ax')}`, lastOf('n')],
    ['E0201'],
  ],
  ['nor of one that emits an unknown event', [`CREATE EVENT E (n INT); ${decides('Ex')}`, lastOf('n')], ['E0201']],
  [
    'but what nothing else can bring is reported with it',
    [`CREATE EVENT E (n INT); ${decides('E')} CREATE EVENT F (a COLOR(;`, lastOf('m')],
    ['E0101', 'E0218'],
  ],
  ['faults of several files in order', ['CREATE EVENT E (a COLOUR);', 'CREATE GIZMO;'], ['E0301', 'E0103']],
];

for (const [what, texts, expected] of table) test(what, () => assert.equal(codes(...texts), expected));

test.run();
