/** An archive of what a server shows is, file by file, that of its log, as far as the caller may read it. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Manifest } from '../../server/archive/manifest.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { dumpLog } from '../../runtime/store/log/verify.ts';
import { printTimestamp } from '../../language/values/timestamp.ts';
import { serveHere } from '../kit/served-here.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { fillBank, runOn, schema } from './stores.ts';

const folder = freshFolder();
const roles = {
  analyst: ['read:*$Events'],
  auditor: ['read:*$Events', 'sensitive:read'],
  teller: ['read:Till$Events', 'execute:*'],
  none: ['execute:*'],
};
const tokens = Object.keys(roles).map((role) => ({
  subject: role,
  sha256: createHash('sha256').update(role).digest('hex'),
  roles: [role],
}));
await fillBank(folder);
writeFileSync(join(folder, 'bank.schema'), schema);
writeFileSync(join(folder, 'schemac.config.json'), JSON.stringify({ auth: { tokens, roles } }));
const run = (role: string, ...words: readonly string[]): ReturnType<typeof runToolHere> =>
  runToolHere(words, { cwd: folder, environment: { SCHEMAC_TOKEN: role } });
assert.is((await run('', 'build', 'bank.schema', '--out', 'generated')).status, 0);
const server = await serveHere(['generated', '--data', 'data'], { cwd: folder });
test.after(async () => void (await server.stop()));

const manifestOf = (archive: string): Manifest =>
  JSON.parse(readFileSync(join(folder, archive, 'manifest.json'), 'utf8')) as Manifest;
const told = async (role: string, ...words: readonly string[]): Promise<string> => {
  const { status, stdout, stderr } = await run(role, 'log', 'export', '--format', 'jsonl', ...words);
  return `${status} ${stdout}${stderr}`.replaceAll(folder, '…').replaceAll(server.url, 'URL').trimEnd();
};
const fromServer = (role: string, archive: string, ...words: readonly string[]): Promise<string> =>
  told(role, '--out', archive, '--url', server.url, ...words);
const verified = async (archive: string): Promise<string> => {
  const { status, stdout } = await run('', 'log', 'verify', '--archive', archive, '--data', 'data');
  return `${status} ${stdout}`.trimEnd().split('\n').at(-1) ?? '';
};

test('masked and clear archives are those of the log', async () => {
  assert.is(await fromServer('analyst', 'masked'), '0 9 events written to …/masked, up to position 9');
  assert.is(
    await fromServer('auditor', 'clear', '--clear'),
    '0 9 events written to …/clear, up to position 9\nthe archive contains sensitive values in the clear',
  );
  await told('', '--out', 'local', '--data', 'data');
  await told('', '--out', 'local-clear', '--clear', '--data', 'data');
  assert.equal(manifestOf('masked'), manifestOf('local'));
  assert.equal(manifestOf('clear'), manifestOf('local-clear'));
  assert.is(await fromServer('auditor', 'masked too'), '0 9 events written to …/masked too, up to position 9');
  assert.equal(manifestOf('masked too'), manifestOf('local'));
  assert.is(await verified('masked'), 'the archive is sound');
});

test('an archive goes on with what is new, here and there', async () => {
  const given = '{"till_id":"T","n":7}';
  const count = (): Promise<Response> =>
    fetch(`${server.url}/api/aggregates/Till/execute/Count_`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer teller' },
      body: given,
    });
  assert.is((await count()).status, 200);
  assert.is(await fromServer('analyst', 'local'), '0 2 events written to …/local, up to position 11');
  assert.is(await fromServer('analyst', 'local'), '0 0 events written to …/local, up to position 11');
  assert.is(await verified('local'), 'the archive is sound');
  assert.is((await count()).status, 200);
  assert.is(await told('', '--out', 'local', '--data', 'data'), '0 2 events written to …/local, up to position 13');
  assert.is(await verified('local'), 'the archive is sound');
});

test('only what the caller may read, and what was asked for', async () => {
  assert.is(await fromServer('teller', 'tills'), '0 8 events written to …/tills, up to position 13');
  assert.equal(
    manifestOf('tills').aggregates.map(({ name }) => name),
    ['Till'],
  );
  assert.is(await verified('tills'), 'the archive is sound');
  assert.is(
    await fromServer('analyst', 'since', '--since', '5', '--aggregate', 'Till'),
    '0 7 events written to …/since, up to position 13',
  );
  assert.is(await verified('since'), 'the archive is sound');
});

test('from a time on, as from the log', async () => {
  // The last event of the bank is a month later than the others.
  let at = 0n;
  for await (const entry of dumpLog(join(folder, 'data'))) at = BigInt(entry.at);
  const last: number[] = [];
  for await (const entry of dumpLog(join(folder, 'data')))
    if (entry.kind === 'command' && BigInt(entry.at) < at) last.push(entry.events.at(-1)?.position ?? 0);
  const moments = [
    ['earlier', '2000-01-01', 0],
    ['later', printTimestamp(at), last.at(-1) ?? 0],
    ['after', printTimestamp(at + 1n), 13],
  ] as const;
  for (const [name, time, since] of moments) {
    const there = await fromServer('analyst', `${name}-there`, '--since', time);
    const here = await told('', '--out', `${name}-here`, '--data', 'data', '--since', time);
    assert.is(there.replace('-there', ''), here.replace('-here', ''));
    assert.is(manifestOf(`${name}-there`).since, since);
    assert.equal(manifestOf(`${name}-there`), manifestOf(`${name}-here`));
  }
  assert.is(await fromServer('analyst', 'later-there'), '0 0 events written to …/later-there, up to position 13');
  for (const query of ['after=1&since=2026-01-01', 'since=1', 'since=May']) {
    const answer = await fetch(`${server.url}/api/archive?${query}`, { headers: { Authorization: 'Bearer analyst' } });
    assert.is(answer.status, 400, query);
  }
});

const refused: readonly (readonly [title: string, role: string, words: readonly string[], said: string])[] = [
  ['no right', 'none', ['n'], "1 schemac: the server refuses: this needs the right 'read:*$Events'"],
  ['an unknown token', 'unknown', ['n'], '1 schemac: the server refuses: the bearer token is not accepted'],
  [
    '--clear without the right to it',
    'analyst',
    ['n', '--clear'],
    "1 schemac: --clear needs the right 'sensitive:read' of URL; its token comes from SCHEMAC_TOKEN",
  ],
  [
    'a time that is none',
    'analyst',
    ['n', '--since', 'May'],
    "2 schemac: --since takes a position or an ISO 8601 time, not 'May'",
  ],
  [
    'a directory besides',
    'analyst',
    ['n', '--data', 'data'],
    '2 schemac: --url goes with neither --data nor --eventstore',
  ],
];
for (const [title, role, words, said] of refused)
  test(`${title} is refused`, async () => {
    const [first = '', ...others] = words;
    const text = await fromServer(role, first, ...others);
    assert.is(text.split('\n')[0], said);
  });

test('an archive of another store is refused, and one that the server does not reach', async () => {
  const other = join(folder, 'other');
  await runOn(join(other, 'data'), schema);
  assert.match(await told('', '--out', 'foreign', '--data', 'other/data'), '0 0 events');
  assert.is(
    await fromServer('analyst', 'foreign'),
    '1 schemac: the archive in …/foreign is of another store; export this one to a new folder',
  );
  const path = join(folder, 'since', 'manifest.json');
  writeFileSync(path, JSON.stringify({ ...manifestOf('since'), position: 99 }));
  assert.match(await fromServer('analyst', 'since'), 'which the log does not reach');
});

test('a URL of something else', async () => {
  assert.is(
    await told('', '--out', 'n', '--url', 'ftp://x'),
    "2 schemac: --url takes an http or https URL, not 'ftp://x'",
  );
  assert.match(
    await told('', '--out', 'n', '--url', 'http://127.0.0.1:1'),
    /^3 schemac: http:\/\/127.0.0.1:1 does not answer/,
  );
});

test.run();
