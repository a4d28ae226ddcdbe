/**
 * Segments that a start does not read again, and damage that is found nevertheless: by the start, by a read, or by the check of a running
 * server.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import type { Disk } from '../../runtime/store/disk.ts';
import { openLog, type DiskLog } from '../../runtime/store/log/log.ts';
import { segmentHeaderBytes } from '../../runtime/store/log/segment.ts';
import { createSimulatedDisk, type Content, type SimulatedDisk } from '../crash/simulated-disk.ts';
import { commit, directory, linesOf } from '../crash/workload.ts';
import { until } from '../kit/until.ts';

const everyBit = process.env['SCHEMAC_EVERY_BIT'] === '1';
const checked = `${directory}/log.checked`;
const name = (first: number): string => `${directory}/log-${String(first).padStart(16, '0')}.seg`;
const six = ['line-1', 'line-2', 'line-3', 'line-4', 'line-5', 'line-6'];

interface Opened {
  readonly log: DiskLog;
  readonly told: readonly string[];
}

/** Segments of two frames of a line each. */
async function open(disk: Disk, rolloverBytes = segmentHeaderBytes + 80): Promise<Opened> {
  let next = 1;
  const told: string[] = [];
  const log = await openLog({
    directory,
    disk,
    random: (bytes) => Uint8Array.from({ length: bytes }, () => (next = (next * 57 + 11) & 0xff)),
    fsync: true,
    rolloverBytes,
    log: (_, message) => void told.push(message),
    lost: () => undefined,
  });
  return { log, told };
}

async function filled(lines: readonly string[], rolloverBytes?: number): Promise<Content> {
  const disk = createSimulatedDisk();
  const { log } = await open(disk, rolloverBytes);
  for (const line of lines) await commit(log, [line]);
  await log.close();
  return disk.content();
}

/** A disk that decays: its stamps do not show what was changed. */
function decaying(before: Content, now: Content): SimulatedDisk {
  const disk = createSimulatedDisk(now);
  const old = createSimulatedDisk(before);
  const stampOf = async (path: string): Promise<string> => (await old.open(path, 'read')).stamp();
  return {
    ...disk,
    open: async (path, mode) => ({ ...(await disk.open(path, mode)), stamp: () => stampOf(path) }),
  };
}

/** The bytes of each file that were read. */
function counting(disk: Disk): { readonly disk: Disk; readonly read: Map<string, number> } {
  const read = new Map<string, number>();
  const opened: Disk['open'] = async (path, mode) => {
    const file = await disk.open(path, mode);
    return {
      ...file,
      read: async (into, position) => {
        const filled = await file.read(into, position);
        read.set(path, (read.get(path) ?? 0) + filled);
        return filled;
      },
    };
  };
  return { disk: { ...disk, open: opened }, read };
}

const sound = filled(six);

/** Three segments, longer than what a start reads of their ends. */
const longSegment = 150_000;
const long = Array.from({ length: 400 }, (_, at) => `line ${at} ${'x'.repeat(1000)}`);
const longLog = filled(long, longSegment);

function flipped(content: Content, path: string, at: number, bit: number): Content {
  const bytes = Buffer.from(content.get(path) ?? Buffer.alloc(0));
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
  return new Map([...content, [path, bytes]]);
}

function* bitsOf(content: Content, path: string, step = 1): Generator<readonly [at: number, bit: number]> {
  const { length } = content.get(path) ?? Buffer.alloc(0);
  for (let at = 0; at < length; at += step) {
    if (everyBit) for (let bit = 0; bit < 8; bit += 1) yield [at, bit];
    else yield [at, (at * 5) % 8];
  }
}

async function refusal(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

test('a start reads header and end of a checked segment, and all of the last one', async () => {
  const content = await longLog;
  const { disk, read } = counting(createSimulatedDisk(content));
  const { log, told } = await open(disk, longSegment);
  const sizes = [...content].filter(([path]) => path.endsWith('.seg')).map(([path, { length }]) => [path, length]);
  assert.is(sizes.length, 3);
  const [first = 0, second = 0, last = 0] = sizes.map(([path]) => read.get(String(path)));
  assert.ok(first < 70_000 && second < 70_000, `${first} and ${second} bytes of checked segments were read`);
  assert.is(last, sizes[2]?.[1]);
  const lineAt = async (entry: number): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const lines of log.read(entry, entry)) found.push(...lines);
    return found;
  };
  read.clear();
  for (const entry of [1, 2, 77, 145, 146, 147, 290, 291, 400]) assert.equal(await lineAt(entry), [long[entry - 1]]);
  assert.equal(await linesOf(log), long);
  log.recheck();
  await until(() => told.length > 0);
  assert.equal(told, ['every frame of the log is checked: 2 segments that were checked before are unchanged']);
  for (const entry of [1, 146, 290]) assert.equal(await lineAt(entry), [long[entry - 1]]);
  await log.close();
});

test('a checked segment that was changed through the file system is read as a whole, and refused', async () => {
  const content = await sound;
  for (const path of [name(1), name(3)])
    for (const [at, bit] of bitsOf(content, path)) {
      const disk = createSimulatedDisk(flipped(content, path, at, bit));
      const code = await refusal(() => open(disk));
      assert.ok(code === 'R0405' || code === 'R0406', `bit ${bit} of byte ${at} of ${path}: ${code}`);
      assert.equal(disk.operations, []);
    }
});

test('decay of a checked segment is refused at the start, or found while the server runs, and never read', async () => {
  const content = await longLog;
  const found = { start: 0, later: 0 };
  const path = [...content.keys()].filter((each) => each.endsWith('.seg')).sort()[1] ?? '';
  for (const [at, bit] of bitsOf(content, path, everyBit ? 7 : 1777)) {
    const title = `bit ${bit} of byte ${at}`;
    const disk = decaying(content, flipped(content, path, at, bit));
    let opened: Opened;
    try {
      opened = await open(disk, longSegment);
    } catch (error) {
      assert.ok(error instanceof Failure && (error.code === 'R0405' || error.code === 'R0406'), title);
      found.start += 1;
      continue;
    }
    found.later += 1;
    const { log, told } = opened;
    assert.is(log.trouble(), undefined);
    log.recheck();
    await until(() => log.trouble() !== undefined);
    assert.match(log.trouble()?.reason ?? '', `the log is damaged at ${path}, byte `, title);
    assert.equal(told, [log.trouble()?.reason], title);
    assert.is(await refusal(() => linesOf(log)), 'R0405', title);
    await log.close();
    assert.not.ok(disk.content().has(checked), title);
    assert.is(await refusal(() => open(decaying(content, disk.content()), longSegment)), 'R0405', title);
  }
  assert.ok(found.start > 0 && found.later > 0, JSON.stringify(found));
});

test('a damaged list of checked segments is ignored, and every frame is checked', async () => {
  const content = await sound;
  for (const [at, bit] of bitsOf(content, checked)) {
    const { log, told } = await open(createSimulatedDisk(flipped(content, checked, at, bit)));
    assert.equal(await linesOf(log), six);
    assert.equal(told, ['ignored log.checked: its checksum does not hold']);
    await log.close();
  }
});

test('a list of another time says nothing about segments that came since', async () => {
  const disk = createSimulatedDisk(await sound);
  const { log } = await open(disk);
  for (const line of ['line-7', 'line-8', 'line-9']) await commit(log, [line]);
  await log.close();
  const content = new Map([...disk.content(), [checked, (await sound).get(checked) ?? Buffer.alloc(0)]]);
  for (const [at, bit] of bitsOf(content, name(5)))
    assert.ok(await refusal(() => open(createSimulatedDisk(flipped(content, name(5), at, bit)))), `byte ${at}`);
});

test.run();
