/** The caller that a served request is of, as recorded commands tell it: by `--as` without a policy, by tokens with one. */
import { createHash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { serveHere } from '../kit/served-here.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';

const schema = `CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = 'all');
CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, pin STRING SENSITIVE NULL);
CREATE EVENT Added (pin STRING SENSITIVE);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (pin := :pin);
`;
const json = { Accept: 'application/json', 'Content-Type': 'application/json' };

/** Sends a command, and gives its status and the subjects of all recorded commands. */
async function put(url: string, headers: Record<string, string> = {}): Promise<readonly unknown[]> {
  const body = JSON.stringify({ box_id: 'b', pin: 'secret' });
  const sent = await fetch(`${url}/api/aggregates/Box/execute/Put`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body,
  });
  const text = await sent.text();
  const read = await fetch(`${url}/api/aggregates/Box/commands?select=subject`, { headers: { ...json, ...headers } });
  const rows = (await read.json()) as readonly { readonly subject: string | null }[];
  return [sent.status, text.includes('secret') ? 'clear' : 'masked', ...rows.map(({ subject }) => subject)];
}

function withBuilt(work: (cwd: string) => Promise<void>): Promise<void> {
  return withTempFolder(async (cwd) => {
    writeFiles(cwd, { 'schema/a.schema': schema });
    assert.is((await runToolHere(['build', 'schema'], { cwd })).status, 0);
    await work(cwd);
  });
}

test('without a policy --as names the caller of every request', () =>
  withBuilt(async (cwd) => {
    const full = '{"subject":"ada","roles":["nurse"],"claims":{"clinic":"north"}}';
    const cases: readonly (readonly [
      words: readonly string[],
      environment: Record<string, string>,
      subject: string | null,
    ])[] = [
      [[], {}, null],
      [['--as', 'ada'], {}, 'ada'],
      [['--as', full], { SCHEMAC_AS: 'other' }, 'ada'],
      [['--as', '{"roles":["nurse"]}'], {}, null],
      [[], { SCHEMAC_AS: 'eve' }, 'eve'],
    ];
    for (const [words, environment, subject] of cases) {
      const server = await serveHere(words, { cwd, environment });
      try {
        assert.equal([words, await put(server.url)], [words, [200, 'masked', subject]]);
        assert.is((await fetch(`${server.url}/info`)).status, 200);
      } finally {
        await server.stop();
      }
    }
  }));

test('a server that knows no caller says so, if its schema tells callers apart', async () => {
  const said = 'no caller is known without a policy or --as: ALLOW refuses nothing, and VISIBLE hides nothing';
  const visible = "CREATE AGGREGATE Box VISIBLE WHERE HAS_ROLE('nurse');";
  const cases: readonly (readonly [schema: string, words: readonly string[], says: boolean])[] = [
    ['CREATE AGGREGATE Box;', [], false],
    [visible, [], true],
    [visible, ['--as', 'ada'], false],
    [schema.replace('NULL);', "NULL) ALLOW WHERE HAS_ROLE('nurse');"), [], true],
  ];
  for (const [text, words, says] of cases)
    await withTempFolder(async (cwd) => {
      writeFiles(cwd, { 'schema/a.schema': text });
      assert.is((await runToolHere(['build', 'schema'], { cwd })).status, 0);
      const server = await serveHere(words, { cwd });
      try {
        assert.equal([text, words, server.said().includes(said)], [text, words, says]);
      } finally {
        await server.stop();
      }
    });
});

test('a caller that cannot be is wrong usage, and so is --as with a policy', () =>
  withBuilt(async (cwd) => {
    writeFiles(cwd, { 'policy.json': JSON.stringify({ auth: { roles: {} } }) });
    const cases: readonly (readonly [words: readonly string[], said: string])[] = [
      [['--as', ''], '--as: the subject is empty'],
      [['--as', 'reaction:Expire'], "--as: a subject begins with 'reaction:', which is kept for reactions"],
      [
        ['--as', '{"subject"}'],
        `--as: this is not JSON; it takes a subject, or an object such as '{"subject":"ada","roles":["nurse"],"claims":{"clinic":"north"}}'`,
      ],
      [['--as', '{"subject":7,"roles":"nurse"}'], "'--as.subject' takes a text\n'--as.roles' takes a list"],
      [['--as', '{"role":["nurse"]}'], "there is no setting '--as.role'"],
      [
        ['--as', 'ada', '--config', 'policy.json'],
        '--as is for a server without an auth policy; with one, the tokens of requests say who is asking',
      ],
    ];
    for (const command of ['start', 'dev'])
      for (const [words, said] of cases) {
        const { status, stderr } = await runToolHere([command, ...(command === 'dev' ? ['schema'] : []), ...words], {
          cwd,
        });
        assert.equal([command, words, status, stderr], [command, words, 2, `schemac: ${said}\n`]);
      }
  }));

test('recorded commands have the subject of their token, and NULL without one', () =>
  withBuilt(async (cwd) => {
    const sha256 = createHash('sha256').update('desk-token').digest('hex');
    const auth = {
      tokens: [{ sha256, subject: 'desk', roles: ['all'], claims: { clinic: 'north' } }],
      anonymous: { roles: ['all'] },
      roles: { all: ['execute:*', 'read:*$Commands'] },
    };
    writeFiles(cwd, { 'schemac.config.json': JSON.stringify({ auth }) });
    const server = await serveHere([], { cwd });
    try {
      assert.equal(await put(server.url), [200, 'masked', null]);
      assert.equal(await put(server.url, { Authorization: 'Bearer desk-token' }), [200, 'masked', null, 'desk']);
    } finally {
      await server.stop();
    }
  }));

test.run();
