/** R6: one bit of a log is wrong: the store says so, or it was the torn tail; never a silent wrong state. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../runtime/failure/failure.ts';
import { accounts } from '../contract/accounts.ts';
import { parameter } from './chance.ts';
import { createSimulatedDisk, type Content } from './simulated-disk.ts';
import { depositRound, directory, openStore, recover } from './workload.ts';

const everyBit = process.env['SCHEMAC_EVERY_BIT'] === '1';
const rounds = parameter('SCHEMAC_FLIP_ROUNDS', 16);
const segmentBytes = parameter('SCHEMAC_FLIP_SEGMENT', 1500);

test(`${everyBit ? 'every bit' : 'one bit of every byte'} of a log`, async () => {
  const content = await smallLog();
  const { lines } = await recover(createSimulatedDisk(content));
  const logs = [...content.keys()].filter((path) => path.startsWith(`${directory}/log-`)).sort();
  assert.ok(logs.length >= 3, 'the log has several segments');
  const outcomes = { detected: 0, torn: 0 };
  for (const path of logs) {
    const bytes = content.get(path) ?? Buffer.alloc(0);
    for (let at = 0; at < bytes.length; at += 1) {
      const bits = everyBit ? [0, 1, 2, 3, 4, 5, 6, 7] : [(at * 5) % 8];
      for (const bit of bits) outcomes[await flip(content, path, at, bit, lines)] += 1;
    }
  }
  const size = logs.reduce((sum, path) => sum + (content.get(path)?.length ?? 0), 0);
  console.log(`bit flips: a log of ${size} bytes, ${outcomes.detected} detected, ${outcomes.torn} cut as a torn tail`);
  assert.ok(outcomes.detected > 0 && outcomes.torn > 0, JSON.stringify(outcomes));
});

async function flip(
  content: Content,
  path: string,
  at: number,
  bit: number,
  lines: readonly string[],
): Promise<'detected' | 'torn'> {
  const damaged = new Map(content);
  const bytes = Buffer.from(content.get(path) ?? Buffer.alloc(0));
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
  damaged.set(path, bytes);
  const disk = createSimulatedDisk(damaged);
  try {
    const recovered = await recover(disk);
    const name = `bit ${bit} of byte ${at} of ${path}`;
    assert.is(disk.operations[0]?.kind, 'truncate', `${name}: what is not detected is cut as a torn tail`);
    assert.equal(recovered.lines, lines.slice(0, recovered.lines.length), name);
    // Frames of this log hold three commands at most.
    assert.ok(recovered.lines.length >= lines.length - 3, `${name}: more than the last frame is gone`);
    return 'torn';
  } catch (error) {
    if (error instanceof Failure && (error.code === 'R0405' || error.code === 'R0406')) return 'detected';
    throw error;
  }
}

async function smallLog(): Promise<Content> {
  const disk = createSimulatedDisk();
  const store = await openStore(disk, { rolloverBytes: segmentBytes });
  await store.adopt(accounts);
  for (let round = 0; round < rounds; round += 1) await depositRound(store, `r-${round}`, 3, () => undefined);
  await store.close();
  return disk.content();
}

test.run();
