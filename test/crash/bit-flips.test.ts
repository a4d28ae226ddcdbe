/**
 * R6: with one wrong bit in a log the store reports it, or cuts a torn tail; it never starts silently with a wrong
 * state.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { accounts } from '../contract/accounts.ts';
import { parameter } from './chance.ts';
import { createSimulatedDisk, type Content } from './simulated-disk.ts';
import { depositRound, directory, openStore, recover } from './workload.ts';

const everyBit = process.env['SCHEMAC_EVERY_BIT'] === '1';
const rounds = parameter('SCHEMAC_FLIP_ROUNDS', 16);
const segmentBytes = parameter('SCHEMAC_FLIP_SEGMENT', 1500);

test(`flipping ${everyBit ? 'every bit' : 'one bit of every byte'} of a log is detected or cuts a torn tail`, async () => {
  const content = await smallLog();
  const { lines } = await recover(createSimulatedDisk(content));
  const logs = [...content.keys()].filter((path) => path.startsWith(`${directory}/log-`)).sort();
  assert.ok(logs.length >= 3, 'the log has several segments');
  const outcomes = { detected: 0, torn: 0 };
  // Without manifest and snapshots, which would show that the last frames were durable; after a crash there may be none
  // for them.
  const crashed = new Map([...content].filter(([path]) => logs.includes(path)));
  for (const path of logs)
    for (const [at, bit] of bitsOf(content, path)) outcomes[await flip(crashed, path, at, bit, lines)] += 1;
  const size = logs.reduce((sum, path) => sum + (content.get(path)?.length ?? 0), 0);
  console.log(`bit flips: a log of ${size} bytes, ${outcomes.detected} detected, ${outcomes.torn} cut as a torn tail`);
  assert.ok(outcomes.detected > 0 && outcomes.torn > 0, JSON.stringify(outcomes));
});

test(`after a stop, flipping ${everyBit ? 'every bit' : 'one bit of every byte'} of the last segment or the manifest is detected`, async () => {
  const content = await smallLog();
  const { lines } = await recover(createSimulatedDisk(content));
  const last =
    [...content.keys()]
      .filter((path) => path.startsWith(`${directory}/log-`))
      .sort()
      .at(-1) ?? '';
  for (const [at, bit] of bitsOf(content, last)) assert.is(await flip(content, last, at, bit, lines), 'detected');
  for (const [at, bit] of bitsOf(content, manifest)) {
    const told: string[] = [];
    const disk = createSimulatedDisk(flipped(content, manifest, at, bit));
    const recovered = await recover(disk, { log: (_, message) => void told.push(message) });
    assert.equal(recovered.lines, lines);
    assert.equal(told, ['ignored log.manifest: its checksum does not hold']);
  }
});

const manifest = `${directory}/log.manifest`;

function* bitsOf(content: Content, path: string): Generator<readonly [at: number, bit: number]> {
  const { length } = content.get(path) ?? Buffer.alloc(0);
  for (let at = 0; at < length; at += 1) {
    if (everyBit) for (let bit = 0; bit < 8; bit += 1) yield [at, bit];
    else yield [at, (at * 5) % 8];
  }
}

function flipped(content: Content, path: string, at: number, bit: number): Content {
  const bytes = Buffer.from(content.get(path) ?? Buffer.alloc(0));
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
  return new Map([...content, [path, bytes]]);
}

async function flip(
  content: Content,
  path: string,
  at: number,
  bit: number,
  lines: readonly string[],
): Promise<'detected' | 'torn'> {
  const disk = createSimulatedDisk(flipped(content, path, at, bit));
  try {
    const recovered = await recover(disk);
    const name = `bit ${bit} of byte ${at} of ${path}`;
    assert.is(disk.operations[0]?.kind, 'truncate', `${name}: what is not detected is cut as a torn tail`);
    assert.equal(recovered.lines, lines.slice(0, recovered.lines.length), name);
    // Frames of this log contain at most three commands.
    assert.ok(recovered.lines.length >= lines.length - 3, `${name}: more than the last frame is gone`);
    return 'torn';
  } catch (error) {
    if (error instanceof Failure && ['R0405', 'R0406', 'R0412'].includes(error.code)) return 'detected';
    throw error;
  }
}

async function smallLog(): Promise<Content> {
  const disk = createSimulatedDisk();
  const store = await openStore(disk, { rolloverBytes: segmentBytes });
  await store.tables.adopt(accounts);
  for (let round = 0; round < rounds; round += 1) await depositRound(store, `r-${round}`, 3, () => undefined);
  await store.close();
  return disk.content();
}

test.run();
