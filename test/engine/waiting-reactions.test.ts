/** Tasks that wait for their time: the same happens however many of them are more than rows of a table. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { createWaitingTable, type WaitingRow } from '../../runtime/delivery/reaction/waiting-table.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { collect } from '../contract/accounts.ts';
import { createChance } from '../crash/chance.ts';
import { domainOf } from '../kit/domain.ts';
import { sent } from '../kit/engine.ts';

const schema = `
CREATE AGGREGATE Seat;
CREATE COMMAND Hold (seat STRING, minutes INT);
CREATE COMMAND Pay (seat STRING);
CREATE COMMAND Expire (seat STRING);
CREATE EVENT Held (minutes INT);
CREATE EVENT Paid ();
CREATE EVENT Expired ();
CREATE DECISION Holding FOR Seat ON COMMAND Hold EMIT AS SELECT EVENT Held (minutes := :minutes);
CREATE DECISION Paying FOR Seat ON COMMAND Pay EMIT AS SELECT EVENT Paid ();
CREATE DECISION Expiring FOR Seat ON COMMAND Expire EMIT AS SELECT EVENT Expired ();
CREATE REACTION ExpireHold ON EVENT Held EXECUTE Expire (seat := :stream_id) AFTER :minutes MINUTES UNLESS EVENT Paid
UNION ALL EXECUTE Pay (seat := :stream_id || 'x') WHERE :minutes % 7 = 0;
CREATE REACTION HoldAgain ON EVENT Expired
EXECUTE Hold (seat := :stream_id, minutes := 90) AFTER 20 MINUTES WHERE :seq < 6;
`;

/** Events with their times, and the most tasks that waited. */
async function history(nearTasks: number): Promise<{ readonly events: readonly string[]; readonly waiting: number }> {
  const chance = createChance(7);
  const domain = await domainOf(schema);
  const store = await openMemoryStore();
  let now = 1_700_000_000_000_000n;
  const engine = await createReactingEngine({
    store,
    domain,
    clock: () => now,
    randomBytes: createSystemRandom(),
    reactions: 'asked',
    nearTasks,
  });
  const changes = domain.blocks.map(({ kind, name, text }) => ({ change: 'put', block: kind, name, text }) as const);
  await engine.adopt(domain, { kind: 'schema', origin: 'files', changes });
  const { reactions } = engine;
  let waiting = 0;
  /** Stops at each due time, as ADVANCE CLOCK does. */
  const advance = async (to: bigint): Promise<void> => {
    for (;;) {
      await reactions.settled();
      waiting = Math.max(waiting, reactions.totals().waiting);
      const due = reactions.nextDue();
      if (due === undefined || due > to) break;
      if (due > now) now = due;
    }
    now = to;
  };
  for (let round = 0; round < 12; round++) {
    for (let step = 0; step < 12; step++) {
      const seat = String(chance.below(40));
      const minutes = String(chance.below(300));
      if (chance.below(3) === 0) await engine.execute({ command: 'Pay', arguments: sent({ seat }) });
      else await engine.execute({ command: 'Hold', arguments: sent({ seat, minutes }) });
    }
    await advance(now + BigInt(chance.below(40)) * 60_000_000n);
  }
  await advance(now + 7n * 86_400_000_000n);
  const entries = await collect(store.log.read(1));
  const events = entries.flatMap((entry) =>
    entry.kind === 'command' ? entry.events.map((event) => `${entry.at} ${event.streamId} ${event.type}`) : [],
  );
  await engine.close();
  return { events, waiting };
}

test('reactions do the same with few tasks in the heap', async () => {
  const all = await history(10_000);
  assert.ok(all.waiting > 40, `${all.waiting} wait`);
  for (const near of [1, 16]) assert.equal(await history(near), all);
});

/** Rows with their due times, as a list that is searched from end to end. */
function model() {
  interface Row extends WaitingRow {
    readonly stream: string;
  }
  let rows: readonly Row[] = [];
  const byDue = (a: WaitingRow, b: WaitingRow): number =>
    Number(a.due - b.due) || a.position - b.position || a.branch - b.branch;
  return {
    add: (row: Row) => void (rows = [...rows, row]),
    remove: (wanted: WaitingRow) => {
      rows = rows.filter(({ position, branch }) => position !== wanted.position || branch !== wanted.branch);
    },
    all: () => rows,
    nearest: (most: number, after?: WaitingRow) =>
      [...rows]
        .sort(byDue)
        .filter((row) => after === undefined || byDue(row, after) > 0)
        .slice(0, most),
    ofStream: (stream: string) => rows.filter((row) => row.stream === stream),
  };
}

const shown = (rows: readonly WaitingRow[]): readonly string[] =>
  rows.map(
    ({ position, eventHash, branch, entry, due, rests }) =>
      `${position}.${branch} ${eventHash} ${entry} ${due} ${rests}`,
  );

test('the table of tasks does what a list does, whatever comes and goes', () => {
  const chance = createChance(11);
  const table = createWaitingTable([1, 2]);
  const list = model();
  let [position, branch] = [0, 0];
  for (let step = 0; step < 3_000; step += 1) {
    const known = list.all();
    const some = known[chance.below(Math.max(1, known.length))];
    const act = chance.below(step < 2_000 ? 9 : 14);
    if (act < 6 || some === undefined) {
      const further = chance.below(3);
      [position, branch] = further === 0 ? [position, branch + 1] : [position + further, 0];
      const stream = `s${chance.below(50)}`;
      // Also times far apart, so that both halves matter.
      const due = BigInt(chance.below(1_000)) * (chance.below(4) === 0 ? 10_000_000_000n : 1n);
      const row = { position, eventHash: position + 5, branch, entry: position + 7, due, rests: chance.below(2) === 0 };
      table.add(row, stream);
      list.add({ ...row, stream });
    } else {
      assert.equal(table.close(some.position, some.branch), true);
      list.remove(some);
      assert.equal(table.close(some.position, some.branch), false);
    }
    if (step % 50 !== 0) continue;
    assert.equal(table.count(), list.all().length);
    const after = list.all()[chance.below(Math.max(1, list.all().length))];
    const most = 1 + chance.below(20);
    assert.equal(shown(table.nearest(most)), shown(list.nearest(most)));
    assert.equal(shown(table.nearest(most, after)), shown(list.nearest(most, after)));
    assert.equal(shown(table.ofStream('s7')), shown(list.ofStream('s7')));
    if (after !== undefined) {
      assert.equal(shown([table.find(after.position, after.branch) ?? after]), shown([after]));
      assert.equal(
        shown(table.upTo(after.position)),
        shown(list.all().filter((row) => row.position <= after.position)),
      );
    }
  }
});

test.run();
