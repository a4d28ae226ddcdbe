/**
 * The contract of every store (`runtime/store/store.ts`) as one suite. A store that keeps its data when it is closed
 * has `reopen`.
 */
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fail, Failure } from '../../language/failure/failure.ts';
import type { EntryBody, LogEntry } from '../../runtime/store/entry.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { saveTable } from '../../runtime/store/save-table.ts';
import { Overtaken, type Row, type Store, type TableHead } from '../../runtime/store/store.ts';
import { exportStore } from '../../runtime/store/transfer/export-store.ts';
import { importStore } from '../../runtime/store/transfer/import-store.ts';
import {
  account,
  accounts,
  aggregate,
  balances,
  bigint,
  collect,
  column,
  command,
  count,
  deposit,
  eventCount,
  field,
  int,
  money,
  none,
  query,
  text,
} from './accounts.ts';

export interface StoreUnderTest {
  /** A new empty store, and a function that opens it again after `close` if it keeps its data. */
  readonly create: () => Promise<{ readonly store: Store; readonly reopen?: () => Promise<Store> }>;
  /** Whether a query past its time limit is interrupted. */
  readonly stopsQueries: boolean;
}

const at = 1_700_000_000_000_000n;

/** A store with any content: exported, imported elsewhere and exported again it gives the same bytes. */
async function checkTransfer(store: Store): Promise<void> {
  if (store.knownPosition().entry > 5000) return;
  const exported = await collect(exportStore(store));
  const copy = await importStore(Readable.from(exported), (secret) => openMemoryStore({ secret }));
  assert.equal(await collect(exportStore(copy)), exported);
  await copy.close();
}

export function storeContract(name: string, { create, stopsQueries }: StoreUnderTest): void {
  const test = suite(name);
  const check = (title: string, work: (store: Store) => Promise<void>): void => {
    test(title, async () => {
      const { store } = await create();
      try {
        await work(store);
        await checkTransfer(store);
      } finally {
        await store.close();
      }
    });
  };
  const checkReopened = (
    title: string,
    before: (store: Store) => Promise<void>,
    after: (store: Store) => Promise<void>,
  ): void => {
    test(title, async () => {
      const { store, reopen } = await create();
      try {
        await before(store);
      } finally {
        await store.close();
      }
      if (reopen === undefined) return;
      const again = await reopen();
      try {
        await after(again);
      } finally {
        await again.close();
      }
    });
  };

  check('an empty store is at position zero and takes writes', async (store) => {
    assert.equal(store.knownPosition(), { entry: 0, event: 0, at: 0n });
    assert.is(store.refusesWrites(), undefined);
    assert.is(store.secret.length, 32);
    assert.equal(await collect(store.read(1)), []);
    assert.equal([...(await store.eventKinds())], []);
    await store.adopt(accounts);
    assert.is(await count(store), 0n);
  });

  check('entries are numbered without gaps and read back unchanged', async (store) => {
    await store.adopt(accounts);
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
    const appended = await store.exclusively((turn) =>
      bodies.map((body, index) => turn.append(body, at + BigInt(index))),
    );
    const expected = bodies.map((body, index): LogEntry => ({
      ...body,
      number: index + 1,
      at: String(at + BigInt(index)),
    }));
    assert.equal(appended, expected);
    assert.equal(await collect(store.read(1)), expected);
    assert.equal(await collect(store.read(3)), expected.slice(2));
    assert.equal(await collect(store.read(5)), []);
    assert.equal(store.knownPosition(), { entry: 4, event: 3, at: at + 3n });
    assert.equal(store.schema(), expected.slice(0, 1));
    assert.equal(
      [...(await store.eventKinds())],
      [
        { aggregate: 'Account', event: 'Deposited', version: 1, count: 2 },
        { aggregate: 'Bank', event: 'Deposited', version: 1, count: 1 },
      ],
    );
    const inspections = query('SELECT name, kind, input_table, output_table, full_sql FROM "m$inspections"', texts(5));
    assert.equal(await store.query(inspections, []), [['T', 'Decision', 'I', 'T', 'INSPECT …;']]);
  });

  check('a second inspection into the same table replaces the first', async (store) => {
    const inspection = { kind: 'inspection', inspected: 'Projection', block: 'P', input: 'I' } as const;
    await store.adopt(accounts);
    await store.exclusively((turn) => {
      turn.append({ ...inspection, name: 'T', fullSql: 'one' }, at);
      turn.append({ ...inspection, name: 'T', fullSql: 'two' }, at);
    });
    assert.equal(await store.query(query('SELECT full_sql FROM "m$inspections"', texts(1)), []), [['two']]);
  });

  check('times of entries never decrease', async (store) => {
    const entry = { kind: 'schema', origin: 'create', changes: [] } as const;
    const times = await store.exclusively((turn) => [5n, 9n, 3n].map((when) => turn.append(entry, when).at));
    assert.equal(times, ['5', '9', '9']);
    assert.is(await store.exclusively((turn) => turn.append(entry, 1n).at), '9');
    assert.is(store.knownPosition().at, 9n);
  });

  check('an event whose seq or position is not the next one is refused', async (store) => {
    const wrong = [event(2, 'Account', 'A-1', 1, '{}'), event(1, 'Account', 'A-1', 2, '{}')];
    for (const one of wrong) {
      const entry = { kind: 'command', command: 'C', streamType: 'Account', streamId: 'A-1', events: [one] } as const;
      await rejects(
        store.exclusively((turn) => turn.append(entry, at)),
        /cannot follow/,
      );
    }
    assert.equal(store.knownPosition(), { entry: 0, event: 0, at: 0n });
  });

  check(
    'a follower of the store gets each entry once, in order, and never an entry that a turn took back',
    async (store) => {
      await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
      const stop = new AbortController();
      const seen: LogEntry[] = [];
      const following = (async () => {
        for await (const entries of store.follow(1, stop.signal)) {
          seen.push(...entries);
          if (seen.length === 4) stop.abort();
        }
      })();
      await store.exclusively((turn) => deposit(turn, { to: 'A-2' }));
      await rejects(
        store.exclusively(async (turn) => {
          await deposit(turn, { to: 'A-3' });
          throw new Error('no');
        }),
        /^no$/,
      );
      await Promise.all(['A-4', 'A-5'].map((to) => store.exclusively((turn) => deposit(turn, { to }))));
      await following;
      assert.equal(seen, await collect(store.read(1)));
      assert.equal(await store.freshPosition(), { entry: 4, event: 4, at });
      assert.equal(store.knownPosition(), await store.freshPosition());
    },
  );

  check('heads and positions advance within a turn and stay after it', async (store) => {
    await store.adopt(accounts);
    await store.exclusively(async (turn) => {
      assert.is(await turn.head('Account', 'A-1'), 0);
      await deposit(turn, { to: 'A-1' });
      await deposit(turn, { to: 'A-1' });
      assert.is(await turn.head('Account', 'A-1'), 2);
      assert.is(await turn.head('Other', 'A-1'), 0);
      assert.is(turn.nextPosition(), 3);
    });
    assert.is(await store.exclusively((turn) => turn.head('Account', 'A-1')), 2);
    assert.is(await store.exclusively((turn) => turn.nextPosition()), 3);
  });

  check('a turn reads its own appended entries, other readers only durable ones', async (store) => {
    await store.adopt(accounts);
    await store.exclusively(async (turn) => {
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
    await store.adopt(accounts);
    const kept = store.exclusively((turn) => deposit(turn, { to: 'A-1', commandId: 'kept' }));
    const thrown = store.exclusively(async (turn) => {
      await deposit(turn, { to: 'A-1', commandId: 'lost' });
      await turn.query(eventCount, []);
      turn.append({ kind: 'schema', origin: 'create', changes: [] }, at + 100n);
      throw new Error('no');
    });
    const next = store.exclusively(async (turn) => [
      await turn.head('Account', 'A-1'),
      turn.nextPosition(),
      (await turn.recorded('Account', 'A-1', 'lost')) ?? 'nothing',
      await turn.query(eventCount, []),
    ]);
    await rejects(thrown, /^no$/);
    await kept;
    assert.equal(await next, [1, 2, 'nothing', [[1n]]]);
    assert.equal(store.knownPosition(), { entry: 1, event: 1, at });
    assert.is(await count(store), 1n);
    assert.equal(store.schema(), []);
  });

  check('an entry that cannot be written has no effect, and the turn continues without it', async (store) => {
    await store.adopt(accounts);
    const told = await store.exclusively(async (turn) => {
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
    const turn = await store.exclusively((given) => given);
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
    await store.adopt(accounts);
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.exclusively(async (turn) => {
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
    await store.adopt(accounts);
    let acknowledged = 0n;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 10; round += 1) {
          await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
          acknowledged += 1n;
          const known = acknowledged;
          assert.ok((await count(store)) >= known);
        }
      }),
    );
    assert.is(await count(store), 80n);
  });

  check('a command id is found on its own stream only, with its first record', async (store) => {
    await store.adopt(accounts);
    const found = await store.exclusively(async (turn) => {
      const first = await deposit(turn, { to: 'A-1', commandId: 'c' });
      await deposit(turn, { to: 'A-1', commandId: 'c' });
      assert.equal(await turn.recorded('Account', 'A-1', 'c'), first);
      return first;
    });
    const seen = await store.exclusively(async (turn) => [
      await turn.recorded('Account', 'A-1', 'c'),
      (await turn.recorded('Account', 'A-2', 'c')) ?? 'nothing',
      (await turn.recorded('Other', 'A-1', 'c')) ?? 'nothing',
      (await turn.recorded('Account', 'A-1', 'C')) ?? 'nothing',
    ]);
    assert.equal(seen, [found, 'nothing', 'nothing', 'nothing']);
  });

  check('payloads become columns of their types, and are read exactly', async (store) => {
    const types = aggregate('T', {
      E: [
        field('big', bigint),
        field('money', money),
        field('real', { kind: 'DOUBLE' }),
        field('flag', { kind: 'BOOLEAN' }),
        field('when', { kind: 'TIMESTAMP' }),
        field('day', { kind: 'DATE' }),
        field('json', { kind: 'JSON' }),
        field('list', { kind: 'LIST', of: bigint }),
        field('constructor', text),
      ],
    });
    await store.adopt({ ...none, aggregates: [types] });
    const payload = {
      big: '-9223372036854775808',
      money: '9999999999.99',
      real: 0.1,
      flag: true,
      when: '2026-01-01T08:00:00.000001Z',
      day: '1969-12-31',
      json: '{"a":1.10}',
      list: ['9007199254740993'],
      constructor: 'x',
    };
    await store.exclusively(async (turn) =>
      turn.append(
        await command(
          turn,
          'C',
          'T-1',
          [
            ['E', payload],
            ['E', {}],
          ],
          undefined,
          'T',
        ),
        at,
      ),
    );
    const columns = types.payload.map((one) => column(one.name, one.type));
    const all = query(`SELECT ${columns.map((one) => `"d$${one.name}"`).join(', ')} FROM "e$T" ORDER BY seq`, columns);
    const day = 86_400_000_000n;
    assert.equal(await store.query(all, []), [
      [
        -9223372036854775808n,
        999999999999n,
        0.1,
        true,
        20454n * day + 8n * 3_600_000_000n + 1n,
        -1,
        '{"a":1.10}',
        [9007199254740993n],
        'x',
      ],
      [null, null, null, null, null, null, null, null, null],
    ]);
  });

  check('metadata of events is in columns beside their payload', async (store) => {
    await store.adopt(accounts);
    await store.exclusively(async (turn) => {
      const body = await command(turn, 'Open', 'A-1', [['Opened', { owner: 'Zoë' }]], 'c-1');
      turn.append({ ...body, correlationId: 'k', causationId: 'z' }, at);
      await deposit(turn, { to: 'A-1' });
    });
    const names = ['event_id', 'stream_id', 'event_type', 'command_id', 'correlation_id', 'causation_id'];
    const columns = [
      ...names.map((one) => column(one, text)),
      column('global_position', bigint),
      column('seq', bigint),
      column('occurred_at', { kind: 'TIMESTAMP' }),
      column('event_version', int),
      column('tags', { kind: 'LIST', of: text }),
    ];
    const all = query(`SELECT ${columns.map((one) => one.name).join(', ')} FROM "e$Account" ORDER BY 7`, columns);
    assert.equal(await store.query(all, []), [
      ['id-1', 'A-1', 'Opened', 'c-1', 'k', 'z', 1n, 1n, at, 1, ['owner:zoë']],
      ['id-2', 'A-1', 'Deposited', null, null, null, 2n, 2n, at, 1, []],
    ]);
    const tagged = query(
      'SELECT global_position FROM "t$Account" WHERE tag = ?1',
      [column('p', bigint)],
      [{ name: 'tag', type: text }],
    );
    assert.equal(await store.query(tagged, ['owner:zoë']), [[1n]]);
    assert.equal(await store.query(tagged, ['owner:Zoë']), []);
  });

  check('parameters are bound by type, and the current time is the given instant', async (store) => {
    const columns = [column('big', bigint), column('text', text), column('now', { kind: 'TIMESTAMP' })];
    const echo = query('SELECT CAST(?1 AS INTEGER), ?2, CAST(schemac_now() AS INTEGER)', columns, [
      { name: 'big', type: bigint },
      { name: 'text', type: text },
    ]);
    const hostile = `'"; DROP TABLE "e$Account"; --`;
    const rows = await store.query(echo, [9223372036854775807n, hostile], { instant: 1_800_000_000_000_001n });
    assert.equal(rows, [[9223372036854775807n, hostile, 1_800_000_000_000_001n]]);
  });

  check('a query cannot write', async (store) => {
    await store.adopt(accounts);
    await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
    for (const sql of [
      'DELETE FROM "e$Account"',
      'DROP TABLE "e$Account"',
      'CREATE TABLE x (a)',
      'INSERT INTO "m$aggregates" VALUES (1)',
    ]) {
      await rejects(store.query(query(sql, []), []), /SQLite/);
    }
    assert.is(await count(store), 1n);
    await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
    assert.is(await count(store), 2n);
  });

  check('a query past its limit of rows or bytes fails and names the limit', async (store) => {
    const many = query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i FROM n', [
      column('i', bigint),
    ]);
    assert.is((await store.query(many, [], { rows: 5000 })).length, 5000);
    assert.is(await codeOf(store.query(many, [], { rows: 4999 })), 'R0301 the query exceeded its rows budget of 4999');
    assert.is(
      await codeOf(store.query(many, [], { bytes: 1000 })),
      'R0301 the query exceeded its bytes budget of 1000',
    );
  });

  check('a failure inside SQL keeps its code', async (store) => {
    const broken = query("SELECT schemac_text_to_int('x', 'here')", [column('i', int)]);
    assert.ok((await codeOf(store.query(broken, []))).startsWith('R0'));
    const overflow = query('SELECT SUM(i) FROM (SELECT 9223372036854775807 AS i UNION ALL SELECT 1)', [
      column('i', bigint),
    ]);
    assert.is(await codeOf(store.query(overflow, [])), 'R0202 a value does not fit BIGINT');
  });

  if (stopsQueries) {
    check('an endless query is stopped while commands continue, and the next query is answered', async (store) => {
      await store.adopt(accounts);
      await store.putTable('s$1', [column('a', int)], [[7]]);
      await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
      const forever = query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n', [
        column('n', bigint),
      ]);
      let running = true;
      const stopped = codeOf(store.query(forever, [], { milliseconds: 400 })).finally(() => (running = false));
      const waiting = count(store);
      await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
      assert.ok(running, 'the command waited for the query');
      assert.is(await stopped, 'R0301 the query exceeded its time budget of 400 ms');
      assert.ok((await waiting) >= 1n);
      assert.is(await count(store), 2n);
      assert.equal(await store.query(query('SELECT a FROM "s$1"', [column('a', int)]), []), [[7]]);
      assert.is(await store.exclusively(async (turn) => (await turn.query(eventCount, []))[0]?.[0]), 2n);
    });
  }

  if (stopsQueries) {
    check(
      'a query on a copy sees everything acknowledged, and neither turns nor other queries wait for it',
      async (store) => {
        await store.adopt(accounts);
        await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
        const apart = { answeredBy: 'copy', compiledFor: accounts } as const;
        assert.equal(await store.query(eventCount, [], apart), [[1n]]);
        await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
        assert.equal(await store.query(eventCount, [], apart), [[2n]]);
        const forever = query(
          'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n',
          [column('n', bigint)],
        );
        const order: string[] = [];
        const note = (what: string) => () => void order.push(what);
        const stopped = codeOf(store.query(forever, [], { milliseconds: 2_000, ...apart })).then(note('stopped'));
        await store.exclusively((turn) => turn.query(eventCount, [])).then(note('turn'));
        await count(store).then(note('query'));
        await stopped;
        assert.equal(order, ['turn', 'query', 'stopped']);
        await store.adopt({ ...accounts });
        assert.instance(await store.query(eventCount, [], apart).catch((error: unknown) => error), Overtaken);
      },
    );
  }

  check('a query on an earlier registry reads its tables as they were when it was last in force', async (store) => {
    await store.adopt(accounts);
    await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
    const past = { compiledFor: accounts, answeredBy: 'past' } as const;
    const amounts = query('SELECT "d$amount" FROM "e$Account" ORDER BY global_position', [column('amount', money)]);
    const withoutAmount = aggregate('Account', { Deposited: [field('balance', money)] });
    for (const next of [{ ...none, aggregates: [withoutAmount] }, none]) {
      await store.adopt(next);
      // Its registry cannot read this payload.
      await store.exclusively(async (turn) =>
        turn.append(await command(turn, 'C', 'A-1', [['Deposited', { amount: { more: 'than' } }]]), at),
      );
      assert.equal(await store.query(amounts, [], past), [[100n]]);
      assert.equal(await store.query(balances, [], past), [['A-1', 100n]]);
      const { rows, columns } = await store.columns(amounts, [], { ...past, rows: 10 });
      assert.equal([rows, columns.map(({ buffers }) => Buffer.concat(buffers).readBigInt64LE())], [1, [100n]]);
    }
  });

  checkReopened(
    'a query on an earlier registry ends when the store is closed',
    async (store) => {
      await store.adopt(accounts);
      await store.adopt(none);
      const forever = query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n', [
        column('n', bigint),
      ]);
      const past = { compiledFor: accounts, answeredBy: 'past' } as const;
      const open = store.query(forever, [], past).catch((error: unknown) => error);
      await store.close();
      assert.instance(await open, Error);
    },
    () => Promise.resolve(),
  );

  check('session tables are created, replaced and dropped, and are never in the log', async (store) => {
    const columns = [column('a', money), column('b', text)];
    const all = query('SELECT a, b FROM "s$x_1" ORDER BY a', columns);
    await store.putTable('s$x_1', columns, [
      [150n, 'x'],
      [null, null],
    ]);
    assert.equal(await store.query(all, []), [
      [null, null],
      [150n, 'x'],
    ]);
    await store.putTable('s$x_1', columns, [[1n, 'y']]);
    assert.equal(await store.query(all, []), [[1n, 'y']]);
    await store.exclusively((turn) => turn.query(all, []));
    await store.dropTable('s$x_1');
    await rejects(store.query(all, []), /no such table/);
    await rejects(store.putTable('e$Account', columns, []), /no name of a session/);
    assert.equal(store.knownPosition(), { entry: 0, event: 0, at: 0n });
  });

  check('a session table is filled from pages or from a query, also with derived columns', async (store) => {
    await store.adopt(accounts);
    await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
    const word = { ...column('word', text), derived: { from: 'n', texts: ["it's\0", null] } };
    const pages = async function* (): AsyncGenerator<readonly Row[]> {
      yield await Promise.resolve([[1n], [2n]]);
      yield [[3n]];
    };
    await store.putTable('s$x_1', [column('n', bigint), word], pages);
    const words = query('SELECT n, word FROM "s$x_1" ORDER BY n', [column('n', bigint), column('word', text)]);
    const filled = [
      [1n, "it's\0"],
      [2n, null],
      [3n, null],
    ];
    assert.equal(await store.query(words, []), filled);
    await store.putQuery('s$x_2', words, []);
    const copied = query('SELECT n, word FROM "s$x_2" ORDER BY rowid', words.columns);
    assert.equal(await store.query(copied, []), filled);
    await store.exclusively((turn) => deposit(turn, { to: 'A-1' }));
    await store.putQuery('s$x_2', eventCount, []);
    assert.equal(await store.query(query('SELECT "count" FROM "s$x_2"', eventCount.columns), []), [[2n]]);
  });

  check('a failing turn rejects with its own failure', async (store) => {
    assert.is(
      await codeOf(store.exclusively(() => Promise.reject(fail('R0201', { where: 'x' })))),
      'R0201 division by zero in x',
    );
  });

  adoptionContract(check);
  checkReopened(
    'everything acknowledged is there after a restart, including heads, command ids and schema',
    async (store) => {
      await store.adopt(accounts);
      await store.exclusively((turn) => turn.append({ kind: 'schema', origin: 'files', changes: [] }, at));
      for (let index = 0; index < 30; index += 1) {
        await store.exclusively((turn) => deposit(turn, { to: `A-${index % 3}`, commandId: `c-${index}` }));
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
      await store.exclusively((turn) => turn.append(refused, at));
    },
    async (store) => {
      assert.equal(store.knownPosition(), { entry: 32, event: 30, at });
      assert.is(store.schema().length, 1);
      assert.is((await collect(store.read(1))).length, 32);
      assert.equal(
        [...(await store.eventKinds())],
        [{ aggregate: 'Account', event: 'Deposited', version: 1, count: 30 }],
      );
      await store.adopt(accounts);
      assert.is(await count(store), 30n);
      const found = await store.exclusively(async (turn) => [
        await turn.head('Account', 'A-1'),
        (await turn.recorded('Account', 'A-1', 'c-4'))?.events[0]?.seq,
        (await turn.recorded('Account', 'A-9', 'no'))?.rejection,
        (await turn.recorded('Account', 'A-1', 'c-5')) ?? 'nothing',
      ]);
      assert.equal(found, [10, 2, '{}', 'nothing']);
    },
  );

  checkReopened(
    'tables of inspections are kept by name, and a name that was never kept is missing',
    async (store) => {
      const columns = [column('a', money), column('data', { kind: 'STRUCT', fields: [{ name: 'x', type: bigint }] })];
      const guard = { ...column('guard', text), derived: { from: 'a', texts: ["it's", null] } };
      const rows = [
        [150n, new Map([['x', 9007199254740993n]])],
        [null, null],
      ];
      const head = { columns: [...columns, guard], about: 'more' };
      await saveTable(store.inspectionTables, 'Target', { columns }, [[]]);
      await saveTable(store.inspectionTables, 'Target', head, [rows.slice(0, 1), rows.slice(1)]);
      // A failing table, and a discarded one, leave the previous one unchanged.
      const failing = function* (): Generator<typeof rows> {
        yield rows;
        throw new Error('no more rows');
      };
      await rejects(saveTable(store.inspectionTables, 'Target', head, failing()), /no more rows/);
      await (await store.inspectionTables.write('Target', head)).discard();
      await saveTable(store.inspectionTables, 'gone', { columns }, [rows]);
      await store.inspectionTables.remove('gone');
      assert.equal(await keptRows(store, 'target'), { ...head, rows });
    },
    async (store) => {
      assert.equal([...(await store.inspectionTables.names())], ['target']);
      assert.is(await store.inspectionTables.open('gone'), 'missing');
      assert.equal((await keptRows(store, 'Target'))?.rows, [
        [150n, new Map([['x', 9007199254740993n]])],
        [null, null],
      ]);
      assert.equal((await keptRows(store, 'Target', 1))?.rows, [[null, null]]);
    },
  );

  test('calls of a closed store fail, calls made before it closed do not', async () => {
    const { store } = await create();
    await store.adopt(accounts);
    const asked = Array.from({ length: 5 }, () => store.exclusively((turn) => deposit(turn, { to: 'A-1' })));
    await store.close();
    assert.equal(
      (await Promise.all(asked)).map((entry) => entry.number),
      [1, 2, 3, 4, 5],
    );
    assert.ok((await codeOf(store.exclusively(() => 1))).startsWith('R0402'));
    assert.is.not(store.refusesWrites(), undefined);
    await store.close();
  });

  test.run();
}

/** Adopting the next registry gives the tables of a replay under it. */
function adoptionContract(check: (title: string, work: (store: Store) => Promise<void>) => void): void {
  const before = aggregate('Account', {
    Deposited: [field('amount', int)],
    Named: [field('name', text), field('note', text)],
  });
  const payloads = [
    ['Deposited', { amount: 5 }],
    ['Named', { name: 'A', note: 'b' }],
    ['Other', { name: 'C' }],
  ] as const;
  const prepare = async (store: Store): Promise<void> => {
    await store.adopt({ ...none, aggregates: [before] });
    await store.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at));
    assert.equal(
      await store.query(
        query('SELECT "d$amount", "d$name" FROM "e$Account" ORDER BY seq', [column('a', int), column('n', text)]),
        [],
      ),
      [
        [5, null],
        [null, 'A'],
        [null, null],
      ],
    );
  };
  const cases: readonly (readonly [
    title: string,
    table: ReturnType<typeof aggregate>,
    values: readonly (readonly unknown[])[],
  ])[] = [
    [
      'nothing',
      before,
      [
        [5, null, null],
        [null, 'A', 'b'],
        [null, null, null],
      ],
    ],
    [
      'a new field, which is NULL for older events',
      aggregate('Account', {
        Deposited: [field('amount', int), field('by', text)],
        Named: [field('name', text), field('note', text)],
      }),
      [
        [5, null, null, null],
        [null, null, 'A', 'b'],
        [null, null, null, null],
      ],
    ],
    [
      'a wider number',
      aggregate('Account', { Deposited: [field('amount', money)], Named: [field('name', text), field('note', text)] }),
      [
        [500n, null, null],
        [null, 'A', 'b'],
        [null, null, null],
      ],
    ],
    [
      'a field less',
      aggregate('Account', { Deposited: [field('amount', int)], Named: [field('name', text)] }),
      [
        [5, null],
        [null, 'A'],
        [null, null],
      ],
    ],
    [
      'an event less, whose rows stay without payload',
      aggregate('Account', { Deposited: [field('amount', int)] }),
      [[5], [null], [null]],
    ],
    [
      'an event that the log holds already',
      aggregate('Account', {
        Deposited: [field('amount', int)],
        Named: [field('name', text), field('note', text)],
        Other: [field('name', text)],
      }),
      [
        [5, null, null],
        [null, 'A', 'b'],
        [null, 'C', null],
      ],
    ],
    [
      'a field in other letters',
      aggregate('Account', { Deposited: [field('AMOUNT', int)], Named: [field('Name', text), field('note', text)] }),
      [
        [5, null, null],
        [null, 'A', 'b'],
        [null, null, null],
      ],
    ],
  ];
  for (const [title, table, values] of cases) {
    check(`a registry with ${title} is adopted with its history, and the next event follows`, async (store) => {
      await prepare(store);
      await store.adopt({ ...none, aggregates: [table] });
      const columns = table.payload.map((one) => column(one.name, one.type));
      const all = query(
        `SELECT ${columns.map((one) => `"d$${one.name}"`).join(', ')} FROM "e$Account" ORDER BY global_position`,
        columns,
      );
      assert.equal(await store.query(all, []), values);
      await store.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at));
      assert.equal(await store.query(all, []), [...values, ...values]);
    });
  }

  for (const asked of [false, true]) {
    const when = asked ? 'and was read' : 'and nobody read it';
    check(`an event appended ${when} while a change of its empty table is prepared is kept`, async (store) => {
      const count = query('SELECT COUNT(*) FROM "e$Account"', [column('n', int)]);
      await store.adopt({ ...none, aggregates: [before] });
      const wider = { ...before, payload: [...before.payload, { name: 'more', type: int }] };
      const swap = await store.prepare({ ...none, aggregates: [wider] });
      await store.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at));
      if (asked) assert.equal(await store.query(count, []), [[3]]);
      await swap();
      assert.equal(await store.query(count, []), [[3]]);
    });
  }

  check('a new field tag is there for older events', async (store) => {
    await prepare(store);
    const tagged = aggregate('Account', {
      Deposited: [field('amount', int, 'tag')],
      Named: [field('name', text, 'tag'), field('note', text)],
    });
    await store.adopt({ ...none, aggregates: [tagged] });
    const tags = query('SELECT tag, global_position FROM "t$Account" ORDER BY 1', [
      column('t', text),
      column('p', bigint),
    ]);
    assert.equal(await store.query(tags, []), [
      ['amount:5', 1n],
      ['name:a', 2n],
    ]);
  });

  check('a dropped aggregate comes back with its history', async (store) => {
    await prepare(store);
    await store.adopt(none);
    await rejects(store.query(eventCount, []), /no such table/);
    await store.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at));
    await store.adopt({ ...none, aggregates: [before] });
    assert.is(await count(store), 6n);
    assert.is(await store.exclusively((turn) => turn.head('Account', 'A-1')), 6);
  });

  check('a field dropped and added again reads the values in the log', async (store) => {
    await prepare(store);
    const less = aggregate('Account', { Deposited: [field('amount', int)], Named: [field('name', text)] });
    await store.adopt({ ...none, aggregates: [less] });
    await store.exclusively(async (turn) =>
      turn.append(await command(turn, 'C', 'A-2', [['Named', { name: 'B', note: 'c' }]]), at),
    );
    await store.adopt({ ...none, aggregates: [before] });
    const notes = query(
      'SELECT "d$note" FROM "e$Account" WHERE event_type = \'Named\' ORDER BY global_position',
      texts(1),
    );
    assert.equal(await store.query(notes, []), [['b'], ['c']]);
  });

  check('views and meta tables are those of the registry in force', async (store) => {
    const names = query('SELECT name FROM "m$aggregates"', texts(1));
    await store.adopt(accounts);
    assert.equal(await store.query(names, []), [['Account']]);
    await store.adopt({
      ...none,
      aggregates: [account],
      meta: [
        {
          ...accounts.meta[0],
          name: 'meta_aggregates',
          columns: [{ name: 'name', type: text }],
          rows: [['X'], [null]],
        },
      ],
    });
    assert.equal(await store.query(names, []), [['X'], [null]]);
    await rejects(store.query(balances, []), /no such table/);
  });

  check('when a registry cannot be adopted, the one in force stays', async (store) => {
    await prepare(store);
    const broken = {
      ...none,
      aggregates: [account],
      sqlite: { views: [{ name: 'p$P', sql: 'SELECT no_such_column FROM "e$Account"' }] },
    };
    await rejects(store.adopt(broken), /no_such_column/);
    await store.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at));
    assert.is(await count(store), 6n);
    assert.equal(await store.query(query('SELECT COUNT("d$note") FROM "e$Account"', [column('n', bigint)]), []), [
      [2n],
    ]);
  });

  check('entries appended while a registry is adopted are all kept', async (store) => {
    await prepare(store);
    const less = aggregate('Account', { Deposited: [field('amount', int)], Named: [field('name', text)] });
    const adopted = store.adopt({ ...none, aggregates: [less] });
    const appended = Array.from({ length: 50 }, () =>
      store.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at)),
    );
    await Promise.all([adopted, ...appended]);
    assert.is(await count(store), 153n);
    assert.equal(await store.query(query('SELECT COUNT("d$name") FROM "e$Account"', [column('n', bigint)]), []), [
      [51n],
    ]);
  });
}

function event(position: number, streamType: string, streamId: string, seq: number, data: string) {
  return { position, id: `id-${position}`, type: 'Deposited', version: 1, streamType, streamId, seq, data };
}

function texts(many: number) {
  return Array.from({ length: many }, (_, index) => column(`c${index}`, text));
}

async function rejects(promise: Promise<unknown>, message: RegExp): Promise<void> {
  let error: unknown;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof Error, `should fail with ${String(message)}`);
  assert.match(error.message, message);
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'no failure';
  } catch (error) {
    return error instanceof Failure ? `${error.code} ${error.message}` : String(error);
  }
}

/** The stored head of a table, with its rows from an offset on. */
async function keptRows(
  store: Store,
  name: string,
  offset = 0,
): Promise<(TableHead & { readonly rows: readonly Row[] }) | undefined> {
  const table = await store.inspectionTables.open(name);
  if (typeof table === 'string') return undefined;
  const { pages, ...head } = table;
  const rows: Row[] = [];
  for await (const page of pages(offset)) rows.push(...page);
  assert.is(rows.length, Math.max(0, head.rows - offset));
  return { ...head, rows };
}
