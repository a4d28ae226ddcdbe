import * as assert from 'uvu/assert';
import { fail } from '../../language/failure/failure.ts';
import type { EntryBody, LogEntry } from '../../runtime/store/entry.ts';
import { accounts, balances, collect, command, count, deposit, eventCount, query } from './accounts.ts';
import { type Check, type CheckReopened, at, texts, rejects, codeOf } from './checked-store.ts';

/** Entries, turns and what a turn may rely on. */
export function entriesContract(check: Check, checkReopened: CheckReopened): void {
  check('an empty store is at position zero and takes writes', async (store) => {
    assert.equal(store.turns.position(), { entry: 0, event: 0, at: 0n });
    assert.is(store.turns.refusesWrites(), undefined);
    assert.is(store.secret.length, 32);
    assert.equal(await collect(store.log.read(1)), []);
    assert.equal([...(await store.log.eventKinds())], []);
    await store.tables.adopt(accounts);
    assert.is(await count(store), 0n);
  });

  check('entries are numbered without gaps and read back unchanged', async (store) => {
    await store.tables.adopt(accounts);
    const bodies: readonly EntryBody[] = [
      {
        kind: 'schema',
        origin: 'create',
        changes: [
          { change: 'put', block: 'event', name: 'E', text: "it's\n\ttext", template: 'T', instance: 'I' },
          { change: 'put', block: 'template', name: 'T', text: '', instances: [{ name: 'I', parameters: '{}' }] },
          { change: 'drop', block: 'command', name: 'C' },
        ],
      },
      {
        kind: 'command',
        command: 'Refused',
        streamType: 'Account',
        streamId: 'A-1',
        events: [],
        commandId: 'c-1',
        fingerprint: 'f',
        rejection: '{"decision":"D"}',
        correlationId: 'k',
        causationId: 'ü',
      },
      { kind: 'inspection', name: 'T', inspected: 'Decision', block: 'D', input: 'I', fullSql: 'INSPECT …;' },
      {
        kind: 'command',
        command: 'Transfer',
        streamType: 'Account',
        streamId: 'A-1',
        correlationId: 'k-2',
        events: [
          event(1, 'Account', 'A-1', 1, '{"amount":"1.50","note":"a \\"quoted\\" 😀"}'),
          event(2, 'Account', 'A-2', 1, '{}'),
          event(3, 'Bank', 'B-1', 1, '{"n":1.0}'),
        ],
      },
    ];
    const appended = await store.turns.exclusively((turn) =>
      bodies.map((body, index) => turn.append(body, at + BigInt(index))),
    );
    const expected = bodies.map((body, index): LogEntry => ({
      ...body,
      number: index + 1,
      at: String(at + BigInt(index)),
    }));
    assert.equal(appended, expected);
    assert.equal(await collect(store.log.read(1)), expected);
    assert.equal(await collect(store.log.read(3)), expected.slice(2));
    assert.equal(await collect(store.log.read(5)), []);
    assert.equal(store.turns.position(), { entry: 4, event: 3, at: at + 3n });
    assert.equal(store.log.schema(), expected.slice(0, 1));
    assert.equal(
      [...(await store.log.eventKinds())],
      [
        { aggregate: 'Account', event: 'Deposited', version: 1, count: 2 },
        { aggregate: 'Bank', event: 'Deposited', version: 1, count: 1 },
      ],
    );
    const inspections = query('SELECT name, kind, input_table, output_table, full_sql FROM "m$inspections"', texts(5));
    assert.equal(await store.tables.query(inspections, []), [['T', 'Decision', 'I', 'T', 'INSPECT …;']]);
  });

  check('a second inspection into the same table replaces the first', async (store) => {
    const inspection = { kind: 'inspection', inspected: 'Projection', block: 'P', input: 'I' } as const;
    await store.tables.adopt(accounts);
    await store.turns.exclusively((turn) => {
      turn.append({ ...inspection, name: 'T', fullSql: 'one' }, at);
      turn.append({ ...inspection, name: 'T', fullSql: 'two' }, at);
    });
    assert.equal(await store.tables.query(query('SELECT full_sql FROM "m$inspections"', texts(1)), []), [['two']]);
  });

  check('times of entries never decrease', async (store) => {
    const entry = { kind: 'schema', origin: 'create', changes: [] } as const;
    const times = await store.turns.exclusively((turn) => [5n, 9n, 3n].map((when) => turn.append(entry, when).at));
    assert.equal(times, ['5', '9', '9']);
    assert.is(await store.turns.exclusively((turn) => turn.append(entry, 1n).at), '9');
    assert.is(store.turns.position().at, 9n);
  });

  check('an event whose seq or position is not the next one is refused', async (store) => {
    const wrong = [event(2, 'Account', 'A-1', 1, '{}'), event(1, 'Account', 'A-1', 2, '{}')];
    for (const one of wrong) {
      const entry = { kind: 'command', command: 'C', streamType: 'Account', streamId: 'A-1', events: [one] } as const;
      await rejects(
        store.turns.exclusively((turn) => turn.append(entry, at)),
        /cannot follow/,
      );
    }
    assert.equal(store.turns.position(), { entry: 0, event: 0, at: 0n });
  });

  check(
    'a follower of the store gets each entry once, in order, and never an entry that a turn took back',
    async (store) => {
      await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
      const stop = new AbortController();
      const seen: LogEntry[] = [];
      const following = (async () => {
        for await (const entries of store.log.follow(1, stop.signal)) {
          seen.push(...entries);
          if (seen.length === 4) stop.abort();
        }
      })();
      await store.turns.exclusively((turn) => deposit(turn, { to: 'A-2' }));
      await rejects(
        store.turns.exclusively(async (turn) => {
          await deposit(turn, { to: 'A-3' });
          throw new Error('no');
        }),
        /^no$/,
      );
      await Promise.all(['A-4', 'A-5'].map((to) => store.turns.exclusively((turn) => deposit(turn, { to }))));
      await following;
      assert.equal(seen, await collect(store.log.read(1)));
      assert.equal(await store.turns.fresh(), { entry: 4, event: 4, at });
      assert.equal(store.turns.position(), await store.turns.fresh());
    },
  );

  check('heads and positions advance within a turn and stay after it', async (store) => {
    await store.tables.adopt(accounts);
    await store.turns.exclusively(async (turn) => {
      assert.is(await turn.head('Account', 'A-1'), 0);
      await deposit(turn, { to: 'A-1' });
      await deposit(turn, { to: 'A-1' });
      assert.is(await turn.head('Account', 'A-1'), 2);
      assert.is(await turn.head('Other', 'A-1'), 0);
      assert.is(turn.nextPosition(), 3);
    });
    assert.is(await store.turns.exclusively((turn) => turn.head('Account', 'A-1')), 2);
    assert.is(await store.turns.exclusively((turn) => turn.nextPosition()), 3);
  });

  check('a turn reads its own appended entries, other readers only durable ones', async (store) => {
    await store.tables.adopt(accounts);
    await store.turns.exclusively(async (turn) => {
      assert.equal(await turn.query(eventCount, []), [[0n]]);
      await deposit(turn, { to: 'A-1' });
      assert.equal(await turn.query(eventCount, []), [[1n]]);
      await deposit(turn, { to: 'A-1', amount: '2.50' });
      assert.equal(await turn.query(balances, []), [['A-1', 250n]]);
      assert.is(await count(store), 0n);
      assert.equal(await turn.query(eventCount, []), [[2n]]);
    });
    assert.is(await count(store), 2n);
  });

  check('a turn that throws leaves no entry, and the entries of the turn before stay', async (store) => {
    await store.tables.adopt(accounts);
    const kept = store.turns.exclusively((turn) => deposit(turn, { to: 'A-1', commandId: 'kept' }));
    const thrown = store.turns.exclusively(async (turn) => {
      await deposit(turn, { to: 'A-1', commandId: 'lost' });
      await turn.query(eventCount, []);
      turn.append({ kind: 'schema', origin: 'create', changes: [] }, at + 100n);
      throw new Error('no');
    });
    const next = store.turns.exclusively(async (turn) => [
      await turn.head('Account', 'A-1'),
      turn.nextPosition(),
      (await turn.recorded('Account', 'A-1', 'lost')) ?? 'nothing',
      await turn.query(eventCount, []),
    ]);
    await rejects(thrown, /^no$/);
    await kept;
    assert.equal(await next, [1, 2, 'nothing', [[1n]]]);
    assert.equal(store.turns.position(), { entry: 1, event: 1, at });
    assert.is(await count(store), 1n);
    assert.equal(store.log.schema(), []);
  });

  check('an entry that cannot be written has no effect, and the turn continues without it', async (store) => {
    await store.tables.adopt(accounts);
    const told = await store.turns.exclusively(async (turn) => {
      await deposit(turn, { to: 'A-1' });
      const good = await command(turn, 'Deposit', 'A-2', [['Deposited', { amount: '1.00', balance: '1.00' }]]);
      const [event] = good.events;
      const bad = { ...good, events: event === undefined ? [] : [{ ...event, data: '{\n}' }] };
      assert.throws(() => turn.append(bad, 1n), 'line end');
      await deposit(turn, { to: 'A-2' });
      return [turn.nextPosition(), await turn.head('Account', 'A-2')];
    });
    assert.equal([...told, await count(store)], [3, 1, 2n]);
  });

  check('a turn cannot be used after its end', async (store) => {
    const turn = await store.turns.exclusively((given) => given);
    await rejects(
      Promise.resolve().then(() => turn.nextPosition()),
      /after its end/,
    );
    await rejects(
      Promise.resolve().then(() => turn.append({ kind: 'schema', origin: 'create', changes: [] }, at)),
      /after its end/,
    );
  });

  check('turns run one after the other, in the order of their requests', async (store) => {
    await store.tables.adopt(accounts);
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.turns.exclusively(async (turn) => {
          const head = await turn.head('Account', 'A-1');
          await new Promise((resolve) => setTimeout(resolve, index % 3));
          assert.is(await turn.head('Account', 'A-1'), head);
          await deposit(turn, { to: 'A-1' });
          order.push(index);
        }),
      ),
    );
    assert.equal(order, [...Array(20).keys()]);
    assert.is(await count(store), 20n);
  });

  check('a query sees everything acknowledged before it started', async (store) => {
    await store.tables.adopt(accounts);
    let acknowledged = 0n;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 10; round += 1) {
          await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
          acknowledged += 1n;
          const known = acknowledged;
          assert.ok((await count(store)) >= known);
        }
      }),
    );
    assert.is(await count(store), 80n);
  });

  check('a command id is found on its own stream only, with its first record', async (store) => {
    await store.tables.adopt(accounts);
    const found = await store.turns.exclusively(async (turn) => {
      const first = await deposit(turn, { to: 'A-1', commandId: 'c' });
      await deposit(turn, { to: 'A-1', commandId: 'c' });
      assert.equal(await turn.recorded('Account', 'A-1', 'c'), first);
      return first;
    });
    const seen = await store.turns.exclusively(async (turn) => [
      await turn.recorded('Account', 'A-1', 'c'),
      (await turn.recorded('Account', 'A-2', 'c')) ?? 'nothing',
      (await turn.recorded('Other', 'A-1', 'c')) ?? 'nothing',
      (await turn.recorded('Account', 'A-1', 'C')) ?? 'nothing',
    ]);
    assert.equal(seen, [found, 'nothing', 'nothing', 'nothing']);
  });

  check('a failing turn rejects with its own failure', async (store) => {
    assert.is(
      await codeOf(store.turns.exclusively(() => Promise.reject(fail('R0201', { where: 'x' })))),
      'R0201 division by zero in x',
    );
  });

  checkReopened(
    'everything acknowledged is there after a restart, including heads, command ids and schema',
    async (store) => {
      await store.tables.adopt(accounts);
      await store.turns.exclusively((turn) => turn.append({ kind: 'schema', origin: 'files', changes: [] }, at));
      for (let index = 0; index < 30; index += 1) {
        await store.turns.exclusively((turn) => deposit(turn, { to: `A-${index % 3}`, commandId: `c-${index}` }));
      }
      const refused = {
        kind: 'command',
        command: 'R',
        streamType: 'Account',
        streamId: 'A-9',
        events: [],
        commandId: 'no',
        rejection: '{}',
      } as const;
      await store.turns.exclusively((turn) => turn.append(refused, at));
    },
    async (store) => {
      assert.equal(store.turns.position(), { entry: 32, event: 30, at });
      assert.is(store.log.schema().length, 1);
      assert.is((await collect(store.log.read(1))).length, 32);
      assert.equal(
        [...(await store.log.eventKinds())],
        [{ aggregate: 'Account', event: 'Deposited', version: 1, count: 30 }],
      );
      await store.tables.adopt(accounts);
      assert.is(await count(store), 30n);
      const found = await store.turns.exclusively(async (turn) => [
        await turn.head('Account', 'A-1'),
        (await turn.recorded('Account', 'A-1', 'c-4'))?.events[0]?.seq,
        (await turn.recorded('Account', 'A-9', 'no'))?.rejection,
        (await turn.recorded('Account', 'A-1', 'c-5')) ?? 'nothing',
      ]);
      assert.equal(found, [10, 2, '{}', 'nothing']);
    },
  );
}

function event(position: number, streamType: string, streamId: string, seq: number, data: string) {
  return { position, id: `id-${position}`, type: 'Deposited', version: 1, streamType, streamId, seq, data };
}
