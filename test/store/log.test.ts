/** Files that the log accepts when it starts, and files that it refuses: segments and frames in places where they do not belong. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import type { Journal } from '../../runtime/store/journal.ts';
import { openLog } from '../../runtime/store/log/log.ts';
import { segmentHeaderBytes } from '../../runtime/store/log/segment.ts';
import { createSimulatedDisk, type Content, type SimulatedDisk } from '../crash/simulated-disk.ts';
import { commit, directory, linesOf } from '../crash/workload.ts';

/** Opens a log whose segments hold two frames; the test chooses the lines of a frame. */
function logOn(disk: SimulatedDisk, seed = 1): Promise<Journal> {
  let next = seed;
  return openLog({
    directory,
    disk,
    random: (bytes) => Uint8Array.from({ length: bytes }, () => (next = (next * 57 + 11) & 0xff)),
    fsync: true,
    rolloverBytes: segmentHeaderBytes + 80,
    log: () => undefined,
    lost: () => undefined,
  });
}

/** The segments alone; `test/crash/lost-end.test.ts` tests the manifest. */
async function filled(frames: readonly (readonly string[])[], seed?: number): Promise<Content> {
  const disk = createSimulatedDisk();
  const log = await logOn(disk, seed);
  for (const lines of frames) await commit(log, lines);
  await log.close();
  return new Map([...disk.content()].filter(([path]) => path.endsWith('.seg')));
}

const six = [['line-1'], ['line-2'], ['line-3'], ['line-4'], ['line-5'], ['line-6']];
const name = (first: number): string => `${directory}/log-${String(first).padStart(16, '0')}.seg`;
const bytesOf = (content: Content, first: number): Buffer => content.get(name(first)) ?? Buffer.alloc(0);
const frameBytes = 36 + 'line-1\n'.length;

/** The lines that a start finds, or what it says instead. */
async function start(content: Content): Promise<readonly string[] | string> {
  try {
    return await linesOf(await logOn(createSimulatedDisk(content)));
  } catch (error) {
    if (error instanceof Failure) return error.message.replace(/^the log is damaged at /, '');
    throw error;
  }
}

const lines = (to: number): string[] => six.flat().slice(0, to);
const appended = (content: Content, more: Buffer): Content =>
  new Map([...content, [name(5), Buffer.concat([bytesOf(content, 5).subarray(0, -frameBytes), more])]]);

const cases: readonly (readonly [
  title: string,
  change: (content: Content, other: Content) => Content,
  finds: readonly string[] | string,
])[] = [
  ['nothing is changed', (content) => content, lines(6)],
  [
    'the last frame stands there twice',
    (content) =>
      new Map([...content, [name(5), Buffer.concat([bytesOf(content, 5), bytesOf(content, 5).subarray(-frameBytes)])]]),
    lines(6),
  ],
  [
    'in place of the last frame stands one of an earlier segment',
    (content) => appended(content, bytesOf(content, 3).subarray(-frameBytes)),
    lines(5),
  ],
  [
    'in place of the last frame stands the same frame of another store',
    (content, other) => appended(content, bytesOf(other, 5).subarray(-frameBytes)),
    lines(5),
  ],
  [
    'a frame before the last has a wrong byte',
    (content) => {
      const bytes = Buffer.from(bytesOf(content, 5));
      bytes.writeUInt8(0, segmentHeaderBytes + 40);
      return new Map([...content, [name(5), bytes]]);
    },
    `${name(5)}, byte 64: a frame body whose checksum does not hold, and there is a later frame at byte 107`,
  ],
  [
    'a segment in the middle is missing',
    (content) => new Map([...content].filter(([path]) => path !== name(3))),
    `${name(5)}, byte 0: the segment that starts at entry 3 is missing`,
  ],
  [
    'the first segment is missing',
    (content) => new Map([...content].filter(([path]) => path !== name(1))),
    `${name(3)}, byte 0: the segment that starts at entry 1 is missing`,
  ],
  [
    'a segment is that of another store',
    (content, other) => new Map([...content, [name(3), bytesOf(other, 3)]]),
    `${name(3)}, byte 28: the segment belongs to another store`,
  ],
  [
    'a segment has the name of another',
    (content) => new Map([...content, [name(3), bytesOf(content, 5)]]),
    `${name(3)}, byte 12: the segment starts at entry 5, not 3`,
  ],
  [
    'a segment in the middle is cut between two frames',
    (content) => new Map([...content, [name(3), bytesOf(content, 3).subarray(0, -frameBytes)]]),
    `${name(5)}, byte 0: the segment that starts at entry 4 is missing`,
  ],
  [
    'the last segment has only half a header',
    (content) => new Map([...content, [name(5), bytesOf(content, 5).subarray(0, 30)]]),
    lines(4),
  ],
];
for (const [title, change, finds] of cases) {
  test(`a log where ${title}`, async () => {
    const changed = change(await filled(six), await filled(six, 2));
    assert.equal(await start(changed), finds);
  });
}

test('a log with a cut tail continues at the cut, and longer garbage after it is gone', async () => {
  const content = await filled(six);
  const garbage = Buffer.concat([bytesOf(content, 5), bytesOf(content, 1), bytesOf(content, 3)]);
  const disk = createSimulatedDisk(new Map([...content, [name(5), garbage]]));
  const log = await logOn(disk);
  await commit(log, ['line-7', 'line-8']);
  await log.close();
  assert.equal(await start(disk.content()), [...lines(6), 'line-7', 'line-8']);
});

for (const call of ['write', 'sync'] as const) {
  test(`after a failed ${call} the disk is not used again`, async () => {
    let broken = false;
    const disk = createSimulatedDisk(new Map(), (one) =>
      broken && one === call ? { error: new Error('EIO') } : undefined,
    );
    const log = await logOn(disk);
    await commit(log, ['line-1']);
    broken = true;
    const failing = async (): Promise<string> => {
      try {
        await commit(log, ['line-2']);
        return 'committed';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    };
    assert.is(await failing(), 'EIO');
    broken = false;
    const { length } = disk.operations;
    assert.is(await failing(), 'EIO');
    assert.is(disk.operations.length, length);
    assert.is(log.known().entry, 1);
    assert.equal(await linesOf(log), ['line-1']);
  });
}

test.run();
