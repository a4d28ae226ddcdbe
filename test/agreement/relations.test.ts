/** A relation has the same rows at every door: values of every type, masks, and their order. A door is a line, a relation as well. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readExactJson } from '../../language/values/json-parse.ts';
import { openRemote } from '../../cli/remote/prompt.ts';
import { emitProject } from '../../compiler/emit/project/emit-project.ts';
import { fullPayment, purse } from '../client/purse.ts';
import { withServedProject, type PurseClient, type Served } from '../client/served-client.ts';
import { catalogOf } from '../emit/compiled.ts';
import { plain, toldRows } from './command-doors.ts';
import { fetched, posted, rowsOf } from './statement-rows.ts';

type Rows = unknown;

interface Relation {
  readonly path: string;
  readonly sql: string;
  readonly rows: (client: PurseClient) => PromiseLike<readonly object[]>;
}
const relations: Readonly<Record<string, Relation>> = {
  state: {
    path: '/api/aggregates/Purse/state',
    sql: 'SELECT * FROM Reg."Purse$Agg" ORDER BY aggregate_id',
    rows: ({ state }) => state.Purse(),
  },
  fold: {
    path: '/api/projections/Totals/query',
    sql: 'SELECT * FROM Reg."Totals" ORDER BY purse',
    rows: ({ projections }) => projections.Totals(),
  },
  payloads: {
    path: '/api/projections/Payloads/query',
    sql: 'SELECT data, tags, event_type FROM Reg."Purse$Events" ORDER BY global_position',
    rows: ({ projections }) => projections.Payloads(),
  },
};

async function text(url: string, accept: string): Promise<string> {
  return (await fetch(url, { headers: { Accept: accept } })).text();
}

/** A cell is NULL, or a text; lists and structures are JSON. */
function objects(names: readonly string[], rows: readonly (readonly (string | null)[])[]): Rows {
  const value = (cell: string | null): unknown =>
    cell !== null && /^[[{]/.test(cell) ? plain(readExactJson(cell)) : cell;
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [names[at], value(cell)])));
}

function csvRows(written: string): Rows {
  const [header = [], ...rows] = written
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) =>
        quoted === undefined ? (bare === '' ? null : (bare ?? null)) : quoted.replaceAll('""', '"'),
      ),
    );
  return objects(header.map(String), rows);
}

const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** A page names signs that have no look of their own. */
const named = (_: string, code: string): string => String.fromCodePoint(parseInt(code, 16));

function pageRows(page: string): Rows {
  const cellsOf = (row: string, tag: 'th' | 'td'): readonly (string | null)[] =>
    [...row.matchAll(new RegExp(`<${tag}(?: class="(\\w+)")?>(.*?)(?:<small>.*?</small>)?</${tag}>`, 'gs'))].map(
      ([, kind, inner = '']) =>
        kind === 'null'
          ? null
          : inner
              .replace(/<span class="sign"[^>]*>U\+(\w+)<\/span>/g, named)
              .replace(/<[^>]*>/g, '')
              .replace(/&(#?\w+);/g, (whole, name: string) => signs[name] ?? whole),
    );
  const [header = '', ...rows] = page.split('<tr>').slice(1);
  return objects(
    cellsOf(header, 'th').map(String),
    rows.map((row) => cellsOf(row, 'td')),
  );
}

const doors: Readonly<Record<string, (served: Served<PurseClient>, relation: Relation) => Promise<Rows>>> = {
  JSON: ({ url }, { path }) => fetched(url + path),
  CSV: async ({ url }, { path }) => csvRows(await text(url + path, 'text/csv')),
  'a page': async ({ url }, { path }) => pageRows(await text(url + path, 'text/html')),
  console: ({ url }, { sql }) => fetched(`${url}/api/query`, posted({ sql })),
  'prompt at a url': async ({ url }, { sql }) => rowsOf((await openRemote(url, undefined)).run, `${sql};`),
  'client, JSON': async ({ createClient }, { rows }) => plain(await rows(createClient({ format: 'json' }))),
  'client, Arrow': async ({ createClient }, { rows }) => plain(await rows(createClient({ format: 'arrow' }))),
};

test('relations at every door', async () => {
  const files = await emitProject(catalogOf(purse), { version: '0.0.0', exportText: purse });
  await withServedProject<PurseClient>(files, async (served) => {
    const { commands } = served.createClient({ format: 'json' });
    await commands.Pay(fullPayment);
    await commands.Pay({
      purse_id: 'a',
      amount: '9999999998.01',
      ref: -(2n ** 63n),
      at: '0001-01-01T00:00:00.000001Z',
    });
    await commands.Close({ purse_id: 'a' });
    for (const [name, relation] of Object.entries(relations)) {
      const wanted = await doors['JSON']?.(served, relation);
      assert.ok(Array.isArray(wanted) && wanted.length > 1, JSON.stringify(wanted));
      for (const [door, ask] of Object.entries(doors))
        assert.is(toldRows(await ask(served, relation)), toldRows(wanted), `${name} at ${door}`);
    }
  });
});

test.run();
