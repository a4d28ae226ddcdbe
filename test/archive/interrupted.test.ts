/** An export that ends at any moment, and damage of every kind: nothing is believed that is not right, and the next run mends it. */
import { appendFileSync, cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Disk, DiskFile } from '../../runtime/store/disk.ts';
import { nodeDisk } from '../../runtime/store/disk/node-disk.ts';
import { openDirectoryLog } from '../../runtime/store/transfer/open-log.ts';
import { logSource } from '../../server/archive/archive-source.ts';
import { exportArchive } from '../../server/archive/export-archive.ts';
import { verifyArchive } from '../../server/archive/verify-archive.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { fillBank, runOn, schema, tool } from './stores.ts';

const folder = freshFolder();
const data = await fillBank(folder);
const run = tool(folder);

/** Fails from its n-th change on, as if the process had ended there. */
function endingDisk(changes: number): { readonly disk: Disk; readonly ended: () => boolean } {
  let left = changes;
  const counted =
    <A extends readonly unknown[], R>(change: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('ended')) : change(...given);
    };
  const countedFile = (file: DiskFile): DiskFile => ({
    ...file,
    write: counted(file.write),
    sync: counted(file.sync),
  });
  const disk: Disk = {
    ...nodeDisk,
    makeDirectory: counted(nodeDisk.makeDirectory),
    open: async (path, mode) =>
      countedFile(await (mode === 'read' ? nodeDisk.open : counted(nodeDisk.open))(path, mode)),
    rename: counted(nodeDisk.rename),
    remove: counted(nodeDisk.remove),
    syncDirectory: counted(nodeDisk.syncDirectory),
  };
  return { disk, ended: () => left < 0 };
}

async function exportOn(disk: Disk, directory: string): Promise<number> {
  const log = await openDirectoryLog(data);
  try {
    const request = {
      source: logSource(log, '0.0.0'),
      disk,
      directory,
      form: 'jsonl',
      clear: false,
      version: '0.0.0',
      eventsBetweenManifests: 3,
    } as const;
    return (await exportArchive(request)).events;
  } finally {
    await log.close();
  }
}

async function findings(directory: string): Promise<readonly string[]> {
  const log = await openDirectoryLog(data);
  try {
    const found: string[] = [];
    for await (const finding of verifyArchive({ log, disk: nodeDisk, directory, version: '0.0.0' }))
      found.push(
        finding.finding === 'aggregate'
          ? `${finding.aggregate} ${finding.events}`
          : `${finding.finding}: ${finding.problem}`,
      );
    return found;
  } finally {
    await log.close();
  }
}

function rowsOf(directory: string, aggregate: string): readonly string[] {
  return readdirSync(join(directory, aggregate), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) =>
      readFileSync(join(directory, aggregate, name), 'utf8')
        .trimEnd()
        .split('\n'),
    )
    .sort();
}

const whole = join(folder, 'whole');
await exportOn(nodeDisk, whole);
const wanted = [rowsOf(whole, 'Account'), rowsOf(whole, 'Till')];

test('an export that ends at any of its changes is completed by the next one, with every row once', async () => {
  const step = Number(process.env['STEP'] ?? 4);
  let runs = 0;
  for (let changes = 1; ; changes += step) {
    const directory = join(folder, `ends-${changes}`);
    const { disk, ended } = endingDisk(changes);
    const first = await exportOn(disk, directory).catch((error: unknown) => (error as Error).message);
    if (!ended()) break;
    runs += 1;
    assert.is(first, 'ended');
    await exportOn(nodeDisk, directory);
    assert.equal([rowsOf(directory, 'Account'), rowsOf(directory, 'Till')], wanted, `after ${changes} changes`);
    assert.equal(await findings(directory), ['Account 5', 'Till 4'], `after ${changes} changes`);
    rmSync(directory, { recursive: true });
  }
  assert.ok(runs > 8, `${runs} runs`);
});

test('an interrupted export goes on from its last manifest', async () => {
  const directory = join(folder, 'goes-on');
  const written: number[] = [];
  for (let changes = 30; written.at(-1) === undefined; changes += 4) {
    rmSync(directory, { recursive: true, force: true });
    const { disk } = endingDisk(changes);
    const first = await exportOn(disk, directory).catch((error: unknown) => (error as Error).message);
    assert.is(first, 'ended');
    const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as { position: number };
    if (manifest.position < 6) continue;
    assert.equal(
      (await findings(directory))[0],
      'note: the last export was interrupted; the next one goes on from here',
    );
    written.push(await exportOn(nodeDisk, directory));
  }
  assert.ok((written[0] ?? 9) <= 3, `${written[0]} events`);
});

test('damage is named, and the next export mends it', async () => {
  const file = 'Account/month=';
  const pathOf = (directory: string): string => {
    const month = readdirSync(join(directory, 'Account')).sort()[0] ?? '';
    return join('Account', month, readdirSync(join(directory, 'Account', month)).sort()[0] ?? '');
  };
  const first = pathOf(whole);
  assert.ok(first.startsWith(file));
  for (const [name, harm, problem] of [
    ['missing', (path: string) => rmSync(path), `damage: ${first} is missing`],
    [
      'longer',
      (path: string) => appendFileSync(path, '{}\n'),
      `damage: ${first} has ${statSync(join(whole, first)).size + 3} bytes instead of ${statSync(join(whole, first)).size}`,
    ],
  ] as const) {
    const directory = join(folder, name);
    cpSync(whole, directory, { recursive: true });
    harm(join(directory, first));
    assert.equal(await findings(directory), [problem, 'Account 5', 'Till 4']);
    const { stdout } = await run('log', 'export', '--format', 'jsonl', '--out', name, '--data', 'data');
    assert.match(stdout, /^Account is rewritten: .*\n5 events written/);
    assert.equal(await findings(directory), ['Account 5', 'Till 4']);
  }
  const changed = join(folder, 'changed');
  cpSync(whole, changed, { recursive: true });
  writeFileSync(join(changed, first), readFileSync(join(changed, first), 'utf8').replace('"seq":1', '"seq":2'));
  cpSync(join(changed, first), join(changed, first.replace(/events-.*/, 'events-77-78.jsonl')));
  assert.equal(await findings(changed), [
    `damage: ${first.replace(/events-.*/, 'events-77-78.jsonl')} is not in the manifest, but readers of the folder count it; the next export removes it`,
    `damage: ${first} was changed: its SHA-256 is another one`,
    'Account 5',
    'Till 4',
  ]);
});

test('a manifest that does not fit the log is found, whatever its files say', async () => {
  const claimed = (name: string, edit: (text: string) => string): string => {
    const directory = join(folder, name);
    cpSync(whole, directory, { recursive: true });
    const path = join(directory, 'manifest.json');
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    return directory;
  };
  assert.equal((await findings(claimed('events', (text) => text.replace(/"events": \d+/, '"events": 9')))).length, 3);
  assert.match(
    (await findings(claimed('rows', (text) => text.replace(/"rows": "./, '"rows": "x'))))[0] ?? '',
    'its rows are not those of the log',
  );
  assert.match(
    (await findings(claimed('id', (text) => text.replace('"eventId": "later', '"eventId": "sooner'))))[0] ?? '',
    'the log does not have there',
  );
  assert.match(
    (await findings(claimed('store', (text) => text.replace(/"store": "./, '"store": "x'))))[0] ?? '',
    'of another store',
  );
  for (const edit of [
    (text: string) => text.replaceAll('"path": "Account/', '"path": "../Account/'),
    (text: string) => text.replace('"format": 1', '"format": 2'),
    (text: string) => text.slice(0, 100),
  ]) {
    const directory = claimed('not-read', edit);
    const { status, stderr } = await run('log', 'verify', '--archive', 'not-read', '--data', 'data');
    assert.equal(
      [status, stderr],
      [1, `schemac: ${directory}/manifest.json is not a manifest of an archive that this version reads\n`],
    );
    rmSync(directory, { recursive: true });
  }
});

test('two exports to one archive at once: one is refused', async () => {
  const lock = await nodeDisk.lock(whole);
  const { status, stderr } = await run('log', 'export', '--format', 'jsonl', '--out', 'whole', '--data', 'data');
  await lock.release();
  assert.is(status, 3);
  assert.match(stderr, 'whole');
});

test('aggregates that the registry no longer has stay in the archive, and are left out of a new one', async () => {
  const directory = join(folder, 'dropped');
  await runOn(directory, `${schema} EXECUTE Count_(till_id := 'T', n := 1);`);
  const exported = (): ReturnType<typeof run> =>
    run('log', 'export', '--format', 'jsonl', '--out', 'of-dropped', '--data', 'dropped');
  assert.is((await exported()).status, 0);
  await runOn(
    directory,
    'DROP PROJECTION Tills; DROP DECISION CountIt; DROP AGGREGATE Till; DROP COMMAND Count_; DROP EVENT Counted;',
  );
  assert.match(
    (await exported()).stdout,
    /^Till is left out: the registry no longer has this aggregate \(2 events\)\n0 events/,
  );
  assert.equal(
    (await run('log', 'verify', '--archive', 'of-dropped', '--data', 'dropped')).stdout.split('\n').slice(1, 2),
    ['Till: the registry no longer has this aggregate; its files stay as they are'],
  );
});

test.run();
