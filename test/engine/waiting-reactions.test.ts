/** Tasks that wait for their time: the same happens however many of them are more than rows of a table. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { createTaskTable, type TaskRow } from '../../runtime/delivery/reaction/task-table.ts';
import type { EventSource } from '../../runtime/delivery/reaction/task.ts';
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

const minute = 60_000_000n;

test('each command that waits is executed at its time, unless it was cancelled', async () => {
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
  const wanted: string[] = [];
  for (let round = 0; round < 12; round++) {
    for (let step = 0; step < 12; step++) {
      const seat = String(chance.below(40));
      const minutes = String(chance.below(300));
      const [command, event] = chance.below(3) === 0 ? ['Pay', 'Paid'] : ['Hold', 'Held'];
      await engine.execute({ command, arguments: sent(command === 'Pay' ? { seat } : { seat, minutes }) });
      wanted.push(`${now} ${seat} ${event}`);
    }
    await advance(now + BigInt(chance.below(40)) * minute);
  }
  await advance(now + 7n * 86_400_000_000n);
  const found = (await collect(store.log.read(1))).flatMap((entry) =>
    entry.kind === 'command' ? entry.events.map((event) => ({ ...event, at: BigInt(entry.at) })) : [],
  );
  for (const { type, streamId: seat, position, seq, at, data } of found) {
    if (type === 'Expired' && seq < 6) wanted.push(`${at + 20n * minute} ${seat} Held`);
    if (type !== 'Held') continue;
    const { minutes } = JSON.parse(data) as { readonly minutes: number };
    const due = at + BigInt(minutes) * minute;
    const isCancelled = found.some(
      (other) => other.position > position && other.streamId === seat && other.type === 'Paid' && other.at < due,
    );
    if (!isCancelled) wanted.push(`${due} ${seat} Expired`);
    if (minutes % 7 === 0) wanted.push(`${at} ${seat}x Paid`);
  }
  assert.equal(found.map(({ at, streamId, type }) => `${at} ${streamId} ${type}`).sort(), wanted.sort());
  assert.ok(waiting > 40, `${waiting} wait`);
  await engine.close();
});

/** Rows as a list that is searched from end to end. */
function model() {
  let rows: readonly TaskRow[] = [];
  const taken = new Set<TaskRow>();
  const byDue = (a: Due, b: Due): number => Number(a.due - b.due) || a.position - b.position || a.branch - b.branch;
  return {
    add: (row: TaskRow) => void (rows = [...rows, row]),
    remove: (row: TaskRow) => void (rows = rows.filter((each) => each !== row)),
    all: () => rows,
    nearest: (most: number, after?: Due) =>
      [...rows]
        .sort(byDue)
        .filter((row) => after === undefined || byDue(row, after) > 0)
        .slice(0, most),
    first: () => [...rows].sort(byDue).find((row) => !taken.has(row)),
    taken,
  };
}

type Due = Pick<TaskRow, 'due' | 'position' | 'branch'>;

test('the table of tasks does what a list does, whatever comes and goes', () => {
  const chance = createChance(11);
  const room = { sources: 100 };
  const table = createTaskTable(room);
  const list = model();
  let [position, branch] = [0, 0];
  for (let step = 0; step < 3_000; step += 1) {
    const known = list.all();
    const some = known[chance.below(Math.max(1, known.length))];
    const act = chance.below(step < 2_000 ? 12 : 17);
    if (act < 6 || some === undefined) {
      const further = chance.below(3);
      [position, branch] = further === 0 ? [position, branch + 1] : [position + further, 0];
      const row: TaskRow = {
        position,
        eventHash: position + 5,
        entry: position + 7,
        branch,
        // Also times far apart.
        due: BigInt(1 + chance.below(1_000)) * (chance.below(4) === 0 ? 10_000_000_000n : 1n),
        rests: chance.below(2) === 0,
        stream: chance.below(50) * 2 ** 40,
        source: undefined,
      };
      table.add(row);
      list.add(row);
    } else if (act === 6) {
      const first = list.first();
      assert.equal(table.first(), first);
      table.take();
      if (first !== undefined) list.taken.add(first);
    } else if (act === 7) {
      table.putBack(some.position, some.branch);
      list.taken.delete(some);
    } else {
      assert.equal(table.close(some.position, some.branch), true);
      list.remove(some);
      assert.equal(table.close(some.position, some.branch), false);
    }
    if (step % 50 !== 0) continue;
    const [rows, other] = [list.all(), list.all()[chance.below(Math.max(1, list.all().length))]];
    assert.equal([table.count(), ...table.after(0)], [rows.length, ...rows]);
    const most = 1 + chance.below(20);
    assert.equal(table.nearest(most), list.nearest(most));
    assert.equal(table.nearest(most, other), list.nearest(most, other));
    const stream = chance.below(50) * 2 ** 40;
    assert.equal(table.ofStream(stream), rows.filter((row) => row.stream === stream).reverse());
    const byBranch = new Map<number, number>();
    for (const row of rows) byBranch.set(row.branch, (byBranch.get(row.branch) ?? 0) + 1);
    assert.equal(table.countByBranch(), byBranch);
    if (other === undefined) continue;
    assert.equal(table.find(other.position, other.branch), other);
    const behind = rows.filter((row) => row.position > other.position);
    assert.equal([...table.after(other.position)], behind);
  }
});

test('events are kept for as many tasks as there is room, until these are done', () => {
  const room = { sources: 2 };
  const [table, other] = [createTaskTable(room), createTaskTable(room)];
  const row = { eventHash: 0, entry: 1, branch: 0, due: 0n, rests: false, stream: 1, source };
  const kept = (): readonly boolean[] => [...table.after(0), ...other.after(0)].map((each) => each.source === source);
  table.add({ ...row, position: 1 });
  other.add({ ...row, position: 1 });
  table.add({ ...row, position: 2 });
  assert.equal(kept(), [true, false, true]);
  table.close(1, 0);
  table.close(1, 0);
  // The table is written again on its way to 200 rows.
  for (let position = 3; position <= 200; position += 1) table.add({ ...row, position });
  assert.equal(kept().filter(Boolean).length, 2);
  assert.is(table.find(3, 0)?.source, source);
});

const source: EventSource = {
  event: { position: 1, id: 'i', type: 'E', version: 1, streamType: 'A', streamId: 's', seq: 1, data: '{}' },
  at: '0',
  depth: 0,
};

test.run();
