/** Moments in random logs: each is the entry that a search from the first entry on finds, in few reads. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { LogEntry, StoredEvent } from '../../runtime/store/entry.ts';
import { createMemoryJournal } from '../../runtime/store/journal/memory-journal.ts';
import type { Journal } from '../../runtime/store/journal.ts';
import { encodeLine } from '../../runtime/store/line.ts';
import { createMoments, type AskedMoment, type Moment } from '../../runtime/store/journal/moment.ts';
import { Failure } from '../../language/failure/failure.ts';
import { createChance, type Chance } from '../crash/chance.ts';

const rounds = Number(process.env['ROUNDS'] ?? 12);
const hour = 3_600_000_000n;

/** Numbers of events in the entries, and times between them: even, in bursts, or with long gaps. */
const shapes = [
  { name: 'one event each', events: () => 1, step: () => 1000n },
  { name: 'some without events', events: (chance: Chance) => chance.below(3), step: () => 0n },
  {
    name: 'bursts',
    events: (chance: Chance) => (chance.below(20) === 0 ? 300 : chance.below(2)),
    step: (chance: Chance) => (chance.below(10) === 0 ? hour : BigInt(chance.below(2))),
  },
  {
    name: 'nearly none',
    events: (chance: Chance) => (chance.below(30) === 0 ? 1 : 0),
    step: (chance: Chance) => BigInt(chance.below(3)),
  },
] as const;

function history(shape: (typeof shapes)[number], chance: Chance): readonly LogEntry[] {
  let position = 0;
  let at = 1_700_000_000_000_000n;
  return Array.from({ length: chance.below(400) }, (_, index): LogEntry => {
    const events = Array.from({ length: shape.events(chance) }, (): StoredEvent => {
      position += 1;
      const [type, streamType] = ['Happened', 'Thing'];
      return { position, id: `${position}`, type, version: 1, streamType, streamId: 's', seq: position, data: '{}' };
    });
    at += shape.step(chance);
    const facts = { number: index + 1, at: String(at), streamType: 'Thing', streamId: 's' };
    return { kind: 'command', command: 'Do', ...facts, events };
  });
}

/** The moment by the reference, from the first entry on. */
function expected(entries: readonly LogEntry[], asked: AskedMoment): Moment | undefined {
  const ends = entries.map((entry) => ({
    entry: entry.number,
    at: BigInt(entry.at),
    last: entry.kind === 'command' ? entry.events.at(-1)?.position : undefined,
  }));
  if ('position' in asked) {
    const { position } = asked;
    if (position === 0) return { position, entry: 0, cut: false, at: ends[0]?.at ?? 0n, final: true };
    const found = ends.find(({ last }) => (last ?? 0) >= position);
    return found && { position, entry: found.entry, cut: found.last !== position, at: found.at, final: true };
  }
  const before = ends.filter(({ at }) => at <= asked.time);
  const position = Math.max(0, ...before.map(({ last }) => last ?? 0));
  return { position, entry: before.length, cut: false, at: asked.time, final: before.length < ends.length };
}

async function found(find: ReturnType<typeof createMoments>, asked: AskedMoment): Promise<Moment | undefined> {
  try {
    return await find(asked, 2_000_000_000_000_000n);
  } catch (error) {
    if (error instanceof Failure && error.code === 'R0505') return undefined;
    throw error;
  }
}

for (const shape of shapes)
  test(`random logs, ${shape.name}`, async () => {
    for (let round = 1; round <= rounds; round++) {
      const chance = createChance(round);
      const entries = history(shape, chance);
      const journal = createMemoryJournal('ab'.repeat(32));
      if (entries.length > 0)
        await journal.append({ after: await journal.fresh(), id: 'b', lines: entries.map(encodeLine) });
      const last = entries.reduce((end, entry) => (entry.kind === 'command' ? end + entry.events.length : end), 0);
      const times = entries.flatMap(({ at }) => [BigInt(at) - 1n, BigInt(at)]);
      const asked: AskedMoment[] = Array.from({ length: 12 }, () => ({ position: chance.below(last + 3) }));
      for (let at = 0; at < 12; at++) asked.push({ time: times[chance.below(times.length)] ?? 0n });
      const find = createMoments(journal);
      for (const one of [...asked, ...asked])
        assert.equal(await found(find, one), expected(entries, one), `${shape.name}, seed ${round}`);
    }
  });

test('in an even log a few entries are read', async () => {
  const [even] = shapes;
  const entries =
    Array.from({ length: 12 }, (_, seed) => history(even, createChance(seed))).find((all) => all.length > 300) ?? [];
  const journal = createMemoryJournal('ab'.repeat(32));
  await journal.append({ after: await journal.fresh(), id: 'b', lines: entries.map(encodeLine) });
  let reads = 0;
  const counting: Journal = {
    ...journal,
    read: (from, to) => {
      reads += 1;
      return journal.read(from, to);
    },
  };
  const find = createMoments(counting);
  for (const position of [1, 77, 150, 299]) {
    reads = 0;
    await find({ position }, 0n);
    assert.ok(reads <= 3, `${reads} reads for position ${position}`);
    reads = 0;
    await find({ position }, 0n);
    assert.is(reads, 0);
  }
});

test.run();
