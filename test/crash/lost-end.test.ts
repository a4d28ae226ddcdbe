/**
 * Row E: every segment of a log deleted, emptied, cut, or replaced by an older copy of itself. Either the whole log is
 * there, or the start refuses and names the missing entries; `log verify` and readers agree.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { openReadOnlyLog } from '../../runtime/store/log/read-only-log.ts';
import { verifyLog } from '../../runtime/store/log/verify.ts';
import { accounts, collect } from '../contract/accounts.ts';
import { parameter } from './chance.ts';
import { createSimulatedDisk, type Content } from './simulated-disk.ts';
import { commit, depositRound, directory, openStore, recover, wholeLife } from './workload.ts';

const rounds = parameter('SCHEMAC_LOST_END_ROUNDS', 5);
/** The number of cuts of each segment, at even distances. */
const cuts = parameter('SCHEMAC_LOST_END_CUTS', 12);

interface History {
  /** After each round of a life, and after its stop. */
  readonly states: readonly Content[];
  /** As the last stop left it. */
  readonly whole: Content;
}

/** Several segments, and a snapshot at each stop. */
async function history(): Promise<History> {
  const disk = createSimulatedDisk();
  const states: Content[] = [];
  for (let life = 0; life < 2; life += 1) {
    const store = await openStore(disk);
    await store.tables.adopt(accounts);
    for (let round = 0; round < rounds; round += 1) {
      await depositRound(store, `l${life}-${round}`, 1 + (round % 5), () => undefined);
      states.push(disk.content());
    }
    await store.close();
    states.push(disk.content());
  }
  return { states, whole: disk.content() };
}

const isLog = (path: string): boolean => path.endsWith('.seg');
const segmentsOf = (content: Content): readonly string[] => [...content.keys()].filter(isLog).sort();
const without = (content: Content, gone: (path: string) => boolean): Content =>
  new Map([...content].filter(([path]) => !gone(path)));
/** A copy with another last byte. */
const flipped = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]);
const bytesOf = (content: Content, path: string): Buffer => content.get(path) ?? Buffer.alloc(0);

/** All tested losses of a segment or of the end of the log, by their names. */
function* injuries({ whole, states }: History): Generator<readonly [title: string, content: Content]> {
  const segments = segmentsOf(whole);
  for (const path of segments) {
    const bytes = bytesOf(whole, path);
    const put = (changed: Buffer): Content => new Map([...whole, [path, changed]]);
    yield [`${path} deleted`, without(whole, (each) => each === path)];
    yield [`from ${path} on deleted`, without(whole, (each) => isLog(each) && each >= path)];
    yield [`${path} emptied`, put(Buffer.alloc(0))];
    yield [`${path} zeroed`, put(Buffer.alloc(bytes.length))];
    const steps = Math.min(cuts, bytes.length);
    for (let step = 0; step < steps; step += 1) {
      const at = Math.floor((step * bytes.length) / steps);
      yield [`${path} cut at byte ${at}`, put(bytes.subarray(0, at))];
    }
    for (const [moment, state] of states.entries()) {
      const older = state.get(path);
      if (older !== undefined && older.length < bytes.length)
        yield [`${path} swapped with its copy of moment ${moment}`, put(older)];
    }
  }
}

/** The common result of a start, a reader and `log verify`: `whole`, or the code of the refusal. */
async function told(content: Content, lines: readonly string[]): Promise<string> {
  const code = async (work: () => Promise<string>): Promise<string> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure) return `${error.code} ${error.message}`;
      throw error;
    }
  };
  const disk = createSimulatedDisk(content);
  const started = await code(async () => {
    const recovered = await recover(disk);
    assert.equal(recovered.lines, lines);
    return 'whole';
  });
  if (started !== 'whole') assert.equal(disk.operations, [], 'a refused start changes nothing');
  const read = await code(async () => {
    await openReadOnlyLog(createSimulatedDisk(content), directory);
    return 'whole';
  });
  assert.is(read, started);
  const found = (await collect(verifyLog(directory, createSimulatedDisk(content)))).filter(
    ({ finding }) => finding === 'damage',
  );
  assert.equal(
    found.map((finding) => (finding.finding === 'damage' ? finding.problem : '')),
    started === 'whole' ? [] : [started.slice('R0000 '.length)],
  );
  return started;
}

const made = history();

test('in a log that was not closed every missing segment is noticed; missing last frames count as a crash', async () => {
  const { states } = await made;
  const running = states[rounds - 2] ?? new Map();
  const { lines } = await recover(createSimulatedDisk(running));
  const segments = segmentsOf(running);
  for (const path of segments) {
    const emptied = new Map([...running, [path, Buffer.alloc(0)]]);
    assert.match(
      await told(
        without(running, (each) => each === path),
        lines,
      ),
      /^R04(05|12) /,
      `${path} deleted`,
    );
    assert.match(await told(emptied, lines), /^R04(05|12) /, `${path} emptied`);
  }
  const last = segments.at(-1) ?? '';
  const disk = createSimulatedDisk(new Map([...running, [last, bytesOf(running, last).subarray(0, -1)]]));
  assert.ok((await recover(disk)).lines.length < lines.length, 'a frame that a crash cut is no damage');
});

for (const [proof, keep] of [
  ['its manifest and its snapshots', () => true],
  ['its manifest', (path: string) => !path.includes('/snapshot-')],
  ['its snapshots', (path: string) => !path.endsWith('.manifest')],
] as const) {
  test(`in a log with ${proof} every lost, emptied, cut or swapped segment is noticed`, async () => {
    const { states, whole } = await made;
    const { lines } = await recover(createSimulatedDisk(whole));
    const kept = without(whole, (path) => !keep(path));
    assert.is(await told(kept, lines), 'whole');
    let injured = 0;
    for (const [title, content] of injuries({ states, whole: kept })) {
      assert.match(await told(content, lines), /^R04(05|12) /, title);
      injured += 1;
    }
    console.log(`lost ends: ${injured} injuries of ${segmentsOf(whole).length} segments with ${proof}, all reported`);
  });
}

test('segments restored without other files open silently; later losses are noticed', async () => {
  const { whole } = await made;
  const older = without(whole, (path) => !isLog(path) || path === segmentsOf(whole).at(-1));
  const disk = createSimulatedDisk(older);
  const { log } = await recover(disk);
  await log.close();
  const names = segmentsOf(disk.content());
  const shorter = without(disk.content(), (path) => path === names.at(-1));
  assert.match(await told(shorter, []), /^R0412 /);
});

test('missing entries are named, and accepting their loss takes the number of the first one', async () => {
  const { whole } = await made;
  const [first = '', ...others] = segmentsOf(whole);
  const last = others.at(-1) ?? '';
  const number = (path: string): number => Number(path.slice(-20, -4));
  const { lines } = await recover(createSimulatedDisk(whole));
  const end = lines.length;
  const cases: readonly (readonly [content: Content, firstLost: number, says: string])[] = [
    [
      without(whole, (path) => path === last),
      number(last),
      `${last.slice(6)} is missing or emptied; entries ${number(last)} to ${end} are gone.`,
    ],
    [without(whole, isLog), 1, `${first.slice(6)} is missing or emptied; entries 1 to ${end} are gone.`],
    [
      without(whole, (path) => isLog(path) || path.endsWith('.manifest')),
      1,
      `there is no log, and snapshot-${String(end).padStart(16, '0')}-… shows entry ${end}; entries 1 to ${end} are gone.`,
    ],
    [
      new Map([...whole, [last, bytesOf(whole, last).subarray(0, -1)]]),
      end - 4,
      `${last.slice(6)} is shorter than it was; entries ${end - 4} to ${end} are gone.`,
    ],
    [
      new Map([...whole, [last, flipped(bytesOf(whole, last))]]),
      end - 4,
      `${last.slice(6)} cannot be read from byte … on (…); entries ${end - 4} to ${end} are gone.`,
    ],
  ];
  for (const [content, firstLost, says] of cases) {
    const said = (await told(content, []))
      .replace(/-[0-9a-f]{16}-[0-9a-f]{8}\.db/g, '-…')
      .replace(/byte \d+ on \([^)]+\)/, 'byte … on (…)');
    assert.is(
      said,
      `R0412 the log in ${directory} has lost its end: ${says} Restore the log, or start with --accept-loss ${firstLost} to go on without them`,
    );
    const wrong = await recover(createSimulatedDisk(content), { acceptLoss: firstLost + 1 }).then(
      () => 'it started',
      String,
    );
    assert.match(wrong, /has lost its end/);
    const disk = createSimulatedDisk(content);
    const remarks: string[] = [];
    const { log, lines: left } = await recover(disk, {
      acceptLoss: firstLost,
      log: (_, message) => void remarks.push(message),
    });
    assert.equal(left, lines.slice(0, firstLost - 1));
    assert.ok(
      remarks.some((remark) => remark.endsWith(': accepted')),
      remarks.join('\n'),
    );
    await commit(log, ['after']);
    await log.close();
    const again = await recover(createSimulatedDisk(disk.content()));
    assert.equal(again.lines, [...left, 'after'], 'it is asked for once');
  }
});

test('a store starts after a kill or power cut, also one during the write of the manifest', async () => {
  const disk = createSimulatedDisk();
  await wholeLife(disk, 'l', 4, () => undefined);
  const content = new Map(disk.content());
  content.set(`${directory}/log.manifest.new`, Buffer.from('half'));
  const again = createSimulatedDisk(content);
  await wholeLife(again, 'm', 4, () => undefined);
  assert.equal(
    [...again.content().keys()].filter((path) => path.endsWith('.new')),
    [],
  );
});

test.run();
