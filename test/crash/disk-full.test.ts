/**
 * R5: a disk that is full, fails or is read-only, under a real server: commands get 503, reads continue with durable
 * data, nothing acknowledged is lost, and a restart with free space accepts writes again.
 */
import { mkdirSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { defaultLimits } from '../../server/start/settings/limits.ts';
import { runServer } from '../../server/start/run-server.ts';
import type { ReadEngine } from '../../language/contract/read-model.ts';
import { verifyLog } from '../../runtime/store/log/verify.ts';
import { collect } from '../contract/accounts.ts';
import { afterTest } from '../kit/after-test.ts';
import { domainOf } from '../kit/domain.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { testedEngine } from '../kit/tested-engine.ts';
import { until } from '../kit/until.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { makeImage, mount, mountRefusal, remount, unmount } from './mounts.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT, note STRING);
CREATE EVENT Added (n INT, note STRING);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n, note := :note) WHERE :n > 0;
CREATE PROJECTION Boxes AS SELECT COUNT(*) AS n, SUM(data.n) AS total FROM Reg."Box$Events";
`;

/** Every server has this domain; only the disks differ. */
const domain = domainOf(schema);

/** Some hundred of these fill a small disk. */
const note = '-'.repeat(150);
const longNote = '-'.repeat(50_000);

const refusal = mountRefusal('tmpfs') ?? mountRefusal('ext4');
if (refusal !== undefined) console.log(`full disks are skipped, for nothing can be mounted here: ${refusal}`);
const testMounted = refusal === undefined ? test : test.skip;

testMounted('a disk runs full under load', async () => {
  const place = freshDisk('size=96k');
  const directory = join(place, 'data');
  const server = await serverOn(directory);
  const acknowledged = await putUntilRefused(server);
  assert.ok(acknowledged > 50, `${acknowledged} commands`);
  await checkReadOnly(server, acknowledged, /ENOSPC/);
  // Free space alone does not help: the effect of the failed write is known only after recovery.
  remount(place, 'size=1m');
  await checkReadOnly(server, acknowledged, /ENOSPC/);
  await server.stop();

  const again = await serverOn(directory);
  await checkServing(again, acknowledged);
  await again.stop();
});

testMounted(
  'a server starts on a full disk, answers reads, and refuses the first command that needs room',
  async () => {
    const place = freshDisk('size=256k');
    const directory = join(place, 'data');
    const first = await serverOn(directory);
    for (let n = 0; n < 10; n += 1) assert.is(await put(first, n), 200);
    await first.stop();
    fillUp(place);
    const full = await serverOn(directory);
    assert.is(await boxes(full), 10);
    const acknowledged = 10 + (await putUntilRefused(full, 10));
    await checkReadOnly(full, acknowledged, /ENOSPC/);
    await full.stop();
    assert.ok((await collect(verifyLog(directory))).every(({ finding }) => finding !== 'damage'));
    rmSync(join(place, 'ballast'));
    const roomy = await serverOn(directory);
    await checkServing(roomy, acknowledged);
    await roomy.stop();
  },
);

testMounted('a schema posted to a full disk is refused, and what was in force serves on', async () => {
  const place = freshDisk('size=256k');
  const directory = join(place, 'data');
  const server = await serverOn(directory, true);
  for (let n = 0; n < 5; n += 1) assert.is(await put(server, n), 200);
  assert.equal(await post(server, 'CREATE PROJECTION One AS SELECT 1 AS n;'), 201);
  fillUp(place);
  // The rest of the log's last block still takes some.
  let refused = await post(server, 'CREATE PROJECTION Two AS SELECT 2 AS n;');
  for (let n = 0; refused === 201 && n < 1_000; n += 1)
    refused = await post(server, `CREATE OR REPLACE PROJECTION One AS SELECT ${n + 3} AS n;`);
  assert.is(refused, 503);
  const before = await statuses(server, ['One', 'Two', 'Boxes']);
  const acknowledged = 5 + (await putUntilRefused(server, 5));
  await checkReadOnly(server, acknowledged, /ENOSPC/);
  await server.stop();

  rmSync(join(place, 'ballast'));
  const again = await serverOn(directory, true);
  assert.equal(await statuses(again, ['One', 'Two', 'Boxes']), before);
  await checkServing(again, acknowledged);
  assert.equal(await post(again, 'CREATE PROJECTION Three AS SELECT 3 AS n;'), 201);
  assert.equal(await statuses(again, ['Three']), [200]);
  await again.stop();
});

testMounted('the disk of the read model runs full, and not that of the log: reads wait and come back', async () => {
  const place = freshDisk('size=600k');
  const directory = join(freshFolder(), 'data');
  mkdirSync(directory);
  symlinkSync(join(place, 'read-model.db'), join(directory, 'read-model.db'));
  const said: string[] = [];
  const server = await serverOn(directory, false, 'disk', said);
  const failures = (): number => said.filter((text) => text.startsWith('the read model starts again: ')).length;
  const ready = async (): Promise<readonly [status: number, text: string]> => {
    const answer = await fetch(`${server.url}/ready`);
    return [answer.status, await answer.text()];
  };
  assert.is(await put(server, 0), 200);
  fillUp(place);
  // The event is larger than the pages that are left: no commit can take a part of it.
  assert.is(await put(server, 1, longNote), 200);
  await until(() => failures() > 0);
  const [status, text] = await ready();
  assert.is(status, 503);
  assert.match(text, 'the read model on disk cannot be written: ');
  // A read that comes between a start and the next commit is answered, and then it is right.
  const query = await fetch(`${server.url}/api/projections/Boxes/query`, { headers: { Accept: 'application/json' } });
  if (query.status === 200) assert.equal(await query.json(), [{ n: 2, total: 2 }]);
  else {
    assert.equal([query.status, query.headers.get('Retry-After')], [503, '1']);
    assert.match(await query.text(), 'the read model on disk cannot be written: ');
  }
  assert.is(await put(server, 2), 200);
  // The read model starts again every second and reads missing entries, which needs no room: only a commit shows that there is some.
  const before = failures();
  await until(async () => {
    assert.is((await ready())[0], 503);
    return failures() > before;
  });

  remount(place, 'size=20m');
  await until(async () => (await ready())[0] === 200);
  assert.is(await boxes(server), 3);
  assert.is((await ready())[0], 200);
});

testMounted('a first start on a disk without room for a byte fails, and harms nothing', async () => {
  const place = freshDisk('size=64k');
  const directory = join(place, 'data');
  fillUp(place);
  const told = await serverOn(directory).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(told instanceof Failure && told.code === (testedEngine() === 'disk' ? 'R0414' : 'R0403'), String(told));
  assert.match(told.message, /ENOSPC/);
  rmSync(join(place, 'ballast'));
  const roomy = await serverOn(directory);
  await checkServing(roomy, 0);
  await roomy.stop();
});

testMounted('a disk fails under load: the file system takes the writes and its sync says EIO', async () => {
  // The image is larger than its device, as with a broken or thinly provisioned one.
  const under = freshDisk('size=8m');
  const image = join(under, 'image');
  makeImage(image, 64);
  const place = join(freshFolder(), 'mounted');
  mount({ type: 'ext4', options: 'loop', from: image }, place);
  const directory = join(place, 'data');
  const server = await serverOn(directory);
  for (let n = 0; n < 50; n += 1) assert.is(await put(server, n), 200);
  fillUp(under);
  const acknowledged = 50 + (await putUntilRefused(server, 50));
  await checkReadOnly(server, acknowledged, /EIO|EROFS/);
  await server.stop();
  unmount(place);

  remount(under, 'size=80m');
  mount({ type: 'ext4', options: 'loop', from: image }, place);
  const again = await serverOn(directory);
  await checkServing(again, acknowledged);
  await again.stop();
  unmount(place);
});

testMounted('a disk that may only be read is told as such, and its log can be looked at and saved', async () => {
  const place = freshDisk('size=1m');
  const directory = join(place, 'data');
  const server = await serverOn(directory);
  for (let n = 0; n < 5; n += 1) assert.is(await put(server, n), 200);
  await server.stop();
  remount(place, 'ro');
  const told = await serverOn(directory).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(told instanceof Failure && told.code === 'R0408', String(told));
  assert.match(told.message, `the data directory ${directory} cannot be used: `);
  assert.match(told.message, 'EROFS: read-only file system');
  assert.match((await runToolHere(['log', 'verify', '--data', directory])).stdout, 'the log is sound');
  const saved = await runToolHere(['log', 'export', '-', '--data', directory]);
  assert.is(saved.stdout.trim().split('\n').length, 1 + 1 + 5 + 1, 'a head, the schema, five commands, an end');
  remount(place, 'rw');
  const again = await serverOn(directory);
  await checkServing(again, 5);
  await again.stop();
});

interface Server {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

async function serverOn(
  directory: string,
  enableCreate = false,
  readEngine: ReadEngine = testedEngine(),
  said: string[] = [],
): Promise<Server> {
  const log = (_: object, text: string): void => void said.push(text);
  const { port, stop } = await runServer({
    domain: await domain,
    version: '0.1.0',
    store: { kind: 'embedded', directory, fsync: true, readEngine },
    host: '127.0.0.1',
    port: 0,
    readOnly: false,
    enableCreate,
    enableQuery: false,
    settings: { allowedHosts: [], allowedOrigins: [], metrics: 'here', limits: defaultLimits },
    log: { debug: log, info: log, warn: log, error: log },
  });
  afterTest(stop);
  return { url: `http://127.0.0.1:${port}`, stop };
}

function freshDisk(options: string): string {
  const place = join(freshFolder(), 'disk');
  mount({ type: 'tmpfs', options, from: 'tmpfs' }, place);
  return place;
}

/** Fills the remaining space. */
function fillUp(place: string): void {
  const { bavail, bsize } = statfsSync(place);
  writeFileSync(join(place, 'ballast'), Buffer.alloc(bavail * bsize));
  assert.is(statfsSync(place).bavail, 0);
}

async function put({ url }: Server, n: number, note = ''): Promise<number> {
  const answer = await fetch(`${url}/api/aggregates/Box/execute/Put`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ box_id: `box-${n}`, n: 1, note }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function post({ url }: Server, lang: string): Promise<number> {
  const answer = await fetch(`${url}/api/lang/create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ lang }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function statuses({ url }: Server, projections: readonly string[]): Promise<readonly number[]> {
  const answers = projections.map((name) => fetch(`${url}/api/projections/${name}/query`));
  return (await Promise.all(answers)).map(({ status }) => status);
}

/**
 * Runs several clients until each has got a 503; gives the number of acknowledged commands. Any other answer is an
 * error.
 */
async function putUntilRefused(server: Server, first = 0): Promise<number> {
  let next = first;
  let acknowledged = 0;
  const client = async (): Promise<void> => {
    for (;;) {
      const status = await put(server, next++, note);
      if (status === 503) return;
      assert.is(status, 200);
      acknowledged += 1;
      if (acknowledged > 20_000) throw new Error('the disk never got full');
    }
  };
  await Promise.all([client(), client(), client(), client()]);
  return acknowledged;
}

async function boxes({ url }: Server): Promise<number> {
  const answer = await fetch(`${url}/api/projections/Boxes/query`, { headers: { Accept: 'application/json' } });
  assert.is(answer.status, 200);
  const [row] = (await answer.json()) as readonly { readonly n: number; readonly total: number | null }[];
  assert.is(row?.total ?? 0, row?.n);
  return row?.n ?? -1;
}

/** Every command is refused; reads continue and show exactly the acknowledged state. */
async function checkReadOnly(server: Server, acknowledged: number, reason: RegExp): Promise<void> {
  assert.is(await put(server, 999_999), 503);
  const ready = await fetch(`${server.url}/ready`);
  assert.is(ready.status, 503);
  assert.match(((await ready.json()) as { error: string }).error, reason);
  assert.is((await fetch(`${server.url}/health`)).status, 200);
  assert.is(await boxes(server), acknowledged);
  const events = await fetch(`${server.url}/api/aggregates/Box/events?limit=1`, {
    headers: { Accept: 'application/json' },
  });
  assert.is(events.status, 200);
  await events.arrayBuffer();
}

/** Everything acknowledged is there, and commands are accepted again. */
async function checkServing(server: Server, acknowledged: number): Promise<void> {
  assert.is((await fetch(`${server.url}/ready`)).status, 200);
  const found = await boxes(server);
  // A write with an unknown outcome may have been stored.
  assert.ok(found >= acknowledged && found <= acknowledged + 4, `${found} found, ${acknowledged} acknowledged`);
  assert.is(await put(server, 1_000_000), 200);
  assert.is(await boxes(server), found + 1);
}

test.run();
