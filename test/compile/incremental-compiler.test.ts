import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  compileFiles,
  createIncrementalCompiler,
  noHistory,
  type CompileResult,
  type Diagnostic,
  type Span,
  type StoredHistory,
} from '../../compiler/index.ts';

const statements = [
  '-- what bikes do\nCREATE AGGREGATE Bike (id STRING KEY, km INT DEFAULT 0 AS SUM(data.km));',
  'CREATE COMMAND Ride (id STRING, km INT);',
  'CREATE EVENT Ridden (km INT);',
  'CREATE EVENT Ridden (km BIGINT);',
  'CREATE OR REPLACE EVENT Ridden (km INT, at_night BOOLEAN);',
  `CREATE DECISION DoRide FOR Bike ON COMMAND Ride EMIT AS SELECT EVENT Ridden (km := :km) WHERE :km > 0;`,
  `CREATE OR REPLACE DECISION DoRide FOR Bike ON COMMAND Ride
STATE AS SELECT km FROM Reg."Bike$Agg" WHERE aggregate_id = :id
EMIT AS SELECT EVENT Ridden (km := :km) WHERE km < 100;`,
  'CREATE PROJECTION Far AS SELECT stream_id AS bike, SUM(data.km) AS km FROM Reg."Bike$Events" GROUP BY stream_id;',
  'CREATE PROJECTION Farther AS SELECT bike FROM Reg.Far WHERE km > 10;',
  `CREATE TEMPLATE Log (Name) AS (CREATE EVENT {{Name}}Logged (text STRING); CREATE COMMAND {{Name}}Log (id STRING, text STRING););`,
  "APPLY TEMPLATE Log (Name = 'Bike');",
  'SELECT COUNT(*) AS all_of_them FROM Reg."Bike$Events";',
  'CREATE COMMAND Broken (id STRING',
  '/* nothing */;;',
  'CREATE CLAIM rider STRING;',
  'CREATE CLAIM rider BIGINT;',
  `CREATE OR REPLACE AGGREGATE Bike (km INT) VISIBLE WHERE aggregate_id IN (SELECT bike FROM Reg.Ridden) OR aggregate_id = CLAIM(rider);`,
  `CREATE PROJECTION Ridden VISIBLE WHERE bike IN (SELECT aggregate_id FROM Reg."Bike$Agg" WHERE km > 1)
CLEAR WHERE HAS_ROLE('rider') AS SELECT stream_id AS bike FROM Reg."Bike$Events";`,
  'CREATE OR REPLACE PROJECTION Far VISIBLE TO ALL AS SELECT stream_id AS bike, 20 AS km FROM Reg."Bike$Events";',
];

const edit = fc.record({
  at: fc.nat(12),
  take: fc.nat(3),
  put: fc.array(fc.constantFrom(...statements), { maxLength: 3 }),
});
const history: StoredHistory = {
  landed: [{ aggregate: 'Bike', event: 'Ridden' }],
  definitions: [
    {
      event: 'Ridden',
      version: 3,
      count: 1,
      fields: [{ name: 'km', type: { kind: 'INT' }, sensitive: false, volatile: false }],
    },
  ],
  versions: [{ event: 'Ridden', version: 3, text: 'CREATE EVENT Ridden (km INT);' }],
  enums: [],
};

test('after any edit the result is that of compiling everything', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...statements), { maxLength: 9 }),
      fc.array(fc.tuple(edit, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 8 }),
      (first, edits) => {
        const session = createIncrementalCompiler();
        const all: [string[], string[]] = [[...first], statements.slice(0, 3)];
        for (const [{ at, take, put }, other, stored] of edits) {
          all[other ? 1 : 0].splice(at, take, ...put);
          const files = all.map((each, index) => ({ name: `${index}.schema`, text: each.join('\n\n') }));
          const held = stored ? history : noHistory;
          assert.equal(shown(session.compile(files, held)), shown(compileFiles(files, held)));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('blocks that an edit does not touch are kept', () => {
  const session = createIncrementalCompiler();
  const compiled = (text: string): CompileResult => session.compile([{ name: 'a.schema', text }]);
  const [aggregate = '', command = '', event = '', , , decision = ''] = statements;
  const before = compiled([aggregate, command, event, decision].join('\n')).catalog.blocks;
  const after = compiled([command, '-- another', decision.replace('> 0', '> 1'), aggregate, event].join('\n')).catalog
    .blocks;
  assert.is(after.aggregate[0], before.aggregate[0]);
  assert.is(after.command[0], before.command[0]);
  assert.is(after.event[0], before.event[0]);
  assert.is.not(after.decision[0], before.decision[0]);
});

test('an event has the version of its definition in the history, and a new definition the next one', () => {
  const versions = (text: string): readonly number[] =>
    compileFiles([{ name: 'a.schema', text }], history).catalog.blocks.event.map(({ version }) => version);
  assert.equal(versions('CREATE EVENT Ridden (km INT);'), [3]);
  assert.equal(versions('CREATE EVENT Ridden (km BIGINT);'), [4]);
});

/** The result for a caller, without the trees and their identity. */
function shown({ catalog, diagnostics }: CompileResult): object {
  return { catalog, diagnostics: diagnostics.map(shownDiagnostic) };
}

function shownDiagnostic({ span, related, fix, ...rest }: Diagnostic): object {
  return {
    ...rest,
    span: shownSpan(span),
    related: related.map(({ message, span: at }) => [message, shownSpan(at)]),
    ...(fix === undefined ? {} : { fix: [fix.title, fix.replacement, shownSpan(fix.span)] }),
  };
}

function shownSpan({ file, start, end, applied }: Span): object {
  const text = file.text.slice(start, end);
  return { file: file.name, start, end, text, ...(applied === undefined ? {} : { applied: shownSpan(applied) }) };
}

test.run();
