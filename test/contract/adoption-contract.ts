import * as assert from 'uvu/assert';
import type { Store } from '../../runtime/store/store.ts';
import {
  account,
  accounts,
  aggregate,
  balances,
  bigint,
  column,
  command,
  count,
  eventCount,
  field,
  int,
  money,
  none,
  query,
  text,
} from './accounts.ts';
import { type Check, at, texts, rejects } from './checked-store.ts';

/** Adopting the next registry gives the tables of a replay under it. */
export function adoptionContract(check: Check): void {
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
    await store.tables.adopt({ ...none, aggregates: [before] });
    await store.turns.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at));
    assert.equal(
      await store.tables.query(
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
      await store.tables.adopt({ ...none, aggregates: [table] });
      const columns = table.payload.map((one) => column(one.name, one.type));
      const all = query(
        `SELECT ${columns.map((one) => `"d$${one.name}"`).join(', ')} FROM "e$Account" ORDER BY global_position`,
        columns,
      );
      assert.equal(await store.tables.query(all, []), values);
      await store.turns.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at));
      assert.equal(await store.tables.query(all, []), [...values, ...values]);
    });
  }

  for (const asked of [false, true]) {
    const when = asked ? 'and was read' : 'and nobody read it';
    check(`an event appended ${when} while a change of its empty table is prepared is kept`, async (store) => {
      const count = query('SELECT COUNT(*) FROM "e$Account"', [column('n', int)]);
      await store.tables.adopt({ ...none, aggregates: [before] });
      const wider = { ...before, payload: [...before.payload, { name: 'more', type: int }] };
      const swap = await store.tables.prepare({ ...none, aggregates: [wider] });
      await store.turns.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at));
      if (asked) assert.equal(await store.tables.query(count, []), [[3]]);
      await swap();
      assert.equal(await store.tables.query(count, []), [[3]]);
    });
  }

  check('a new field tag is there for older events', async (store) => {
    await prepare(store);
    const tagged = aggregate('Account', {
      Deposited: [field('amount', int, 'tag')],
      Named: [field('name', text, 'tag'), field('note', text)],
    });
    await store.tables.adopt({ ...none, aggregates: [tagged] });
    const tags = query('SELECT tag, global_position FROM "t$Account" ORDER BY 1', [
      column('t', text),
      column('p', bigint),
    ]);
    assert.equal(await store.tables.query(tags, []), [
      ['amount:5', 1n],
      ['name:a', 2n],
    ]);
  });

  check('a dropped aggregate comes back with its history', async (store) => {
    await prepare(store);
    await store.tables.adopt(none);
    await rejects(store.tables.query(eventCount, []), /no such table/);
    await store.turns.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at));
    await store.tables.adopt({ ...none, aggregates: [before] });
    assert.is(await count(store), 6n);
    assert.is(await store.turns.exclusively((turn) => turn.head('Account', 'A-1')), 6);
  });

  check('a field dropped and added again reads the values in the log', async (store) => {
    await prepare(store);
    const less = aggregate('Account', { Deposited: [field('amount', int)], Named: [field('name', text)] });
    await store.tables.adopt({ ...none, aggregates: [less] });
    await store.turns.exclusively(async (turn) =>
      turn.append(await command(turn, 'C', 'A-2', [['Named', { name: 'B', note: 'c' }]]), at),
    );
    await store.tables.adopt({ ...none, aggregates: [before] });
    const notes = query(
      'SELECT "d$note" FROM "e$Account" WHERE event_type = \'Named\' ORDER BY global_position',
      texts(1),
    );
    assert.equal(await store.tables.query(notes, []), [['b'], ['c']]);
  });

  check('views and meta tables are those of the registry in force', async (store) => {
    const names = query('SELECT name FROM "m$aggregates"', texts(1));
    await store.tables.adopt(accounts);
    assert.equal(await store.tables.query(names, []), [['Account']]);
    await store.tables.adopt({
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
    assert.equal(await store.tables.query(names, []), [['X'], [null]]);
    await rejects(store.tables.query(balances, []), /no such table/);
  });

  check('when a registry cannot be adopted, the one in force stays', async (store) => {
    await prepare(store);
    const broken = {
      ...none,
      aggregates: [account],
      sqlite: { views: [{ name: 'p$P', sql: 'SELECT no_such_column FROM "e$Account"' }] },
    };
    await rejects(store.tables.adopt(broken), /no_such_column/);
    await store.turns.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at));
    assert.is(await count(store), 6n);
    assert.equal(
      await store.tables.query(query('SELECT COUNT("d$note") FROM "e$Account"', [column('n', bigint)]), []),
      [[2n]],
    );
  });

  check('entries appended while a registry is adopted are all kept', async (store) => {
    await prepare(store);
    const less = aggregate('Account', { Deposited: [field('amount', int)], Named: [field('name', text)] });
    const adopted = store.tables.adopt({ ...none, aggregates: [less] });
    const appended = Array.from({ length: 50 }, () =>
      store.turns.exclusively(async (turn) => turn.append(await command(turn, 'C', 'A-1', payloads), at)),
    );
    await Promise.all([adopted, ...appended]);
    assert.is(await count(store), 153n);
    assert.equal(
      await store.tables.query(query('SELECT COUNT("d$name") FROM "e$Account"', [column('n', bigint)]), []),
      [[51n]],
    );
  });
}
