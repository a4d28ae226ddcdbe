/** Recorded inspections, as served to a caller without `sensitive:read` (docs/http.md#inspections). */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { anyone } from '../../server/operation/caller.ts';
import { findInspected } from '../../server/operation/kept.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { toPayload } from '../../language/values/payload.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

const schema = `CREATE AGGREGATE Box;
CREATE AGGREGATE Lid;
CREATE COMMAND Put (box_id STRING, n BIGINT, pin STRING NULL SENSITIVE);
CREATE COMMAND Shut (lid_id STRING, code STRING);
CREATE EVENT Added (n BIGINT, pin STRING SENSITIVE);
CREATE EVENT Closed (pin STRING);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n, pin := :pin) WHERE :n > 0;
CREATE DECISION ShutIt FOR Lid ON COMMAND Shut
EMIT AS SELECT EVENT Closed (pin := :code), SELECT EVENT Added (n := 1, pin := :code) TO Box('B');
CREATE PROJECTION Pins AS SELECT stream_id AS box, LAST(data.pin) AS pin FROM Reg."Box$Events" GROUP BY stream_id;
EXECUTE Put(box_id := 'real', n := 1, pin := 'p0');`;

async function run(session: OpenSession, text: string): Promise<void> {
  for await (const outcome of session.run({ name: 'input', text }, { adoptAtEnd: true }))
    if (outcome.kind === 'error') throw new Error(outcomeJson(outcome));
}

const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
await run(session, schema);
test.after(() => session.close());

const admin = { subject: 'admin', rights: ['*'] };
const budget = { bytes: 1_000_000, milliseconds: 10_000, takes: () => undefined };

/**
 * The rows of a table by its path below `/inspect/`, its aggregates first, without values that differ in every run;
 * undefined when it is not served.
 */
async function served({ engine }: OpenSession, path: string): Promise<readonly string[] | undefined> {
  const [, side = 'either', name = ''] = /^(?:(input|output)\/)?(.*)$/.exec(path) ?? [];
  const table = await findInspected(engine, name, side as 'input' | 'output' | 'either', {});
  if (table === undefined) return undefined;
  const { columns, rows } = await table.read({ caller: anyone, budget });
  const shown = columns.flatMap(({ name: column }, index) => (/_id$|_at$|^seq$/.test(column) ? [] : [index]));
  const cells = rows.map((row) => shown.map((index) => toPayload(row[index] ?? null, columns[index]!.type))); // its own indexes
  return [table.aggregates.join(), ...cells.map((row) => JSON.stringify(row))];
}

const wanted = `CREATE TABLE wanted (box_id, n, pin) AS VALUES ('a', 5, 'p1'), ('b', 0, 'p2');`;
const put = `${wanted} INSPECT DECISION PutIn FROM wanted INTO would;`;
const inputRows = ['Box', '[5,"****"]', '[0,"****"]'];
const branchRows = [
  'Box',
  '["0","PutIn","1",null,":n > 0","emitted","Added"]',
  '["1","PutIn","1",null,":n > 0","guard_failed",null]',
];
const rejection = {
  decision: 'PutIn',
  guards: [{ branch: null, guard: ':n > 0', terms: [{ term: ':n > 0', value: false, operands: { ':n': 0 } }] }],
  state: {},
  command: { box_id: 'b', n: 0, pin: '****' },
};
const targetRows = [
  'Box',
  '["Box","Added",{"n":"5","pin":"****"},null]',
  JSON.stringify(['Box', '__REJECTED__', null, JSON.stringify(rejection)]),
];
const pins = ['Box', '["a","****"]'];
const realPins = ['Box', '["real","****"]'];

type Served = Readonly<Record<string, readonly string[] | undefined>>;
const examples: readonly (readonly [title: string, text: string, served: Served])[] = [
  [
    'what of an input maps by name to a SENSITIVE field is masked, as what comes of it',
    put,
    {
      wanted: inputRows,
      'input/wanted': inputRows,
      'output/wanted': undefined,
      would: targetRows,
      'output/would': targetRows,
      'input/would': undefined,
      would__branches: branchRows,
    },
  ],
  [
    'what of an input maps by position to a SENSITIVE field is masked',
    `CREATE TABLE wanted AS VALUES ('a', 5, 'p1', 'rest'); INSPECT DECISION PutIn FROM wanted INTO would;`,
    { wanted: ['Box', '["a",5,"****","rest"]'] },
  ],
  [
    'what one inspection of a table makes sensitive, no other shows, and it belongs to the aggregates of both',
    `CREATE TABLE both (box_id, n, pin, lid_id, code) AS VALUES ('a', 5, 'p1', 'l', 'p1');
    INSPECT DECISION PutIn FROM both INTO would; INSPECT DECISION ShutIt FROM both INTO would_shut;`,
    { both: ['Box,Lid', '[5,"****","p1"]'] },
  ],
  [
    'a field that is SENSITIVE in one of two streams is masked in the rows of both',
    `CREATE TABLE lids (lid_id, code) AS VALUES ('l', 'p1'); INSPECT DECISION ShutIt FROM lids INTO would;`,
    { would: ['Lid', '["Lid","Closed",{"pin":"****"},null]', '["Box","Added",{"pin":"****","n":"1"},null]'] },
  ],
  [
    'a run of another kind takes the place of the tables of the one before',
    `${put} INSPECT PROJECTION Pins FROM Reg."Box$Events" INTO would;`,
    { would: realPins, would__branches: undefined, wanted: undefined },
  ],
  [
    'a run from another table takes the place of the input of the one before',
    `${put} CREATE TABLE other AS VALUES ('c', 0); INSPECT DECISION PutIn FROM other INTO would;`,
    { wanted: undefined, other: ['Box', '["c",0]'] },
  ],
  [
    'an input that another inspection read too stays',
    `${put} INSPECT DECISION PutIn FROM wanted INTO second; INSPECT PROJECTION Pins FROM second INTO would;`,
    { wanted: inputRows, 'input/second': targetRows, would__branches: undefined, second__branches: branchRows },
  ],
  [
    'a dropped target is gone, with its branches and its input',
    `${put} INSPECT PROJECTION Pins FROM would INTO pins; DROP TABLE would;`,
    { would: targetRows, 'output/would': undefined, would__branches: undefined, wanted: undefined, pins },
  ],
  [
    "a session's own table of a recorded name is dropped alone",
    `${put} CREATE TABLE would AS VALUES (1); DROP TABLE would;`,
    { would: targetRows, would__branches: branchRows },
  ],
  [
    'a target called as an input is kept is none',
    `INSPECT PROJECTION Pins FROM Reg."Box$Events" INTO input__wanted; ${put}`,
    { input__wanted: realPins, 'output/input__wanted': realPins, 'input/wanted': inputRows, input__would: undefined },
  ],
  ['names are matched exactly', put, { Would: undefined, Wanted: undefined, would__Branches: undefined }],
  [
    'a table is called as the last run has it',
    `${put} INSPECT DECISION PutIn FROM WANTED INTO Would;`,
    { would: undefined, Would: targetRows, Would__branches: branchRows, WANTED: undefined, wanted: inputRows },
  ],
  [
    'a rebuilt projection is recorded under its name',
    `INSPECT PROJECTION Pins FROM Reg."Box$Events" INTO dereg."pins" WHERE data.n > 7;`,
    { Pins: realPins, 'output/Pins': realPins, 'input/Pins': undefined },
  ],
  [
    'a target is inspected into itself',
    `${put} INSPECT PROJECTION Pins FROM would INTO would;`,
    { 'output/would': pins, 'input/would': targetRows },
  ],
];
for (const [title, text, tables] of examples)
  test(title, async () => {
    // Removes tables of the example before; records without a target have no effect.
    const { inspectionTables } = session.engine.store;
    for (const name of await inspectionTables.names()) await inspectionTables.remove(name);
    await run(session, text);
    const found: [string, unknown][] = [];
    for (const path of Object.keys(tables)) found.push([path, await served(session, path)]);
    assert.equal(Object.fromEntries(found), tables);
  });

/** Outcomes of a text: rows, or the code of the failure. */
async function said(session: OpenSession, text: string): Promise<readonly unknown[]> {
  const outcomes: unknown[] = [];
  for await (const outcome of session.run({ name: 'input', text }, { keepGoing: true })) {
    const { rows, code, kind } = JSON.parse(outcomeJson(outcome)) as Record<string, unknown>;
    outcomes.push(rows ?? code ?? kind);
  }
  return outcomes;
}

test('a later session has the existing target tables, and no others', () =>
  withTempFolder(async (directory) => {
    const open = async (): Promise<OpenSession> =>
      openSession({ store: await openEmbeddedStore({ directory, readModel: 'inline' }), version: '0.0.0' });
    const first = await open();
    await run(
      first,
      `${schema} ${put} INSPECT DECISION PutIn FROM wanted INTO gone;
      INSPECT DECISION PutIn FROM wanted INTO input__x; INSPECT PROJECTION Pins FROM would INTO input__x;
      INSPECT PROJECTION Pins FROM Reg."Box$Events" INTO Reg."Pins"; DROP TABLE gone;`,
    );
    await first.close();
    assert.equal(
      readdirSync(directory)
        .filter((name) => name.startsWith('inspection-'))
        .sort(),
      [
        'inspection-input.wanted.jsonl',
        'inspection-input.would.jsonl',
        'inspection-input__x.jsonl',
        'inspection-pins.jsonl',
        'inspection-would.jsonl',
        'inspection-would__branches.jsonl',
      ],
    );
    // The form in which earlier versions kept inputs, without their marks.
    copyFileSync(join(directory, 'inspection-would.jsonl'), join(directory, 'inspection-input__wanted.jsonl'));
    const later = await open();
    assert.equal(
      await said(
        later,
        `SELECT stream_id FROM would; SELECT box FROM input__x; SELECT branch_status FROM would__branches LIMIT 1;
        SELECT 1 FROM gone; SELECT 1 FROM gone__branches; SELECT 1 FROM input__x__branches; SELECT 1 FROM Pins; SELECT 1 FROM wanted;
        SELECT 1 FROM input__wanted; DROP TABLE would; SELECT 1 FROM would__branches;`,
      ),
      [[['a'], ['b']], [['a']], [['emitted']], 'E0206', 'E0206', 'E0206', 'E0206', 'E0206', 'E0206', 'drop', 'E0206'],
    );
    assert.equal(
      [await served(later, 'input/wanted'), await served(later, 'input__wanted'), await served(later, 'input__x')],
      [undefined, undefined, pins],
    );
    await later.close();
  }));

test('a table is read within a budget', async () => {
  await run(session, `${wanted.replaceAll('wanted', 'bounded')} INSPECT DECISION PutIn FROM bounded INTO bounded_out;`);
  const table = await findInspected(session.engine, 'bounded', 'input', {});
  if (table === undefined) throw new Error('it was recorded');
  let taken = 0;
  const takes = (bytes: number): void => void (taken = bytes);
  const read = (given: Partial<typeof budget>): Promise<unknown> =>
    table
      .read({ caller: admin, budget: { ...budget, takes, ...given } })
      .catch((error: unknown) => (error as Error).message);
  await read({});
  assert.ok(taken > 2 * 64 && taken < 2_000, String(taken));
  assert.is(await read({ bytes: taken - 1 }), `the query exceeded its bytes budget of ${taken - 1}`);
  assert.is(await read({ milliseconds: -1 }), 'the query exceeded its time budget of -1 ms');
});

test.run();
