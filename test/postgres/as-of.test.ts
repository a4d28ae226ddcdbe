/** The past of a store in PostgreSQL, asked on the server that wrote it and on another one. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { startDatabase } from '../kit/database.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { serveHere } from '../kit/served-here.ts';
import { pastHistory } from '../past/past-history.ts';

const rounds = Number(process.env['ROUNDS'] ?? 1);
const database = await startDatabase();

if ('missing' in database) test.skip(`the past of a store in PostgreSQL: ${database.missing}`, () => undefined);
else {
  const open = (round: number): Promise<Store> =>
    openPostgresStore({ url: database.url, namespace: `as_of_${round}_${process.pid}`, readModel: 'inline' });

  for (let round = 1; round <= rounds; round++)
    test(`AS OF each position = the store that stopped there, on the server that wrote it and on another one, seed ${round}`, async () =>
      pastHistory(await open(round), round, [await open(round)]));

  test('as_of over HTTP shows what another server has just written', () =>
    withTempFolder(async (cwd) => {
      writeFiles(cwd, {
        'schema/a.schema': `CREATE EVENTSTORE prod WITH (durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = 'as_of_http_${process.pid}');
CREATE AGGREGATE Box (box_id STRING KEY, total INT DEFAULT 0 AS SUM(data.n));
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
`,
      });
      const environment = { DATABASE_URL: database.url };
      assert.is((await runToolHere(['build', 'schema'], { cwd })).status, 0);
      const [one, other] = [await serveHere([], { cwd, environment }), await serveHere([], { cwd, environment })];
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
      const totals: unknown[] = [];
      for (const n of [1, 2, 3]) {
        const body = JSON.stringify({ box_id: 'b', n });
        const done = await fetch(`${one.url}/api/aggregates/Box/execute/Put`, { method: 'POST', headers, body });
        assert.is(done.status, 200, await done.text());
        for (const position of [n, n - 1]) {
          const url = `${other.url}/api/aggregates/Box?select=total&as_of=${position}`;
          totals.push(await (await fetch(url, { headers })).json());
        }
      }
      assert.equal(totals, [[{ total: 1 }], [], [{ total: 3 }], [{ total: 1 }], [{ total: 6 }], [{ total: 3 }]]);
      assert.equal(await Promise.all([one.stop(), other.stop()]), [0, 0]);
    }));

  test.after(() => database.stop());
}
test.run();
