import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  CodeLensRequest,
  ExecuteCommandRequest,
  InlayHintRequest,
  ShowMessageNotification,
} from 'vscode-languageserver-protocol/node';
import { uriOfPath } from '../../cli/lsp/file-uri.ts';
import { realPathOf } from '../../cli/lsp/project-files.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { startTool } from '../kit/tool.ts';
import { watchOutput } from '../kit/watch-output.ts';
import { openClient, type Client } from './client.ts';

const texts = {
  'schemac.config.json': '{ "schema": ["schema"], "tests": ["tests"], "data": "data" }',
  'schema/a.schema': `CREATE AGGREGATE A;
CREATE COMMAND C (id STRING, n INT);
CREATE EVENT E (n INT);
CREATE DECISION D FOR A ON COMMAND C
STATE AS SELECT COUNT(*) AS k FROM Reg."A$Events" WHERE stream_id = :id
EMIT AS SELECT EVENT E (n := :n) WHERE k = 0;
CREATE COMMAND Other (id STRING);
CREATE DECISION DoOther FOR A ON COMMAND Other EMIT AS SELECT EVENT E (n := 0);
`,
  'schema/price.schema': `CREATE EVENT Priced (price DECIMAL(18,2));
CREATE COMMAND Price (id STRING, price DECIMAL(18,2));
CREATE DECISION Prices FOR A ON COMMAND Price EMIT AS SELECT EVENT Priced (price := :price);
`,
  'tests/a.schema': `EXECUTE C(id := '1', n := 2);
--= emitted [{"event_type": "E"}]
EXECUTE C(id := '1', n := 2);
--= emitted [{"event_type": "E"}]
SELECT data.n AS n, stream_id FROM Reg."A$Events";
--= rows [[2, "1"]]
SELECT x;
--= error E0203
`,
};
type Name = keyof typeof texts;

async function inProject(
  work: (client: Client, uri: (name: Name) => string, shown: readonly string[], folder: string) => Promise<void>,
  options: Parameters<typeof openClient>[0] = {},
): Promise<void> {
  await withTempFolder(async (folder) => {
    writeFiles(folder, texts);
    const uri = (name: string): string => uriOfPath(realPathOf(join(folder, name)));
    const client = await openClient(options);
    const shown: string[] = [];
    client.connection.onNotification(ShowMessageNotification.type, ({ message }) => void shown.push(message));
    try {
      for (const name of ['schema/a.schema', 'tests/a.schema'] as const) client.open(uri(name), texts[name]);
      await work(client, uri, shown, folder);
    } finally {
      assert.equal([await client.stop(), client.said()], [0, '']);
    }
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function execute(client: Client, command: string, argument: object): Promise<unknown> {
  return client.connection.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });
}

/** `line title`, with what it runs. */
async function lensesOf(client: Client, uri: string): Promise<readonly string[]> {
  const lenses = (await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } })) ?? [];
  return lenses.map(({ range, command }) =>
    `${range.start.line + 1} ${command?.title ?? ''} ${command?.command ?? ''}`.trim(),
  );
}

test('the tests of a decision run from the lens above it, which then shows the result, until the texts change', () =>
  inProject(async (client, uri, shown) => {
    const schema = uri('schema/a.schema');
    const above = async (): Promise<readonly string[]> =>
      (await lensesOf(client, schema)).filter((each) => each.startsWith('4 '));
    assert.equal(await lensesOf(client, schema), [
      '3 emitted by D, DoOther',
      '4 run 2 tests schemac.test',
      '4 what if schemac.inspect',
      '8 no tests',
      '8 what if schemac.inspect',
    ]);
    const report = (await execute(client, 'schemac.test', { uri: schema, decision: 'd' })) as {
      passed: number;
      failed: number;
      scripts: { uri: string; verdicts: { line: number; mismatch?: { problem: string } }[] }[];
    };
    assert.equal(
      [
        report.passed,
        report.failed,
        report.scripts.map((each) => [each.uri, each.verdicts.map(({ line, mismatch }) => [line, mismatch?.problem])]),
      ],
      [
        1,
        1,
        [
          [
            uri('tests/a.schema'),
            [
              [2, undefined],
              [4, 'another outcome'],
            ],
          ],
        ],
      ],
    );
    assert.equal(shown, ['D: 1 of 2 failed; a.schema:4: another outcome']);
    assert.is((await above())[0], '4 run 2 tests · ✗ 1 of 2 failed schemac.test');
    // Unsaved texts are what runs.
    const script = client.textOf(uri('tests/a.schema'));
    const second = script.indexOf('emitted', script.indexOf('emitted') + 1);
    client.edit(uri('tests/a.schema'), second, script.indexOf('\n', second), 'rejected');
    assert.is((await above())[0], '4 run 2 tests · ✗ 1 of 2 failed before the last change schemac.test');
    await execute(client, 'schemac.test', { uri: schema, decision: 'D' });
    assert.is((await above())[0], '4 run 2 tests · ✓ 2 passed schemac.test');
    assert.is(shown.at(-1), 'D: 2 passed');
  }));

test('a script runs with a result behind each statement, until its text changes', () =>
  inProject(async (client, uri) => {
    const script = uri('tests/a.schema');
    const hints = async (): Promise<readonly string[]> => {
      const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
      const found = await client.connection.sendRequest(InlayHintRequest.type, {
        textDocument: { uri: script },
        range,
      });
      return (found ?? []).map(
        ({ position, label }) => `${position.line + 1} ${typeof label === 'string' ? label : ''}`,
      );
    };
    assert.equal(await lensesOf(client, script), ['1 run schemac.run', '1 test schemac.test']);
    assert.equal(await hints(), []);
    const labels = [
      '1 → emitted E {"n":2}',
      '3 → rejected: not k = 0',
      '5 → 2 | 1',
      "7 → E0203: there is no column 'x' here",
    ];
    const found = (await execute(client, 'schemac.run', { uri: script })) as {
      results: { line: number; label: string }[];
    };
    assert.equal(
      found.results.map(({ line, label }) => `${line} → ${label}`),
      labels,
    );
    assert.equal(await hints(), labels);
    client.edit(script, 0, 0, '\n');
    assert.equal(await hints(), []);
    const tested = (await execute(client, 'schemac.test', { uri: script })) as { passed: number; failed: number };
    assert.equal([tested.passed, tested.failed], [3, 1]);
  }));

test('what-if decides rows in memory where no server runs', () =>
  inProject(async (client, uri, shown) => {
    const schema = uri('schema/a.schema');
    const rows = [
      { id: 'x', n: 5 },
      { id: 'y', n: 6 },
    ];
    const found = (await execute(client, 'schemac.inspect', { uri: schema, decision: 'D', rows })) as {
      where: string;
      columns: string[];
      rows: unknown[][];
    };
    const at = ['stream_id', 'event_type', 'data', 'rejection'].map((name) => found.columns.indexOf(name));
    assert.equal(
      [found.where, found.rows.map((row) => at.map((index) => row[index]))],
      [
        'in memory',
        [
          ['x', 'E', { n: 5 }, null],
          ['y', 'E', { n: 6 }, null],
        ],
      ],
    );
    await execute(client, 'schemac.inspect', { uri: schema, decision: 'DoOther' });
    assert.equal(shown, ['D, in memory: emits E {"n":5}; emits E {"n":6}', 'DoOther, in memory: emits E {"n":0}']);
  }));

const refusals: readonly (readonly [command: string, argument: object, reason: string])[] = [
  ['schemac.test', {}, 'the argument takes "uri", the URI of a text that is open'],
  ['schemac.test', { uri: 'file:///none' }, 'the argument takes "uri", the URI of a text that is open'],
  ['schemac.test', { uri: 'schema', decision: 'None' }, 'there is no decision "None"'],
  ['schemac.inspect', { uri: 'schema' }, 'the argument takes "decision", the name of a decision'],
  [
    'schemac.inspect',
    { uri: 'schema', decision: 'D', rows: [1] },
    '"rows" takes a list of objects, each with the fields of the command',
  ],
  ['schemac.inspect', { uri: 'schema', decision: 'D', rows: [{ idd: '1' }] }, ''],
  ['schemac.inspect', { uri: 'schema', decision: 'D', url: 1 }, '"url" takes the URL of a server'],
  [
    'schemac.inspect',
    { uri: 'schema', decision: 'D', url: 'ftp://a' },
    '"url" takes an http or https URL, not "ftp://a"',
  ],
  [
    'schemac.other',
    { uri: 'schema' },
    "there is no command 'schemac.other'; there is schemac.test, schemac.run, schemac.inspect",
  ],
];
test('what cannot be run is refused with the reason, and changes nothing', () =>
  inProject(async (client, uri) => {
    const schema = uri('schema/a.schema');
    for (const [command, argument, reason] of refusals) {
      const given = 'uri' in argument && argument.uri === 'schema' ? { ...argument, uri: schema } : argument;
      const said = await execute(client, command, given).then(String, reasonOf);
      if (reason === '') assert.match(said, /the source has no column for '(id|n)'/);
      else assert.is(said, reason);
    }
    client.edit(schema, 0, 0, 'CREATE;');
    const said = await execute(client, 'schemac.run', { uri: uri('tests/a.schema') }).catch(reasonOf);
    assert.is(said, 'the schema has errors; nothing is run before they are gone');
  }));

test('in a folder that is not trusted nothing runs, and nothing is offered to run', () =>
  inProject(
    async (client, uri) => {
      assert.equal(await lensesOf(client, uri('schema/a.schema')), ['3 emitted by D, DoOther']);
      const said = await execute(client, 'schemac.run', { uri: uri('tests/a.schema') }).catch(reasonOf);
      assert.is(said, 'the folder is not trusted, so nothing of it is run');
    },
    { initialization: { trusted: false } },
  ));

const exact = { decision: 'Prices', rows: [{ id: 'x', price: '9007199254740993.10' }] };
const exactRow = { price: '9007199254740993.10' };

test('what-if keeps each digit of a decimal', () =>
  inProject(async (client, uri) => {
    const { columns, rows } = (await execute(client, 'schemac.inspect', {
      ...exact,
      uri: uri('schema/a.schema'),
    })) as { columns: string[]; rows: unknown[][] };
    assert.equal(rows[0]?.[columns.indexOf('data')], exactRow);
  }));

test('what-if decides on the state of the server that dev runs, through the server process itself', () =>
  inProject(
    async (client, uri, shown, folder) => {
      const server = startTool(['dev', 'schema', '--port', '0', '--data', 'data'], { cwd: folder });
      const output = watchOutput(server);
      try {
        const [url = ''] = /http:\S+(?=,)/.exec(await output.until(', data ')) ?? [];
        const answer = await fetch(`${url}/api/aggregates/A/execute/C`, {
          method: 'POST',
          body: '{"id":"x","n":1}',
          headers: { 'Content-Type': 'application/json' },
        });
        assert.is(answer.status, 200);
        const rows = [{ id: 'x', n: 5 }];
        await execute(client, 'schemac.inspect', { uri: uri('schema/a.schema'), decision: 'D', rows });
        assert.match(shown.at(-1) ?? '', new RegExp(`^D, on the server \\(process ${server.pid}\\): rejected .*k = 0`));
        const argument = { uri: uri('schema/a.schema'), decision: 'D', rows: [...rows, { id: 'y', n: 7 }], url };
        const found = (await execute(client, 'schemac.inspect', argument)) as { where: string; rows: unknown[][] };
        assert.equal([found.where, found.rows.length], [`on ${new URL(url).origin}`, 2]);
        assert.match(shown.at(-1) ?? '', /: rejected .*k = 0.*; emits E \{"n":7\}$/);
        const priced = { ...exact, uri: uri('schema/a.schema'), url };
        const { columns, rows: priceRows } = (await execute(client, 'schemac.inspect', priced)) as {
          columns: string[];
          rows: unknown[][];
        };
        assert.equal(priceRows[0]?.[columns.indexOf('data')], exactRow);
        const wrong = { ...argument, rows: [{ idd: 'y' }] };
        assert.match(
          await execute(client, 'schemac.inspect', wrong).then(String, reasonOf),
          /127\.0\.0\.1:\d+: .*'idd'/,
        );
      } finally {
        await output.stop('SIGKILL');
      }
    },
    { process: true },
  ));

test.run();
