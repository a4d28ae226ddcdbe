/** Acts of a server with an EVENTSTORE of `durable.type = 'postgres'` before it asks the database anything. */
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { chooseStore, type StoreChoice } from '../../server/start/choose-store.ts';
import { locateStore } from '../../server/start/locate-store.ts';
import { openStore } from '../../server/start/open-store.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';

type Settings = Readonly<Record<string, string | number | { readonly env: string }>>;
const store = (settings: Settings): Parameters<typeof chooseStore>[0] => [
  { name: 'prod', options: Object.entries(settings).map(([key, value]) => ({ key, value })) },
];
const environment = { DATABASE_URL: 'postgres://me:hidden@host/db' };
const choose = (settings: Settings, data?: string): StoreChoice =>
  chooseStore(store(settings), { base: '/base', environment, ...(data !== undefined && { data }) });
const postgres = { 'durable.type': 'postgres', 'durable.url': { env: 'DATABASE_URL' } };

test('the settings of a log in PostgreSQL', () => {
  assert.equal(choose(postgres), { name: 'prod', kind: 'postgres', url: environment.DATABASE_URL });
  const more = {
    'durable.namespace': 'shop',
    'durable.listen_url': { env: 'DATABASE_URL' },
    'read.poll_ms': 50,
    'inmemory.max_mb': 1,
  };
  assert.equal(choose({ ...postgres, ...more }, 'cache'), {
    name: 'prod',
    kind: 'postgres',
    url: environment.DATABASE_URL,
    listenUrl: environment.DATABASE_URL,
    namespace: 'shop',
    pollMilliseconds: 50,
    maxBytes: 1024 * 1024,
    directory: '/base/cache',
  });
});

for (const [settings, says] of [
  [{ 'durable.type': 'postgres' }, "durable.type 'postgres' needs durable.url = ENV('DATABASE_URL')"],
  [
    { 'durable.type': 'postgres', 'durable.url': 'postgres://me:****@host/db' },
    'the password of durable.url is not kept in schema text',
  ],
  [{ 'durable.type': 'postgres', 'durable.url': { env: 'NOWHERE' } }, 'this environment variable is not set'],
] as const) {
  test(`refused: ${says}`, () => assert.throws(() => choose(settings), says));
}

test('a read model on disk of a server without a directory', () => {
  const disk = { name: 'prod', kind: 'postgres', url: environment.DATABASE_URL, readEngine: 'disk' };
  assert.equal(choose({ ...postgres, 'read.engine': 'disk', 'read.cache_mb': 8 }), {
    ...disk,
    cacheBytes: 8 * 1024 * 1024,
  });
});

test('another session reads it where it is', () => {
  const settings = { ...postgres, 'durable.namespace': 'shop' };
  assert.equal(locateStore(store(settings), 'prod', { base: '/base', environment }), {
    kind: 'database',
    url: environment.DATABASE_URL,
    namespace: 'shop',
  });
});

test('dev does not change the schema of a log that servers share, unless that is said', () =>
  withTempFolder(async (cwd) => {
    const text = `CREATE EVENTSTORE prod WITH (durable.type = 'postgres', durable.url = 'postgres://127.0.0.1:1/nowhere');`;
    writeFiles(cwd, { 'a.schema': text });
    const { status, stderr } = await runToolHere(['dev', 'a.schema'], { cwd });
    assert.equal(
      [status, stderr],
      [
        2,
        'schemac: the log of event store prod is in PostgreSQL, and dev would change its schema for all its servers with every saved file: name another store with --eventstore, or agree with --shared\n',
      ],
    );
    const shared = await runToolHere(['dev', 'a.schema', '--shared', '--port', '0'], { cwd });
    assert.equal([shared.status, /cannot be reached/.test(shared.stderr)], [3, true], shared.stderr);
  }));

test('a directory with a log of its own is not taken for the cache of a server on a database', () =>
  withTempFolder(async (folder) => {
    const directory = join(folder, 'data');
    const embedded = await openEmbeddedStore({ directory, readModel: 'inline' });
    await embedded.turns.exclusively((turn) => turn.append({ kind: 'schema', origin: 'files', changes: [] }, 1n));
    await embedded.close();
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const opened = openStore({ store: choose(postgres, directory), log } as unknown as Parameters<typeof openStore>[0]);
    const said = await opened.then(String, String);
    assert.match(
      said,
      `the data directory ${directory} cannot be used: it has a log of its own (log-0000000000000001.seg)`,
    );
    await (await openEmbeddedStore({ directory, readModel: 'inline' })).close();
  }));

test.run();
