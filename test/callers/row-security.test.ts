/**
 * Conditions by chance against row security of PostgreSQL: the same rows for the same callers, and so says the evaluation of the tests.
 * `SCHEMAC_CONDITIONS` says how many conditions.
 */
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChance, parameter, seedOf } from '../crash/chance.ts';
import { startDatabase } from '../kit/database.ts';
import {
  claimName,
  kindNames,
  kinds,
  literal,
  memberColumns,
  postgres,
  schemac,
  someCondition,
  textOf,
  truthOf,
  type Columns,
  type Condition,
  type Row,
  type Who,
} from './condition.ts';
import { claims, light, members as memberSchema, settable, someCaller } from './domain.ts';
import { argument, put, someValue, streamIds } from './history.ts';
import { jsonRows, serve, type Asker } from './served.ts';

const test = suite('row security');
const chance = createChance(seedOf('row security'));

const columns: Columns = {
  id: 'STRING',
  ...Object.fromEntries(kindNames.map((kind) => [`v_${claimName(kind)}`, kind])),
};
const conditions = parameter('SCHEMAC_CONDITIONS', 60);
const perServer = 100;

const askers: readonly Asker[] = [
  ...Array.from({ length: 4 }, (_, at): Asker => ({ name: `c${at}`, who: someCaller(chance), rights: [] })),
  { name: 'anonymous', who: { subject: null, roles: ['reader'], claims: {} }, rights: [] },
];

function someRows(ids: readonly string[], of: Columns): readonly Row[] {
  const [key = '', ...fields] = Object.keys(of);
  return ids.map((id) => ({
    [key]: id,
    ...Object.fromEntries(fields.map((field) => [field, someValue(chance, of[field] ?? 'STRING')])),
  }));
}

/** A table with these rows. */
function tableOf(name: string, of: Columns, rows: readonly Row[]): string {
  const made = Object.entries(of).map(([column, kind]) => `${column} ${kinds[kind]}`);
  const values = rows.map(
    (row) =>
      `(${Object.entries(of)
        .map(([column, kind]) => literal(row[column] ?? null, kind))
        .join(', ')})`,
  );
  return `CREATE TABLE ${name} (${made.join(', ')}); INSERT INTO ${name} VALUES ${values.join(', ')};`;
}

/** Settings that the policies read: `=` before a value, nothing for none. */
function settingsOf({ subject, roles, claims: given, teams }: Who): string {
  const texts: Readonly<Record<string, string>> = {
    subject: subject === null ? '' : `=${subject}`,
    roles: roles.join(','),
    teams: teams === undefined ? '' : `={${teams.map((team) => JSON.stringify(team)).join(',')}}`,
    ...Object.fromEntries(
      kindNames.map((kind) => {
        const value = given[kind];
        return [claimName(kind), value === undefined || value === null ? '' : `=${String(argument(value, kind))}`];
      }),
    ),
  };
  return Object.entries(texts)
    .map(([name, text]) => `SELECT set_config('caller.${name}', '${text.replaceAll("'", "''")}', false);`)
    .join('\n');
}

const database = await startDatabase();
if ('missing' in database) {
  console.log(`skipped: ${database.missing}`);
  test('row security', () => assert.ok(database.missing));
} else {
  test.after(() => database.stop());
  for (let from = 0; from < conditions; from += perServer)
    test(`conditions from ${from}`, async () => {
      const some = Array.from({ length: Math.min(perServer, conditions - from) }, () =>
        someCondition(chance, columns, true),
      );
      const rows = someRows(streamIds, columns);
      const members = someRows(['m0', 'm1', 'm2', 'm3', 'm4', 'm5'], memberColumns);
      const [theirs, ours] = await Promise.all([
        shownByPostgres(database.url, some, rows, members),
        shownBySchemac(some, rows, members),
      ]);
      for (const [at, condition] of some.entries())
        for (const { name, who } of askers) {
          const seen = rows.filter((row) => truthOf(condition, row, { who, members }) === true);
          const expected = sorted(seen.map((row) => String(row['id'])));
          const key = `${at} ${name}`;
          const about = `${name}: ${textOf(condition, schemac)}`;
          assert.equal(theirs.get(key), expected, `PostgreSQL, ${about}`);
          assert.equal(ours.get(key), expected, about);
        }
    });
}

const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort((one, other) => (one < other ? -1 : 1));

type Shown = ReadonlyMap<string, readonly string[]>;

async function shownByPostgres(
  url: string,
  some: readonly Condition[],
  rows: readonly Row[],
  members: readonly Row[],
): Promise<Shown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const shown = new Map<string, readonly string[]>();
  try {
    await client.query(`SET timezone = 'UTC'; DROP SCHEMA IF EXISTS guarded CASCADE; CREATE SCHEMA guarded; SET search_path = guarded;
      DROP ROLE IF EXISTS reader; CREATE ROLE reader;
      ${tableOf('item', columns, rows)} ${tableOf('member', memberColumns, members)}
      ALTER TABLE item ENABLE ROW LEVEL SECURITY;
      GRANT USAGE ON SCHEMA guarded TO reader; GRANT SELECT ON item, member TO reader;`);
    for (const [at, condition] of some.entries()) {
      await client.query(`RESET ROLE; DROP POLICY IF EXISTS shown ON item;
        CREATE POLICY shown ON item FOR SELECT TO reader USING (${textOf(condition, postgres)}); SET ROLE reader;`);
      for (const { name, who } of askers) {
        await client.query(settingsOf(who));
        const found = await client.query<{ id: string }>('SELECT id FROM item');
        shown.set(`${at} ${name}`, sorted(found.rows.map(({ id }) => id)));
      }
    }
    await client.query('RESET ROLE; DROP SCHEMA guarded CASCADE; DROP ROLE reader;');
  } finally {
    await client.end();
  }
  return shown;
}

async function shownBySchemac(
  some: readonly Condition[],
  rows: readonly Row[],
  members: readonly Row[],
): Promise<Shown> {
  const listed = Object.keys(columns).join(', ');
  const guarded = some.map(
    (condition, at) =>
      `CREATE PROJECTION Shown${at} VISIBLE WHERE ${textOf(condition, schemac)} AS SELECT ${listed} FROM Reg."Item$Agg";`,
  );
  const schema = [light, claims, memberSchema, settable('Item', columns), ...guarded].join('\n');
  const served = await serve(schema, askers);
  const shown = new Map<string, readonly string[]>();
  try {
    for (const [name, of, all] of [
      ['Item', columns, rows],
      ['Member', memberColumns, members],
    ] as const)
      for (const row of all)
        await put(
          served,
          name,
          {},
          Object.fromEntries(
            Object.entries(row).map(([column, value]) => [column, argument(value, of[column] ?? 'STRING')]),
          ),
        );
    for (const at of some.keys())
      for (const asker of askers) {
        const { status, body } = await served.ask(asker, `/api/projections/Shown${at}/query?select=id`);
        assert.is(status, 200, body.toString());
        shown.set(`${at} ${asker.name}`, sorted(jsonRows(body).map((row) => row['id'] ?? '')));
      }
  } finally {
    await served.stop();
  }
  return shown;
}

test.run();
