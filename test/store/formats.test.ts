/**
 * Formats of the log: a log in the first format opens and continues in the present one; entries of a newer version are refused by name.
 * `format-1/` was written when there was no other format.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { blockKinds } from '../../language/contract/block-kind.ts';
import { commandCells } from '../../runtime/store/cells.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openReadOnlyStore } from '../../runtime/store/embedded/read-only-store.ts';
import type { LogEntry } from '../../runtime/store/entry.ts';
import { checkedName as checkedFile } from '../../runtime/store/log/checked.ts';
import { decodeManifest, encodeManifest, manifestName } from '../../runtime/store/log/manifest.ts';
import { decodeSegmentHeader, encodeSegmentHeader, logFormat } from '../../runtime/store/log/segment.ts';
import { dumpLog, verifyLog } from '../../runtime/store/log/verify.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { exportStore } from '../../runtime/store/transfer/export-store.ts';
import { importStore } from '../../runtime/store/transfer/import-store.ts';
import { accounts, collect, count, deposit } from '../contract/accounts.ts';
import { crashed, createSimulatedDisk, type Content, type SimulatedDisk } from '../crash/simulated-disk.ts';
import { commit, directory, openStore, recover } from '../crash/workload.ts';

const folder = fileURLToPath(new URL('./format-1', import.meta.url));
const exported = readFileSync(join(folder, 'export.jsonl'), 'utf8').trimEnd().split('\n');
const old: Content = new Map(
  readdirSync(folder)
    .filter((name) => name !== 'export.jsonl')
    .map((name) => [`${directory}/${name}`, readFileSync(join(folder, name))]),
);
const entriesBefore = exported.slice(1, -1).map((line) => JSON.parse(line) as LogEntry);
const segment = (first: number): string => `${directory}/log-${String(first).padStart(16, '0')}.seg`;
const formats = (disk: SimulatedDisk): readonly (readonly [name: string, format: number | undefined])[] =>
  [...disk.content()]
    .filter(([path]) => path.endsWith('.seg'))
    .map(([path, bytes]): [string, number | undefined] => [path, decodeSegmentHeader(bytes)?.format])
    .sort();
const append = (store: Store): Promise<LogEntry> => store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));

test('the format has these cells and kinds of blocks; a new one needs a new format number, written here', () => {
  assert.equal(
    { format: logFormat, cells: Object.keys(commandCells), blocks: blockKinds },
    {
      format: 9,
      cells: [
        ...['arguments', 'defaulted', 'withheld', 'seed', 'subject', 'caller', 'registry', 'branches', 'failure'],
        ...['unrecorded', 'reaction', 'subscription', 'depth', 'chain'],
      ],
      blocks: [
        'aggregate',
        'command',
        'event',
        'decision',
        'projection',
        'eventstore',
        'template',
        'enum',
        'function',
        'claim',
        'subscription',
        'reaction',
      ],
    },
  );
});

test('a store of format 1 opens, writes into a new segment, and leaves the old ones unchanged', async () => {
  const disk = createSimulatedDisk(old);
  const store = await openStore(disk);
  assert.equal(await collect(store.log.read(1)), entriesBefore);
  assert.is(
    await store.turns.exclusively(async (turn) => (await turn.recorded('Account', 'A-2', 'c-2'))?.fingerprint),
    'f-2',
  );
  await store.tables.adopt(accounts);
  assert.is(await count(store), 5n);
  const added = [await append(store), await append(store)];
  await store.close();
  assert.equal(formats(disk), [
    [segment(1), 1],
    [segment(6), 1],
    [segment(8), logFormat],
  ]);
  for (const first of [1, 6]) assert.equal(disk.content().get(segment(first)), old.get(segment(first)));

  const again = await openStore(createSimulatedDisk(disk.content()));
  assert.equal(await collect(again.log.read(1)), [...entriesBefore, ...added]);
  await again.close();
  const findings = await collect(verifyLog(directory, createSimulatedDisk(disk.content())));
  assert.equal(
    findings.map(({ finding }) => finding),
    ['segment', 'segment', 'segment'],
  );
});

test('a store of format 1 without a write stays unchanged', async () => {
  const disk = createSimulatedDisk(old);
  await (await openStore(disk)).close();
  const { [checkedName]: _, ...kept } = Object.fromEntries(disk.content());
  assert.equal(kept, Object.fromEntries(old));
});

test('an export of format 1 can be imported, and is exported in the present format', async () => {
  async function* lines(): AsyncGenerator<string> {
    for (const line of exported) yield await Promise.resolve(line);
  }
  const store = await importStore(lines(), (secret) => openMemoryStore({ secret }));
  assert.equal(await collect(store.log.read(1)), entriesBefore);
  const present = await collect(exportStore(store.log, store.secret));
  assert.equal(present.slice(1, -1), exported.slice(1, -1));
  assert.is(present[0], exported[0]?.replace('"format":1', '"format":9'));
  await store.close();
});

test('an empty segment of format 1 is replaced by one of the present format, after any crash', async () => {
  const headerOnly: Content = new Map([...old, [segment(8), emptySegment()], [manifest, manifestWith(8, 77n)]]);
  const disk = createSimulatedDisk(headerOnly);
  const store = await openStore(disk);
  const added = await append(store);
  await store.close();
  assert.equal(formats(disk).at(-1), [segment(8), logFormat]);
  for (const fate of ['lost', 'kept'] as const) {
    for (let upTo = 0; upTo <= disk.operations.length; upTo += 1) {
      const left = createSimulatedDisk(crashed(headerOnly, disk.operations, upTo, () => fate));
      const { lines } = await recover(left);
      assert.ok(lines.length >= 7, `${upTo} operations, the rest ${fate}`);
      const next = await openStore(left);
      assert.is((await append(next)).number, lines.length + 1);
      await next.close();
    }
  }
  const reopened = await openStore(createSimulatedDisk(disk.content()));
  assert.equal(await collect(reopened.log.read(8)), [added]);
  await reopened.close();
});

/** A segment at entry 8 as the first format began it. */
function emptySegment(): Buffer {
  const header = decodeSegmentHeader(old.get(segment(6)) ?? Buffer.alloc(0));
  if (header === undefined) throw new Error('the segment has no header');
  return encodeSegmentHeader({ ...header, firstEntry: 8, id: 77n });
}

const manifest = `${directory}/${manifestName}`;
const checkedName = `${directory}/${checkedFile}`;

/** The manifest knows each segment before its first frame. */
function manifestWith(firstEntry: number, id: bigint): Buffer {
  const known = decodeManifest(old.get(manifest)?.toString('latin1') ?? '');
  if (known === undefined) throw new Error('there is no manifest');
  return Buffer.from(encodeManifest({ ...known, segments: [...known.segments, { firstEntry, id }] }));
}

const unknown = [
  ['an unknown cell', '["c",2,"0","C","Account","A-1",0,[],{"more":1}]', "the cell 'more'", Object.keys(commandCells)],
  ['an unknown kind', '["x",2,"0"]', 'the kind "x"', ['c', 's', 'i']],
] as const;
for (const [title, line, found, known] of unknown) {
  test(`a log with an entry of ${title} is refused by every reader as written by a newer version`, async () => {
    const disk = createSimulatedDisk();
    const { log } = await recover(disk, { rolloverBytes: 1 });
    await commit(log, ['["s",1,"0","files",[]]']);
    await commit(log, [line]);
    await log.close();
    const kind = title.endsWith('kind') ? 'the kinds' : 'the cells';
    const says = `${segment(2)} has ${found} in entry 2, which a newer schemac wrote; this version reads ${kind} ${known.join(', ')}`;
    const refused = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'nothing',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
    assert.is(await refused(openEmbeddedStore({ directory, disk, readModel: 'inline' })), says, 'start');
    assert.is(await refused(openReadOnlyStore({ directory, disk })), says, 'reader');
    assert.is(await refused(collect(dumpLog(directory, disk))), says, 'dump');
    assert.equal(
      (await collect(verifyLog(directory, disk))).filter(({ finding }) => finding !== 'segment'),
      [{ finding: 'newer', problem: says }],
    );
  });
}

test.run();
