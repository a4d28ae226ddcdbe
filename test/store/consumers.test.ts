/** The positions of subscriptions, on a disk that loses, tears, damages and refuses what is written. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ConsumerChange } from '../../runtime/store/side/consumer-state.ts';
import { consumerFileName, openConsumerFile } from '../../runtime/store/side/consumer-file.ts';
import type { Consumers } from '../../runtime/store/side/consumers.ts';
import { crashed, createSimulatedDisk } from '../crash/simulated-disk.ts';

const directory = '/data';
const file = `${directory}/${consumerFileName}`;

async function apply(consumers: Consumers, name: string, ...changes: readonly ConsumerChange[]): Promise<void> {
  await consumers.turn(name, () => ({ changes, result: () => undefined }));
}

/** A state as one line. */
function shown(consumers: Consumers, name: string): string {
  const { acknowledged, done, failed, parked, late, stopped, generation, last } = consumers.stateOf(name);
  const lists = [done, failed.keys(), parked.keys(), late.keys()].map((list) => [...list].join());
  return `${acknowledged} of ${generation} after ${last?.event ?? 'none'}, done ${lists.join(' / ')}, ${stopped ?? 'runs'}`;
}

const steps: readonly ConsumerChange[] = [
  { is: 'begun', to: 0, generation: 3 },
  { is: 'done', positions: [3, 4] },
  { is: 'done', positions: [], to: 2, last: { position: 2, event: 'e2' } },
  { is: 'failed', position: 5, row: { attempts: 1, until: 7, reason: 'no' } },
  { is: 'parked', row: { position: 6, event: 'e6', key: null, attempts: 2, reason: 'never', at: 9 } },
  { is: 'parked', row: { position: 7, event: 'e7', key: 'k', attempts: 2, reason: 'never', at: 9 } },
  { is: 'retried', position: 7 },
  { is: 'stopped', reason: 'paused' },
];

test('every change that was answered is there after any crash, and no half of one', async () => {
  const disk = createSimulatedDisk(new Map());
  const consumers = await openConsumerFile(disk, directory, () => undefined);
  const states: { readonly operations: number; readonly state: string }[] = [
    { operations: 0, state: shown(consumers, 'S') },
  ];
  for (const step of steps) {
    await apply(consumers, 'S', step);
    states.push({ operations: disk.operations.length, state: shown(consumers, 'S') });
  }
  for (const fate of ['lost', 'kept'] as const) {
    for (let upTo = 0; upTo <= disk.operations.length; upTo += 1) {
      const left = createSimulatedDisk(crashed(new Map(), disk.operations, upTo, () => fate));
      const again = shown(await openConsumerFile(left, directory, () => undefined), 'S');
      const answered = states.filter(({ operations }) => operations <= upTo).length - 1;
      const possible = states.slice(answered, answered + 2).map(({ state }) => state);
      assert.ok(
        possible.includes(again),
        `${upTo} operations, the rest ${fate}: ${again} is none of ${possible.join(' | ')}`,
      );
    }
  }
});

test('a long file is written again, short, and says the same after any crash', async () => {
  const disk = createSimulatedDisk(new Map());
  const consumers = await openConsumerFile(disk, directory, () => undefined);
  await apply(consumers, 'S', ...steps);
  const before = shown(consumers, 'S');
  for (let at = 0; at < 300; at += 1)
    await apply(consumers, 'T', { is: 'begun', to: at, generation: 1 }, { is: 'stopped', reason: 'x'.repeat(1000) });
  const content = disk.content();
  assert.ok((content.get(file)?.length ?? 0) < 100_000, String(content.get(file)?.length));
  for (let back = 0; back < 12; back += 1) {
    const left = createSimulatedDisk(crashed(new Map(), disk.operations, disk.operations.length - back, () => 'lost'));
    const again = await openConsumerFile(left, directory, () => undefined);
    assert.is(shown(again, 'S'), before);
  }
  await apply(consumers, 'S', { is: 'started' });
  const last = await openConsumerFile(createSimulatedDisk(disk.content()), directory, () => undefined);
  assert.is(shown(last, 'S'), before.replace('paused', 'runs'));
});

test('a torn end is cut, and a line damaged before the end stops what is there', async () => {
  const disk = createSimulatedDisk(new Map());
  const consumers = await openConsumerFile(disk, directory, () => undefined);
  await apply(consumers, 'S', { is: 'begun', to: 1, generation: 1 });
  await apply(consumers, 'S', { is: 'done', positions: [], to: 5 });
  await apply(consumers, 'S', { is: 'done', positions: [], to: 9 });
  const bytes = Buffer.from(disk.content().get(file) ?? '');
  const opened = async (changed: Buffer): Promise<string> =>
    shown(await openConsumerFile(createSimulatedDisk(new Map([[file, changed]])), directory, () => undefined), 'S');
  assert.is(await opened(bytes.subarray(0, bytes.length - 3)), '5 of 1 after none, done  /  /  / , runs');
  const damaged = Buffer.from(bytes);
  const second = bytes.indexOf(10) + 20;
  damaged[second] = (damaged[second] ?? 0) ^ 1;
  assert.match(
    await opened(damaged),
    /^9 of 1 .*subscriptions\.log is damaged at byte \d+; say where to begin with start and a position$/,
  );
});

test('a write that fails changes nothing, and the next one is tried', async () => {
  const disk = createSimulatedDisk(new Map());
  const failing = { now: false };
  const broken = {
    ...disk,
    open: async (...given: Parameters<typeof disk.open>) => {
      const opened = await disk.open(...given);
      return {
        ...opened,
        writeThrough: async (bytes: Uint8Array, position: number): Promise<void> => {
          if (!failing.now) return opened.writeThrough(bytes, position);
          await opened.write(bytes.subarray(0, 5), position);
          throw new Error('no space left');
        },
      };
    },
  };
  const consumers = await openConsumerFile(broken, directory, () => undefined);
  await apply(consumers, 'S', { is: 'begun', to: 1, generation: 1 });
  failing.now = true;
  const said = await apply(consumers, 'S', { is: 'done', positions: [], to: 5 }).then(
    () => 'written',
    (error: unknown) => String(error),
  );
  assert.match(said, /cannot be written \(no space left\); nothing was changed/);
  assert.equal([consumers.stateOf('S').acknowledged, consumers.notes().length], [1, 1]);
  failing.now = false;
  await apply(consumers, 'S', { is: 'done', positions: [], to: 7 });
  assert.equal([consumers.stateOf('S').acknowledged, consumers.notes()], [7, []]);
  const again = await openConsumerFile(createSimulatedDisk(disk.content()), directory, () => undefined);
  assert.is(again.stateOf('S').acknowledged, 7);
});

test.run();
