/** Heads and command ids in files: they answer as a ledger in memory does, after any stop, and no damaged byte ever answers. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EntryBody, LogEntry, StoredEvent } from '../../runtime/store/entry.ts';
import { createKeyFilter } from '../../runtime/store/ledger-files/key-filter.ts';
import { ids } from '../../runtime/store/ledger-files/layout.ts';
import { openLedgerFiles, type LedgerFiles, type SavedLedger } from '../../runtime/store/ledger-files/ledger-files.ts';
import { idKey } from '../../runtime/store/ledger-files/records.ts';
import { createCommandHash } from '../../runtime/store/turns/command-index.ts';
import { createLedger, type Ledger, type SchemaLogEntry } from '../../runtime/store/turns/ledger.ts';
import { createChance, parameter, seedOf, type Chance } from '../crash/chance.ts';
import { crashed, createSimulatedDisk, type Content, type SimulatedDisk } from '../crash/simulated-disk.ts';

const directory = '/data';
const secret = '5e'.repeat(32);
const hash = createCommandHash(secret);

/** The checksum that the tests use for the line of an entry. */
const checksumOf = (entry: number): number => (entry * 2_654_435_761) >>> 0;

function open(disk: SimulatedDisk, end = Infinity, said: string[] = []): Promise<LedgerFiles> {
  return openLedgerFiles({
    disk,
    directory,
    secret,
    fits: (entry, checksum) => Promise.resolve(entry <= end && checksum === checksumOf(entry)),
    lost: () => undefined,
    log: (_, message) => void said.push(message),
  });
}

function randomBody(chance: Chance, ledger: Ledger, streams: number): EntryBody {
  if (chance.below(40) === 0) return { kind: 'schema', origin: 'create', changes: [] };
  const [streamType, streamId] = [chance.pick(['A', 'B']), `S-${chance.below(streams)}`];
  const events: StoredEvent[] = [];
  const heads = new Map<string, number>();
  for (let index = chance.below(4); index > 0; index -= 1) {
    const to = chance.below(3) === 0 ? `S-${chance.below(streams)}` : streamId;
    const seq = (heads.get(to) ?? ledger.head(streamType, to)) + 1;
    heads.set(to, seq);
    const position = ledger.event() + events.length + 1;
    const type = chance.pick(['X', 'Y']);
    events.push({ position, id: 'e', type, version: 1, streamType, streamId: to, seq, data: '{}' });
  }
  const commandId = chance.below(2) === 0 ? { commandId: `c-${ledger.entry()}`, fingerprint: 'f' } : {};
  return { kind: 'command', command: 'C', streamType, streamId, events, ...commandId };
}

/** Answers of a ledger about everything that the history may have. */
function view(ledger: Ledger, streams: number, entries: readonly LogEntry[]): unknown {
  const heads = ['A', 'B'].flatMap((type) => Array.from({ length: streams }, (_, n) => ledger.head(type, `S-${n}`)));
  const found = entries.map((entry) =>
    entry.kind === 'command' && entry.commandId !== undefined
      ? ledger.candidates(entry.streamType, entry.streamId, entry.commandId)
      : [],
  );
  const kinds = ledger.kinds().map(({ aggregate, event, count }) => `${aggregate} ${event} ${count}`);
  return {
    heads,
    found,
    kinds: kinds.sort(),
    position: ledger.position(),
    schema: ledger.schema().map((s) => s.number),
  };
}

/** Brings a new ledger to the end of the log, as a start does. */
function resume(ledger: Ledger, saved: SavedLedger, log: readonly LogEntry[]): void {
  const known = new Set(saved.schema);
  ledger.resume(
    saved,
    log.filter((entry): entry is SchemaLogEntry => entry.kind === 'schema' && known.has(entry.number)),
  );
  for (const entry of log.slice(saved.entry)) ledger.replay(entry);
}

const histories = parameter('SCHEMAC_LEDGER_HISTORIES', 5);

test(`${histories} histories: a ledger with files answers as one in memory, whatever is taken back, saved or stopped`, async () => {
  const chance = createChance(seedOf('ledger files'));
  for (let history = 0; history < histories; history += 1) {
    const disk = createSimulatedDisk();
    const streams = 5 + chance.below(600);
    let files = await open(disk);
    let ledger = createLedger(hash, files);
    const memory = createLedger(hash);
    let log: LogEntry[] = [];
    let durable = 0;
    let saving: Promise<void> | undefined;
    const steps = 150;
    for (let step = 0; step < steps; step += 1) {
      const what = chance.below(12);
      if (what < 7)
        for (let index = 1 + chance.below(30); index > 0; index -= 1) {
          const body = randomBody(chance, ledger, streams);
          log.push(ledger.append(body, BigInt(step)));
          memory.append(body, BigInt(step));
        }
      else if (what === 7) {
        const kept = durable + chance.below(log.length - durable + 1);
        for (const each of [ledger, memory]) each.takeBack(kept);
        log = log.slice(0, kept);
      } else if (what < 10) {
        durable += chance.below(log.length - durable + 1);
        for (const each of [ledger, memory]) each.confirm(durable);
      } else if (what === 10 && saving === undefined) {
        const part = ledger.part();
        assert.is(part.entry, durable);
        if (part.entry > files.saved().entry)
          saving = files.save(part, checksumOf(durable)).then(() => {
            ledger.release();
            saving = undefined;
          });
        else ledger.release();
      } else if (step % 3 === 0) {
        // A stop: everything that was not durable is gone, and perhaps also the part that was being saved.
        await saving;
        await files.close();
        for (const each of [ledger, memory]) each.takeBack(durable);
        log = log.slice(0, durable);
        files = await open(disk, durable);
        ledger = createLedger(hash, files);
        const saved = files.saved();
        resume(ledger, saved, log);
      }
      if (step % 10 === 0 || step === steps - 1)
        assert.equal(view(ledger, streams, log), view(memory, streams, log), `history ${history}, step ${step}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await saving;
    assert.ok(disk.operations.length > 0);
  }
});

/** A disk on which several parts were saved, and merged, with the ledger that has all of them. */
async function savedDisk(): Promise<{
  readonly disk: SimulatedDisk;
  readonly memory: Ledger;
  readonly ends: readonly number[];
  readonly log: readonly LogEntry[];
}> {
  const chance = createChance(7);
  const disk = createSimulatedDisk();
  const files = await open(disk);
  const [ledger, memory] = [createLedger(hash, files), createLedger(hash)];
  const log: LogEntry[] = [];
  const ends = [0];
  for (let part = 0; part < 6; part += 1) {
    for (let index = 0; index < 120; index += 1) {
      const body = randomBody(chance, ledger, 300);
      log.push(ledger.append(body, 1n));
      memory.append(body, 1n);
    }
    for (const each of [ledger, memory]) each.confirm(log.length);
    await files.save(ledger.part(), checksumOf(log.length));
    ledger.release();
    disk.mark(String(log.length));
    ends.push(log.length);
  }
  await files.close();
  return { disk, memory, ends, log };
}

/** Result of a start from that disk and the log; the number of the last entry in its files. */
async function restarted(
  content: Content,
  log: readonly LogEntry[],
): Promise<{ readonly ledger: Ledger; readonly entry: number; readonly files: LedgerFiles }> {
  const files = await open(createSimulatedDisk(content), log.length);
  const ledger = createLedger(hash, files);
  const saved = files.saved();
  resume(ledger, saved, log);
  return { ledger, entry: saved.entry, files };
}

test('after every stop the files are those of some part, at least of the last one that was saved', async () => {
  const chance = createChance(seedOf('crash states of ledger files'));
  const { disk, memory, ends, log } = await savedDisk();
  const expected = view(memory, 300, log);
  const { operations } = disk;
  const states = Math.max(parameter('SCHEMAC_CRASH_STATES', 0) / 20, 2 * operations.length + 60);
  const seen = new Set<number>();
  for (let state = 0; state < states; state += 1) {
    const isPrefix = state < 2 * operations.length;
    const upTo = isPrefix ? Math.floor(state / 2) + 1 : 1 + chance.below(operations.length);
    const content = crashed(new Map(), operations, upTo, () => {
      if (isPrefix) return state % 2 === 0 ? 'lost' : 'kept';
      const fate = chance.below(3);
      if (fate < 2) return fate === 0 ? 'lost' : 'kept';
      return { torn: (bytes) => bytes.subarray(0, chance.below(bytes.length + 1)) };
    });
    const told = operations.slice(0, upTo).findLast(({ kind }) => kind === 'mark');
    const { ledger, entry } = await restarted(content, log);
    assert.ok(
      ends.includes(entry) && entry >= (told?.kind === 'mark' ? Number(told.what) : 0),
      `state ${state}: ${entry}`,
    );
    seen.add(entry);
    if (state % 9 === 0) assert.equal(view(ledger, 300, log), expected, `state ${state}`);
  }
  assert.equal(
    [...seen].sort((a, b) => a - b),
    ends,
  );
});

test('a flipped bit is found before it answers, or changes nothing', async () => {
  const chance = createChance(seedOf('flipped bits of ledger files'));
  const { disk, memory, log } = await savedDisk();
  const expected = view(memory, 300, log);
  const content = disk.content();
  const counts = { dropped: 0, refused: 0, unused: 0 };
  for (let flip = 0; flip < 150; flip += 1) {
    const [name, bytes] = chance.pick([...content] as [[string, Buffer]]);
    const spoilt = Buffer.from(bytes);
    const at = chance.below(spoilt.length);
    spoilt[at] = (spoilt[at] ?? 0) ^ (1 << chance.below(8));
    const { ledger, entry, files } = await restarted(new Map([...content, [name, spoilt]]), log);
    try {
      assert.equal(view(ledger, 300, log), expected, `bit ${at} of ${name}`);
      counts[entry < log.length ? 'dropped' : 'unused'] += 1;
    } catch (error) {
      assert.match(String(error), /is damaged: page \d+ does not have its checksum/);
      assert.match(files.trouble() ?? '', /is damaged/);
      assert.throws(() => files.head('A', 'S-1'), /is damaged/);
      counts.refused += 1;
    }
  }
  assert.ok(counts.dropped > 0 && counts.refused > 0, JSON.stringify(counts));
});

test('files of another log, or of entries that the log has lost, are removed', async () => {
  const { disk, ends, log } = await savedDisk();
  const said: string[] = [];
  const all = await open(createSimulatedDisk(disk.content()), Infinity, said);
  assert.equal([all.saved().entry, said], [log.length, []]);
  for (const end of [log.length - 1, 1]) {
    const shorter = createSimulatedDisk(disk.content());
    const files = await open(shorter, end, said);
    assert.ok(ends.includes(files.saved().entry) && files.saved().entry <= end);
    assert.match(said.at(-1) ?? '', /^ledger-\d+-\d+\.idx is removed: it is of another log/);
    assert.equal(
      shorter.content().size,
      (await open(createSimulatedDisk(shorter.content()), end)).saved().entry > 0 ? shorter.content().size : 0,
    );
  }
});

test('a filter knows all its keys, and few others', () => {
  const filter = createKeyFilter(20_000);
  const key = (n: number): Buffer => idKey(hash('A', 's', `c-${n}`));
  for (let n = 0; n < 20_000; n += 1) filter.add(key(n), 0, ids.kind);
  let others = 0;
  for (let n = 0; n < 40_000; n += 1) {
    const has = filter.mayHave(key(n), 0, ids.kind);
    if (n < 20_000) assert.ok(has);
    else if (has) others += 1;
  }
  assert.ok(others < 20_000 * 0.03, `${others} of 20,000`);
});

test.run();
