/**
 * A running store whose directory, lock or segments are removed: it notices before it acknowledges, writes nothing
 * more, says why, and leaves the files of the next owner unchanged.
 */
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { defaultLimits } from '../../server/start/settings/limits.ts';
import { runServer } from '../../server/start/run-server.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { verifyLog } from '../../runtime/store/log/verify.ts';
import { saveTable } from '../kit/save-table.ts';
import type { Store } from '../../runtime/store/store.ts';
import { collect, column, deposit, int } from '../contract/accounts.ts';
import { domainOf } from '../kit/domain.ts';
import { createSimulatedDisk } from './simulated-disk.ts';
import { commit, recover } from './workload.ts';
import { testedEngine } from '../kit/tested-engine.ts';
import { freshFolder } from '../store/fresh-folder.ts';

const segment = (first: number): string => `log-${String(first).padStart(16, '0')}.seg`;

function openAt(directory: string): Promise<Store> {
  return openEmbeddedStore({
    directory,
    readModel: 'inline',
    rolloverBytes: 300,
    snapshotEntries: 20,
    readEngine: testedEngine(),
  });
}

/** `kept`, or the message of the failure without its path. */
async function put(store: Store, commandId: string, directory: string): Promise<string> {
  try {
    await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1', commandId }));
    return 'kept';
  } catch (error) {
    if (error instanceof Failure)
      return `${error.code} ${error.message.replaceAll(directory, '…').replaceAll(/\d+ (bytes|were)/g, 'N $1')}`;
    throw error;
  }
}

const taken: readonly (readonly [what: string, take: (directory: string) => void, says: string])[] = [
  [
    'the lock is removed',
    (directory) => rmSync(join(directory, 'lock.1')),
    'lock.1 is gone, so another process may have the data directory',
  ],
  [
    'the segment that is written to is removed',
    (directory) => rmSync(join(directory, segment(3))),
    `${segment(3)} is gone`,
  ],
  [
    'the segment that is written to is replaced by a copy of it',
    (directory) => {
      const bytes = readFileSync(join(directory, segment(3)));
      rmSync(join(directory, segment(3)));
      writeFileSync(join(directory, segment(3)), bytes);
    },
    `${segment(3)} is gone`,
  ],
  [
    'the segment that is written to loses its end',
    (directory) => truncateSync(join(directory, segment(3)), statSync(join(directory, segment(3))).size - 10),
    `${segment(3)} has N bytes, and N were written to it`,
  ],
  [
    'another program adds bytes to the segment that is written to',
    (directory) => appendFileSync(join(directory, segment(3)), 'more'),
    `${segment(3)} has N bytes, and N were written to it`,
  ],
  [
    'the directory is renamed',
    (directory) => renameSync(directory, `${directory}-renamed`),
    'lock.1 is gone, so another process may have the data directory',
  ],
];
for (const [what, take, says] of taken) {
  test(`${what}: the next commit is not acknowledged, and nothing is written afterwards`, async () => {
    const directory = join(freshFolder(), 'data');
    const store = await openAt(directory);
    for (const id of ['a', 'b', 'c']) assert.is(await put(store, id, directory), 'kept');
    take(directory);
    assert.is(await put(store, 'd', directory), `R0403 outcome unknown: the store failed while writing (${says})`);
    const before = existsSync(directory) ? readdirSync(directory) : [];
    assert.is(
      await put(store, 'e', directory),
      `R0402 the store is read-only: writing the log failed (${says}); restart it`,
    );
    assert.is(store.turns.position().entry, 3);
    await store.close();
    const own = (name: string): boolean => !name.startsWith('lock.');
    assert.equal(existsSync(directory) ? readdirSync(directory).filter(own) : [], before.filter(own));
  });
}

test('after the lock is removed a second owner opens the directory: only that one acknowledges, and its store is intact', async () => {
  const directory = freshFolder();
  const first = await openAt(directory);
  assert.is(await put(first, 'a', directory), 'kept');
  rmSync(join(directory, 'lock.1'));
  const second = await openAt(directory);
  assert.is(await put(second, 'b', directory), 'kept');
  assert.match(await put(first, 'c', directory), /^R0403 /);
  assert.is(await put(second, 'd', directory), 'kept');
  await first.close();
  assert.ok(existsSync(join(directory, 'lock.1')), "the second owner's lock stays");
  assert.is(await put(second, 'e', directory), 'kept');
  await second.close();
  const third = await openAt(directory);
  const ids = (await collect(third.log.read(1))).map((entry) => (entry.kind === 'command' ? entry.commandId : ''));
  assert.equal(ids, ['a', 'b', 'd', 'e']);
  await third.close();
  assert.equal(
    (await collect(verifyLog(directory))).filter(({ finding }) => finding !== 'segment'),
    [],
  );
});

test('a lock that disappears while a frame is written: the frame is not acknowledged', async () => {
  const disk = createSimulatedDisk();
  const written = (): number => disk.operations.filter(({ kind }) => kind === 'write').length;
  const before = { writes: Infinity };
  const lost = (): string | undefined => (written() > before.writes ? 'the lock is gone' : undefined);
  const { log } = await recover(disk, { lost });
  await commit(log, ['one']);
  before.writes = written();
  const said = await commit(log, ['two']).then(() => 'acknowledged', String);
  assert.equal([said, log.known().entry, written()], ['JournalFailure: the lock is gone', 1, before.writes + 1]);
});

test('a missing older segment found by an examination, or a damaged one found by a read, ends writing', async () => {
  const directory = freshFolder();
  const store = await openAt(directory);
  for (const id of ['a', 'b', 'c']) assert.is(await put(store, id, directory), 'kept');
  await store.log.look();
  assert.is(store.turns.refusesWrites(), undefined);
  renameSync(join(directory, segment(1)), join(directory, 'aside'));
  await store.log.look();
  assert.is(store.turns.refusesWrites()?.reason.replace(directory, '…'), `…/${segment(1)} is gone`);
  assert.is(await put(store, 'd', directory), `R0402 the store is read-only: …/${segment(1)} is gone`);
  await store.close();
  renameSync(join(directory, 'aside'), join(directory, segment(1)));

  const again = await openAt(directory);
  const bytes = readFileSync(join(directory, segment(1)));
  bytes.writeUInt8(bytes.readUInt8(150) ^ 1, 150);
  writeFileSync(join(directory, segment(1)), bytes);
  const damage = await collect(again.log.read(1)).then(
    () => 'nothing',
    (error: unknown) => (error instanceof Failure ? error.message : 'another error'),
  );
  assert.match(damage, /^the log is damaged at .* a frame body whose checksum does not hold$/);
  assert.is(again.turns.refusesWrites()?.reason, damage);
  assert.is(await put(again, 'd', directory), `R0402 the store is read-only: ${damage.replace(directory, '…')}`);
  await again.close();
});

test('everything in a data directory is private to its owner, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    const directory = join(freshFolder(), 'data');
    const server = await serverOn(directory, true);
    const posted = await fetch(`${server.url}/api/lang/create`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ lang: 'CREATE PROJECTION One AS SELECT 1 AS n;' }),
    });
    assert.is(posted.status, 201);
    await saveTable(server.store, 'T', { columns: [column('a', int)] }, [[[1]]]);
    const found = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
      (name) => !lstatSync(join(directory, name)).isSymbolicLink(),
    );
    for (const kind of ['lock.1', 'session.sock', 'log.manifest', 'inspection-t.jsonl', 'modules'])
      assert.ok(found.includes(kind), kind);
    assert.equal(
      found.filter((name) => {
        const stat = statSync(join(directory, name));
        return (stat.mode & 0o777) !== (stat.isDirectory() ? 0o700 : 0o600);
      }),
      [],
    );
    assert.is(statSync(directory).mode & 0o777, 0o700);
    await server.stop();
  } finally {
    process.umask(before);
  }
});

test('/ready is 503 exactly when writes fail, and notes anything else that needs attention', async () => {
  const directory = join(freshFolder(), 'data');
  mkdirSync(join(directory, 'log.manifest.new'), { recursive: true });
  const server = await serverOn(directory);
  const ready = async (): Promise<unknown> => {
    const answer = await fetch(`${server.url}/ready`);
    return [answer.status, await answer.json()];
  };
  // A directory has the name of the manifest, which cannot be written; commands can.
  assert.is(await server.put(1), 200);
  const [status, body] = (await ready()) as [number, { status: string; notes: readonly string[] }];
  assert.equal([status, body.status, body.notes.length], [200, 'ok', 1]);
  assert.match(body.notes[0] ?? '', /^how far the log reaches could not be recorded: /);
  assert.not.match(body.notes[0] ?? '', directory);
  assert.is(await server.put(2), 200);
  rmSync(join(directory, 'lock.1'));
  const error = 'lock.1 is gone, so another process may have the data directory';
  assert.equal(await ready(), [503, { error }], 'before any command meets it');
  assert.is(await server.put(3), 503);
  await server.stop();
});

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
`;

async function serverOn(directory: string, enableCreate = false) {
  const quiet = (): void => undefined;
  const { port, stop, engine } = await runServer({
    domain: await domainOf(schema),
    version: '0.1.0',
    store: { kind: 'embedded', directory, fsync: true },
    host: '127.0.0.1',
    port: 0,
    readOnly: false,
    enableCreate,
    enableQuery: false,
    settings: { allowedHosts: [], allowedOrigins: [], metrics: 'here', limits: defaultLimits },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    stop,
    store: engine.store.inspectionTables,
    put: async (n: number): Promise<number> => {
      const body = JSON.stringify({ box_id: `box-${n}`, n });
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(`${url}/api/aggregates/Box/execute/Put`, { method: 'POST', headers, body })).status;
    },
  };
}

test.run();
