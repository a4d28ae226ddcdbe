/** Rows that a caller sees are looked up by indexes that the read model keeps for the columns of VISIBLE. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { bindQuery } from '../../compiler/analyse/bind-statement.ts';
import { explainBlock, explainQuery } from '../../compiler/describe/explain.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import { visibleRows } from '../../compiler/plan/visible-rows.ts';
import { parseQuery } from '../../compiler/syntax/parse-query.ts';
import { findBlock } from '../../language/catalog/catalog.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import type { Store } from '../../runtime/store/store.ts';
import { column, query } from '../contract/accounts.ts';
import { compileSchema } from '../emit-sqlite/language.ts';
import { openTestedStore } from '../kit/tested-engine.ts';
import { appendEvents } from './append-events.ts';
import { planOf } from './fold-store.ts';

const bookings = (clause: string, more = ''): string => `
  CREATE CLAIM patient STRING;
  CREATE CLAIM teams STRING[];
  CREATE AGGREGATE Membership (id STRING KEY, team STRING, member STRING);
  CREATE COMMAND Enlist (id STRING, team STRING, member STRING);
  CREATE EVENT Enlisted (team STRING, member STRING);
  CREATE DECISION Enlisting FOR Membership ON COMMAND Enlist EMIT AS SELECT EVENT Enlisted (team := :team, member := :member);
  CREATE AGGREGATE Booking (id STRING KEY, patient STRING, doctor STRING DEFAULT 'none', team STRING, n INT DEFAULT 0 AS COUNT(*)) ${clause};
  CREATE COMMAND Book (id STRING, patient STRING, doctor STRING, team STRING);
  CREATE EVENT Booked (patient STRING, doctor STRING, team STRING);
  CREATE DECISION Booking FOR Booking ON COMMAND Book
    EMIT AS SELECT EVENT Booked (patient := :patient, doctor := :doctor, team := :team);
  ${more}`;

const mine = 'patient = CLAIM(patient)';
const byTeam = `team = ANY (CLAIM(teams)) OR team IN (SELECT m.team FROM Reg."Membership$Agg" m WHERE m.member = CURRENT_USER)`;

function bound(registry: ReturnType<typeof compileSchema>, text: string): BoundQuery {
  const parsed = parseQuery({ name: 'query', text });
  if (parsed.outcome !== 'query') throw new Error(text);
  const { value, diagnostics } = bindQuery(registry, parsed.query, { tables: [], cleared: true });
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return value;
}

for (const [clause, row] of [
  [mine, ['VISIBLE', 'index', 'Booking by patient']],
  [`HAS_ROLE('reception') OR CURRENT_USER = patient OR ${byTeam}`, ['VISIBLE', 'index', 'Booking by patient, team']],
  [`HAS_ROLE('nurse') AND ${mine} AND team = 'red'`, ['VISIBLE', 'index', 'Booking by patient']],
  ['aggregate_id = CURRENT_USER', ['VISIBLE', 'index', 'Booking by aggregate_id']],
  [`HAS_ROLE('reception')`, ['VISIBLE', 'nothing', 'Booking: it reads no column']],
  [`${mine} OR doctor = CURRENT_USER`, ['VISIBLE', 'scan', 'Booking: doctor is computed']],
  [`${mine} OR team = 'red'`, ['VISIBLE', 'scan', 'Booking: a part compares no column with the caller']],
  [
    `${mine} OR HAS_ROLE('nurse') AND team = 'red'`,
    ['VISIBLE', 'scan', 'Booking: a part compares no column with the caller'],
  ],
] as const) {
  test(`EXPLAIN of VISIBLE WHERE ${clause}`, () => {
    const registry = compileSchema(bookings(`VISIBLE WHERE ${clause}`));
    const { rows } = explainQuery(bound(registry, 'SELECT id FROM Reg."Booking$Agg"'), registry.catalog);
    assert.equal(rows.at(-1), row);
  });
}

for (const [select, row] of [
  [`SELECT a.id, a.patient FROM Reg."Booking$Agg" a WHERE a.team = 'red'`, ['VISIBLE', 'index', 'P by patient']],
  [
    'SELECT data.patient AS patient, COUNT(*) AS n FROM Reg."Booking$Events" GROUP BY data.patient',
    ['VISIBLE', 'index', 'P by patient'],
  ],
  ['SELECT UPPER(a.patient) AS patient FROM Reg."Booking$Agg" a', ['VISIBLE', 'scan', 'P: patient is computed']],
  [
    'SELECT data.patient AS patient FROM Reg."Booking$Events"',
    ['VISIBLE', 'scan', 'P: patient is of no fold: it lists single events'],
  ],
  [
    'SELECT a.patient, ROW_NUMBER() OVER (ORDER BY a.id) AS place FROM Reg."Booking$Agg" a',
    ['VISIBLE', 'scan', 'P: patient is in a query with a window function'],
  ],
  [
    'SELECT a.patient FROM Reg."Booking$Agg" a ORDER BY a.id LIMIT 9',
    ['VISIBLE', 'scan', 'P: patient is of chosen rows'],
  ],
] as const) {
  test(`EXPLAIN of a projection with VISIBLE: ${select}`, () => {
    const { catalog } = compileSchema(bookings('', `CREATE PROJECTION P VISIBLE WHERE ${mine} AS ${select};`));
    const block = findBlock(catalog, 'projection', 'P');
    assert.equal(block && explainBlock(block, catalog).rows.at(-1), row);
  });
}

async function planFor(store: Store, registry: ReturnType<typeof compileSchema>, text: string): Promise<string> {
  const { catalog } = registry;
  const caller = { hasRole: () => false, isNull: () => false };
  const seen = visibleRows(bound(registry, text), () => ({ catalog, caller }));
  const plan = await planOf(store, compileQuery(seen, catalog));
  return plan.replaceAll(/([fi]\$(f\$)?\w+)_[0-9a-f]{16}(\$\w+)?(\$\d+)?/g, (_all, name: string) => name);
}

test('a caller’s page, its events and each part of an OR are looked up', async () => {
  const store = await openTestedStore();
  try {
    const one = compileSchema(bookings(`VISIBLE WHERE ${mine}`));
    await store.tables.adopt(createReadModelDefinition(one.catalog));
    const page = 'SELECT id FROM Reg."Booking$Agg" ORDER BY aggregate_id LIMIT 20';
    assert.is(
      await planFor(store, one, page),
      'SEARCH f$Booking_by_stream_id USING COVERING INDEX i$f$Booking_by_stream_id (s0=?)',
    );
    const events = 'SELECT stream_id FROM Reg."Booking$Events" ORDER BY global_position LIMIT 20';
    assert.match(await planFor(store, one, events), /SEARCH r0 USING .*INDEX i\$Booking\$stream\$\d+ \(stream_id=\?\)/);
    const several = compileSchema(bookings(`VISIBLE WHERE ${mine} OR HAS_ROLE('reception') OR ${byTeam}`));
    await store.tables.adopt(createReadModelDefinition(several.catalog));
    const plan = await planFor(store, several, page);
    assert.match(plan, /MULTI-INDEX OR/);
    assert.not.match(plan, /SCAN f\$Booking/);
  } finally {
    await store.close();
  }
});

test('a change of a clause adds and drops indexes, and keeps the rows of the fold', async () => {
  const store = await openTestedStore();
  const tables = async (): Promise<readonly (readonly unknown[])[]> => {
    const sql = `SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' AND name GLOB 'f$Booking*'`;
    return store.tables.query(query(sql, [column('name', { kind: 'STRING' }), column('page', { kind: 'BIGINT' })]), []);
  };
  const indexes = async (): Promise<readonly unknown[]> => {
    const sql = `SELECT name FROM sqlite_schema WHERE type = 'index' AND name GLOB 'i$f$Booking*' ORDER BY name`;
    const rows = await store.tables.query(query(sql, [column('name', { kind: 'STRING' })]), []);
    return rows.map(([name]) => (name as string).replace(/^.*\$(s\d+)\$\d+$/, '$1')); // its column is a STRING
  };
  const definition = (clause: string) => createReadModelDefinition(compileSchema(bookings(clause)).catalog);
  try {
    await store.tables.adopt(definition(''));
    await appendEvents(store, 'Booking', [
      { type: 'Booked', stream: 'b1', data: { patient: 'p1', doctor: 'd1', team: 't1' } },
    ]);
    const before = await tables();
    assert.equal(await indexes(), []);
    for (const [clause, expected] of [
      [`VISIBLE WHERE ${mine}`, ['s0']],
      [`VISIBLE WHERE ${mine} OR ${byTeam}`, ['s0', 's2']],
      [`VISIBLE WHERE ${byTeam}`, ['s2']],
      ['', []],
    ] as const) {
      await store.tables.adopt(definition(clause));
      assert.equal(await indexes(), expected, clause);
      assert.equal(await tables(), before, clause);
    }
  } finally {
    await store.close();
  }
});

test.run();
