import * as assert from 'uvu/assert';
import { Overtaken } from '../../runtime/store/store.ts';
import {
  accounts,
  aggregate,
  balances,
  bigint,
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
import { type Check, type CheckReopened, at, rejects, codeOf } from './checked-store.ts';

/** Queries: values in and out, limits, copies, earlier registries. `stopsQueries`: one past its time limit is interrupted. */
export function queryContract(check: Check, checkReopened: CheckReopened, stopsQueries: boolean): void {
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
    await store.tables.adopt({ ...none, aggregates: [types] });
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
    await store.turns.exclusively(async (turn) =>
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
    assert.equal(await store.tables.query(all, []), [
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

  check('metadata of events is in columns next to their payload', async (store) => {
    await store.tables.adopt(accounts);
    await store.turns.exclusively(async (turn) => {
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
    assert.equal(await store.tables.query(all, []), [
      ['id-1', 'A-1', 'Opened', 'c-1', 'k', 'z', 1n, 1n, at, 1, ['owner:zoë']],
      ['id-2', 'A-1', 'Deposited', null, null, null, 2n, 2n, at, 1, []],
    ]);
    const tagged = query(
      'SELECT global_position FROM "t$Account" WHERE tag = ?1',
      [column('p', bigint)],
      [{ name: 'tag', type: text }],
    );
    assert.equal(await store.tables.query(tagged, ['owner:zoë']), [[1n]]);
    assert.equal(await store.tables.query(tagged, ['owner:Zoë']), []);
  });

  check('parameters are bound by type, and the current time is the given instant', async (store) => {
    const columns = [column('big', bigint), column('text', text), column('now', { kind: 'TIMESTAMP' })];
    const echo = query('SELECT CAST(?1 AS INTEGER), ?2, CAST(schemac_now() AS INTEGER)', columns, [
      { name: 'big', type: bigint },
      { name: 'text', type: text },
    ]);
    const hostile = `'"; DROP TABLE "e$Account"; --`;
    const rows = await store.tables.query(echo, [9223372036854775807n, hostile], { instant: 1_800_000_000_000_001n });
    assert.equal(rows, [[9223372036854775807n, hostile, 1_800_000_000_000_001n]]);
  });

  check('a query cannot write', async (store) => {
    await store.tables.adopt(accounts);
    await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
    for (const sql of [
      'DELETE FROM "e$Account"',
      'DROP TABLE "e$Account"',
      'CREATE TABLE x (a)',
      'INSERT INTO "m$aggregates" VALUES (1)',
    ]) {
      await rejects(store.tables.query(query(sql, []), []), /SQLite/);
    }
    assert.is(await count(store), 1n);
    await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
    assert.is(await count(store), 2n);
  });

  check('a query past its limit of rows or bytes fails and names the limit', async (store) => {
    const many = query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i FROM n', [
      column('i', bigint),
    ]);
    assert.is((await store.tables.query(many, [], { rows: 5000 })).length, 5000);
    assert.is(
      await codeOf(store.tables.query(many, [], { rows: 4999 })),
      'R0301 the query exceeded its rows budget of 4999',
    );
    assert.is(
      await codeOf(store.tables.query(many, [], { bytes: 1000 })),
      'R0301 the query exceeded its bytes budget of 1000',
    );
  });

  check('a failure inside SQL keeps its code', async (store) => {
    const broken = query("SELECT schemac_text_to_int('x', 'here')", [column('i', int)]);
    assert.ok((await codeOf(store.tables.query(broken, []))).startsWith('R0'));
    const overflow = query('SELECT SUM(i) FROM (SELECT 9223372036854775807 AS i UNION ALL SELECT 1)', [
      column('i', bigint),
    ]);
    assert.is(await codeOf(store.tables.query(overflow, [])), 'R0202 a value does not fit BIGINT');
  });

  if (stopsQueries) {
    check('an endless query is stopped while commands continue, and the next query is answered', async (store) => {
      await store.tables.adopt(accounts);
      await store.tables.putTable('s$1', [column('a', int)], [[7]]);
      await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
      const forever = query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n', [
        column('n', bigint),
      ]);
      let running = true;
      const stopped = codeOf(store.tables.query(forever, [], { milliseconds: 400 })).finally(() => (running = false));
      const waiting = count(store);
      await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
      assert.ok(running, 'the command waited for the query');
      const disk = store.tables.in === 'disk' ? ', with the read model on disk' : '';
      assert.is(await stopped, `R0301 the query exceeded its time budget of 400 ms${disk}`);
      assert.ok((await waiting) >= 1n);
      assert.is(await count(store), 2n);
      assert.equal(await store.tables.query(query('SELECT a FROM "s$1"', [column('a', int)]), []), [[7]]);
      assert.is(await store.turns.exclusively(async (turn) => (await turn.query(eventCount, []))[0]?.[0]), 2n);
    });
  }

  if (stopsQueries) {
    check(
      'a query on a copy sees everything acknowledged, and neither turns nor other queries wait for it',
      async (store) => {
        await store.tables.adopt(accounts);
        await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
        const apart = { answeredBy: 'copy', compiledFor: accounts } as const;
        assert.equal(await store.tables.query(eventCount, [], apart), [[1n]]);
        await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
        assert.equal(await store.tables.query(eventCount, [], apart), [[2n]]);
        const forever = query(
          'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n',
          [column('n', bigint)],
        );
        const order: string[] = [];
        const note = (what: string) => () => void order.push(what);
        const stopped = codeOf(store.tables.query(forever, [], { milliseconds: 2_000, ...apart })).then(
          note('stopped'),
        );
        await store.turns.exclusively((turn) => turn.query(eventCount, [])).then(note('turn'));
        await count(store).then(note('query'));
        await stopped;
        assert.equal(order, ['turn', 'query', 'stopped']);
        await store.tables.adopt({ ...accounts });
        assert.instance(await store.tables.query(eventCount, [], apart).catch((error: unknown) => error), Overtaken);
      },
    );
  }

  check('a query on an earlier registry reads its tables as they were when it was last in force', async (store) => {
    await store.tables.adopt(accounts);
    await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
    const past = { compiledFor: accounts, answeredBy: 'past' } as const;
    const amounts = query('SELECT "d$amount" FROM "e$Account" ORDER BY global_position', [column('amount', money)]);
    const withoutAmount = aggregate('Account', { Deposited: [field('balance', money)] });
    for (const next of [{ ...none, aggregates: [withoutAmount] }, none]) {
      await store.tables.adopt(next);
      // Its registry cannot read this payload.
      await store.turns.exclusively(async (turn) =>
        turn.append(await command(turn, 'C', 'A-1', [['Deposited', { amount: { more: 'than' } }]]), at),
      );
      assert.equal(await store.tables.query(amounts, [], past), [[100n]]);
      assert.equal(await store.tables.query(balances, [], past), [['A-1', 100n]]);
      const { rows, columns } = await store.tables.columns(amounts, [], { ...past, rows: 10 });
      assert.equal([rows, columns.map(({ buffers }) => Buffer.concat(buffers).readBigInt64LE())], [1, [100n]]);
    }
  });

  checkReopened(
    'a query on an earlier registry ends when the store is closed',
    async (store) => {
      await store.tables.adopt(accounts);
      await store.tables.adopt(none);
      const forever = query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n', [
        column('n', bigint),
      ]);
      const past = { compiledFor: accounts, answeredBy: 'past' } as const;
      const open = store.tables.query(forever, [], past).catch((error: unknown) => error);
      await store.close();
      assert.instance(await open, Error);
    },
    () => Promise.resolve(),
  );
}
