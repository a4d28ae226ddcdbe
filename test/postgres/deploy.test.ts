/** `schemac deploy` on a log that two servers share: both follow, whichever files they were started with. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startDatabase } from '../kit/database.ts';
import { serveHere } from '../kit/served-here.ts';
import { packageHere } from '../kit/started-module.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import type { ToolResult } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

const database = await startDatabase();
const store = `CREATE EVENTSTORE prod WITH (durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = 'deploy_${process.pid}');`;
const tank = (event: string, column: string, value: string): string => `${store}
CREATE AGGREGATE Tank (id STRING KEY, total BIGINT AS SUM(data.${column}));
CREATE COMMAND Fill (id STRING, litres INT);
CREATE EVENT Filled (${event};
CREATE DECISION FillIt FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (${column} := ${value});
`;
const files = {
  'old/tank.schema': tank('litres INT)', 'litres', ':litres'),
  'next/tank.schema': tank('ml BIGINT) UPCAST FROM (litres INT) AS (ml := litres * 1000)', 'ml', ':litres * 1000'),
};
const json = { 'Content-Type': 'application/json', Accept: 'application/json' };

function last({ stdout, stderr }: ToolResult): string {
  return `${stdout}${stderr}`.trimEnd().split('\n').at(-1) ?? '';
}

if ('missing' in database) test.skip(`servers follow a deployment: ${database.missing}`, () => undefined);
else
  test('servers follow a deployment, and what was in force before can be deployed again', () =>
    withTempFolder(async (cwd) => {
      writeFiles(cwd, files);
      mkdirSync(join(cwd, 'node_modules'));
      symlinkSync(packageHere, join(cwd, 'node_modules/schemac'), 'dir');
      const environment = { DATABASE_URL: database.url };
      const run = (...words: readonly string[]): Promise<ToolResult> => runToolHere(words, { cwd, environment });
      assert.is((await run('build', 'old')).status, 0);
      const none = await run('deploy', 'next', '--eventstore', 'prod');
      assert.equal([none.status, /cannot be opened: there is none/.test(none.stderr)], [3, true], none.stderr);

      const servers = [await serveHere([], { cwd, environment }), await serveHere([], { cwd, environment })];
      const fill = async (at: number): Promise<unknown> => {
        const body = JSON.stringify({ id: 'a', litres: 1 });
        const url = `${servers[at]?.url ?? ''}/api/aggregates/Tank/execute/Fill`;
        const [row] = (await (await fetch(url, { method: 'POST', headers: json, body })).json()) as {
          fields: string;
        }[];
        return row?.fields;
      };
      const totals = (): Promise<readonly unknown[]> =>
        Promise.all(
          servers.map(async ({ url }) =>
            (await fetch(`${url}/api/aggregates/Tank?select=total`, { headers: json })).json(),
          ),
        );
      assert.equal([await fill(0), await fill(1)], ['{"litres":1}', '{"litres":1}']);

      const refused = await run('deploy', 'next');
      assert.is(refused.status, 1);
      assert.equal(await totals(), [[{ total: 2 }], [{ total: 2 }]]);
      // The directory of a server is not that of the tool.
      const done = await run('deploy', 'next', '--allow', 'event-field-removed', '--data', 'cache');
      assert.equal([done.status, last(done)], [0, 'in force as registry version 2: 3 blocks changed']);
      assert.equal([await fill(0), await fill(1)], ['{"ml":1000}', '{"ml":1000}']);
      assert.equal(await totals(), [[{ total: 4000 }], [{ total: 4000 }]]);

      const metrics = await (await fetch(`${servers[0]?.url ?? ''}/metrics`)).text();
      assert.match(metrics, /^schemac_log_round_trips_total [1-9]/m);

      // A start with the files of before serves the log; only a deployment goes back.
      const back = await run('deploy', '--allow', 'event-field-removed', '--json');
      const { registry_version, changes } = JSON.parse(back.stdout) as Record<string, unknown>;
      assert.equal([back.status, registry_version, (changes as unknown[]).length], [0, 3, 3], back.stderr);
      assert.equal([await fill(0), await fill(1)], ['{"litres":1}', '{"litres":1}']);
      const sound = await run('log', 'verify', '--eventstore', 'prod');
      assert.equal([sound.status, last(sound)], [0, 'the log is sound']);
      assert.equal(await Promise.all(servers.map(({ stop }) => stop())), [0, 0]);
    }));

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
