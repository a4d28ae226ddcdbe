/**
 * K: with any clock, positions and ids of events increase and timestamps never decrease inside a store, over restarts
 * too.
 */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../runtime/store/entry.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { verifyLog } from '../../runtime/store/log/verify.ts';
import { collect } from '../contract/accounts.ts';
import { createChance, seedOf } from '../crash/chance.ts';
import { createSimulatedDisk } from '../crash/simulated-disk.ts';
import { domainOf } from '../kit/domain.ts';
import { sent } from '../kit/engine.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT, at TIMESTAMP);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS
  SELECT EVENT Added (n := :n, at := CURRENT_TIMESTAMP) WHERE :n > 0;
`;
const domain = domainOf(schema);
const start = 1_700_000_000_000_000n;
const hour = 3_600_000_000n;
const year = 8766n * hour;
const directory = '/data';

interface Seen {
  readonly event: StoredEvent;
  readonly at: bigint;
}

/** Lives of one store: in each the clock shows these times, one for each command, then repeats the last one. */
async function eventsOver(
  lives: readonly (readonly bigint[])[],
  commands: number,
  snapshotEntries = 10,
): Promise<readonly Seen[]> {
  const disk = createSimulatedDisk();
  for (const [life, instants] of lives.entries()) {
    const options = { directory, disk, readModel: 'inline', snapshotEntries } as const;
    const store = await openEmbeddedStore(options);
    let look = 0;
    const clock = (): bigint => instants[Math.min(look++, instants.length - 1)] ?? start;
    const engine = await createReactingEngine({
      store,
      domain: await domain,
      clock,
      randomBytes: createSystemRandom(),
    });
    for (let command = 0; command < commands; command += 1) {
      const n = command % 7 === 6 ? 0 : 1;
      const request = { command: 'Put', arguments: sent({ box_id: `b-${command % 3}`, n }) };
      const outcome = await engine.execute({ ...request, commandId: `${life}-${command}` });
      assert.is(unmasked(outcome).outcome, n === 0 ? 'rejected' : 'emitted');
    }
    await engine.close();
  }
  const findings = await collect(verifyLog(directory, disk));
  assert.equal(
    findings.filter(({ finding }) => finding !== 'segment'),
    [],
  );
  const store = await openEmbeddedStore({ directory, disk, readModel: 'inline' });
  const entries = await collect(store.log.read(1));
  await store.close();
  return entries.flatMap((entry) =>
    entry.kind === 'command' ? entry.events.map((event) => ({ event, at: BigInt(entry.at) })) : [],
  );
}

function checkRising(seen: readonly Seen[]): void {
  for (const [index, { event, at }] of seen.entries()) {
    const before = seen[index - 1];
    assert.is(event.position, index + 1);
    assert.match(event.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    if (before === undefined) continue;
    assert.ok(event.id > before.event.id, `event ${index + 1}: ${event.id} after ${before.event.id}`);
    assert.ok(at >= before.at, `event ${index + 1} is older than the one before it`);
  }
}

const cases: readonly (readonly [title: string, lives: readonly (readonly bigint[])[]])[] = [
  ['stands still', [[start]]],
  ['stands still over restarts', [[start], [start], [start], [start]]],
  ['goes back an hour', [[start, start + hour, start]]],
  ['goes back an hour at a restart', [[start], [start - hour], [start - 2n * hour]]],
  ['jumps a year ahead', [[start, start + year, start + year + 1n]]],
  ['jumps a year ahead and back, also at a restart', [[start, start + year, start + 1n], [start + 2n], [start + hour]]],
  ['is before 1970', [[-start], [-start - hour]]],
];
for (const [title, lives] of cases) {
  test(`a clock that ${title}`, async () => {
    const seen = await eventsOver(lives, 30);
    assert.is(seen.length, lives.length * 26);
    checkRising(seen);
  });
}

test('a clock that stops for more ids than a millisecond has, followed by a restart', async () => {
  const seen = await eventsOver([[start], [start]], 4700, 2000);
  checkRising(seen);
  assert.ok(seen.every(({ at }) => at === start));
});

test('a clock that moves at random, over restarts', async () => {
  const chance = createChance(seedOf('clock'));
  const steps: readonly [bigint, ...bigint[]] = [-year, -hour, -1n, 0n, 0n, 1n, 1000n, hour, year];
  for (let round = 0; round < 5; round += 1) {
    let now = start;
    const life = (): bigint[] => Array.from({ length: 40 }, () => (now += chance.pick(steps)));
    checkRising(await eventsOver([life(), life(), life()], 40));
  }
});

test.run();
