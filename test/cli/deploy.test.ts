/** `schemac deploy` on a data directory: alone, and in the server that owns it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { serveHere } from '../kit/served-here.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import type { ToolResult } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

const tank = (event: string, column: string, value: string): string => `
CREATE AGGREGATE Tank (id STRING KEY, total BIGINT AS SUM(data.${column}));
CREATE COMMAND Fill (id STRING, litres INT);
CREATE EVENT Filled (${event};
CREATE DECISION FillIt FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (${column} := ${value});
`;
const old = tank('litres INT)', 'litres', ':litres');
const next = tank('ml BIGINT) UPCAST FROM (litres INT) AS (ml := litres * 1000)', 'ml', ':litres * 1000');
const files = {
  'old/tank.schema': old,
  'next/tank.schema': next,
  'retyped/tank.schema': tank('litres BOOLEAN)', 'litres', 'true').replace('SUM(data.litres)', 'COUNT(*)'),
  'fill.schema': "EXECUTE Fill(id := 'a', litres := 2); EXECUTE Fill(id := 'b', litres := 3);",
};
const allowed = ['--allow', 'event-field-removed:Filled'];

type Run = (...words: readonly string[]) => Promise<ToolResult>;
/** A project with a store whose registry was deployed from `old`; each command works on the data directory. */
function withStore(work: (run: Run, cwd: string) => Promise<void>): Promise<void> {
  return withTempFolder(async (cwd) => {
    writeFiles(cwd, files);
    const run: Run = (...words) => runToolHere([...words, '--data', 'data'], { cwd });
    writeFiles(cwd, { 'data/empty': '' });
    const deployed = await run('deploy', 'old');
    assert.equal([deployed.status, last(deployed)], [0, 'in force as registry version 1: 4 blocks changed']);
    assert.is((await run('run', 'fill.schema')).status, 0);
    await work(run, cwd);
  });
}

function last({ stdout, stderr }: ToolResult): string {
  return `${stdout}${stderr}`.trimEnd().split('\n').at(-1) ?? '';
}

test('what breaks is shown and changes nothing, unless it is allowed; a dry run changes nothing', () =>
  withStore(async (run) => {
    const refused = await run('deploy', 'next');
    assert.equal(
      [refused.status, refused.stdout.split('\n')],
      [
        1,
        [
          "breaks  event Filled: field 'litres' is no longer there for readers; the log keeps its values [event-field-removed]",
          'mind    decision FillIt: it emits other events or other values [decision-changed]',
          'safe    aggregate Tank: its state changes [aggregate-changed]',
          "safe    event Filled: new field 'ml' [event-field-added]",
          'safe    event Filled: its UPCAST clauses change: what reads it is built again [clause-changed]',
          'safe    aggregate Tank: its tables and folds may be built again from 2 events, while it goes on serving [folds-built-anew]',
          '6 differences: 1 breaks, 1 mind, 4 safe',
          '2 events read under the new definitions',
          'Tank$Agg: 2 rows before, 2 after: 0 added, 0 gone, 2 changed',
          'every fold equals a computation over its events',
          'nothing was changed: something breaks, and --allow CODE lets it pass where that is intended',
          '',
        ],
      ],
    );
    const impossible = await run('deploy', 'retyped', '--allow', 'event-field-retyped');
    assert.equal(
      [impossible.status, impossible.stdout.split('\n').at(-3)],
      [1, 'nothing is read: stored events forbid the change'],
    );
    const dry = await run('deploy', 'next', ...allowed, '--dry-run');
    assert.equal([dry.status, last(dry)], [0, 'nothing was changed: this was a dry run']);
    const same = await run('deploy', 'old');
    assert.equal([same.status, last(same)], [0, 'nothing was changed: this is registry version 1, which is in force']);
    assert.is((await run('log', 'dump')).stdout.split('\n').length, 4);

    const done = await run('deploy', 'next', ...allowed, '--json');
    const { outcome, registry_version, changes, breaks } = JSON.parse(done.stdout) as Record<string, unknown>;
    assert.equal(
      [done.status, { outcome, registry_version, changes, breaks }],
      [
        0,
        {
          breaks: false,
          outcome: 'replaced',
          registry_version: 2,
          changes: [
            { change: 'put', block: 'aggregate', name: 'Tank' },
            { change: 'put', block: 'event', name: 'Filled' },
            { change: 'put', block: 'decision', name: 'FillIt' },
          ],
        },
      ],
    );
  }));

test('a right of the policy that covers nothing is a warning', () =>
  withStore(async (run, cwd) => {
    const auth = { tokens: [], roles: { clerk: ['execute:Tank.Fil'] } };
    writeFiles(cwd, { 'schemac.config.json': JSON.stringify({ auth }) });
    const { stderr } = await run('deploy', 'old');
    assert.match(
      stderr,
      /^warning: .*schemac\.config\.json: role 'clerk': 'execute:Tank\.Fil' covers nothing; did you mean/m,
    );
  }));

test('a running server puts it in force; posted blocks stay, and one that differs needs a choice', () =>
  withStore(async (run, cwd) => {
    assert.is((await runToolHere(['build', 'old'], { cwd })).status, 0);
    const server = await serveHere(['--data', 'data', '--enable-create'], { cwd });
    const json = { 'Content-Type': 'application/json', Accept: 'application/json' };
    const send = (path: string, body: unknown): Promise<Response> =>
      fetch(server.url + path, { method: 'POST', headers: json, body: JSON.stringify(body) });
    const totals = async (): Promise<unknown> =>
      (await fetch(`${server.url}/api/aggregates/Tank?select=id,total`, { headers: json })).json();
    const posted = await send('/api/lang/create', { lang: 'CREATE EVENT Emptied (why STRING);' });
    assert.is(posted.status, 201, await posted.text());

    const done = await run('deploy', 'next', ...allowed);
    assert.equal([done.status, last(done)], [0, 'in force as registry version 3: 3 blocks changed']);
    assert.match(
      done.stdout,
      'safe    event Emptied: it was posted and is not in the files: it stays until it is dropped',
    );
    assert.is((await send('/api/aggregates/Tank/execute/Fill', { id: 'a', litres: 1 })).status, 200);
    assert.equal(await totals(), [
      { id: 'a', total: 3000 },
      { id: 'b', total: 3000 },
    ]);
    const { status } = await fetch(`${server.url}/api/reg/events/Emptied`, { headers: json });
    assert.is(status, 200);

    writeFiles(cwd, { 'more/tank.schema': `${next}CREATE EVENT Emptied (why STRING, by STRING);` });
    const torn = await run('deploy', 'more');
    assert.equal(
      [torn.status, last(torn)],
      [
        1,
        'schemac: posted blocks differ from those of the files: event Emptied; --accept files or --accept log says which are to be in force',
      ],
    );
    const chosen = await run('deploy', 'more', '--accept', 'files');
    assert.equal([chosen.status, last(chosen)], [0, 'in force as registry version 4: 1 block changed']);
    writeFiles(cwd, { 'drop.sql': 'DROP EVENT Emptied; CREATE EVENT Rinsed (); CREATE OR REPLACE EVENT Rinsed ();' });
    assert.is((await run('run', 'drop.sql')).status, 0);
    assert.is((await run('run', 'fill.schema')).status, 0);
    assert.is(await server.stop(), 0);
    const changes = [
      ...server.said().matchAll(/"registry_version":(\d+),"blocks":(\d+),"msg":"a tool in the data directory/g),
    ];
    assert.equal(
      changes.map(([, version, blocks]) => [version, blocks]),
      [
        ['3', '3'],
        ['4', '1'],
        ['5', '2'],
      ],
    );
  }));

test('files that do not compile with a posted block are refused, with its name', () =>
  withStore(async (run, cwd) => {
    writeFiles(cwd, {
      'post.schema': 'CREATE PROJECTION Loads AS SELECT data.litres AS litres FROM Reg."Tank$Events";',
      'small/a.schema': 'CREATE EVENT Alone (a INT);',
    });
    assert.is((await run('run', 'post.schema')).status, 0);
    const refused = await run('deploy', 'small');
    assert.is(refused.status, 1);
    assert.match(last(refused), /^schemac: the files do not compile with the posted blocks: projection Loads: .*Tank/);
  }));

for (const [title, words, status, told] of [
  ['no directory', ['next', '--data', 'gone'], 1, /^schemac: there is no data directory \S+gone\n$/],
  ['no build', ['--data', 'gone'], 1, /^schemac: there is no generated server in 'generated'/],
  ['files with an error', ['broken', '--data', 'gone'], 1, /broken does not compile, so it cannot be compared/],
  ['an unknown code', ['next', '--allow', 'x'], 2, /--allow x: there is no code 'x'/],
  ['a store in memory', ['memory'], 1, /event store m is in the memory of its server/],
  ['an unknown store', ['next', '--eventstore', 'prod'], 1, /event store prod: the schema has no event store/],
] as const)
  test(`refused: ${title}`, () =>
    withTempFolder(async (cwd) => {
      writeFiles(cwd, {
        ...files,
        'broken/a.schema': 'CREATE EVENT A (a);',
        'memory/a.schema': "CREATE EVENTSTORE m WITH (durable.type = 'memory');",
      });
      const result = await runToolHere(['deploy', ...words], { cwd });
      assert.equal([result.status, told.test(result.stderr)], [status, true], result.stderr);
    }));

test('a log that has lost its end is changed only with --accept-loss', () =>
  withStore(async (run, cwd) => {
    rmSync(join(cwd, 'data/log-0000000000000001.seg'));
    const refused = await run('deploy', 'next');
    assert.equal([refused.status, /--accept-loss 1/.test(refused.stderr)], [3, true], refused.stderr);
    const done = await run('deploy', 'next', '--accept-loss', '1');
    assert.equal([done.status, last({ ...done, stderr: '' })], [0, 'in force as registry version 1: 4 blocks changed']);
  }));

test.run();
