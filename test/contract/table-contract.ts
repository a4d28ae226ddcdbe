import * as assert from 'uvu/assert';
import { saveTable } from '../kit/save-table.ts';
import type { Row, Store, TableHead } from '../../runtime/store/store.ts';
import { accounts, bigint, column, deposit, eventCount, money, query, text } from './accounts.ts';
import { type Check, type CheckReopened, rejects } from './checked-store.ts';

/** Tables of sessions and of inspections. */
export function tableContract(check: Check, checkReopened: CheckReopened): void {
  check('session tables are created, replaced and dropped, and are never in the log', async (store) => {
    const columns = [column('a', money), column('b', text)];
    const all = query('SELECT a, b FROM "s$x_1" ORDER BY a', columns);
    await store.tables.putTable('s$x_1', columns, [
      [150n, 'x'],
      [null, null],
    ]);
    assert.equal(await store.tables.query(all, []), [
      [null, null],
      [150n, 'x'],
    ]);
    await store.tables.putTable('s$x_1', columns, [[1n, 'y']]);
    assert.equal(await store.tables.query(all, []), [[1n, 'y']]);
    await store.turns.exclusively((turn) => turn.query(all, []));
    await store.tables.dropTable('s$x_1');
    await rejects(store.tables.query(all, []), /no such table/);
    await rejects(store.tables.putTable('e$Account', columns, []), /no name of a session/);
    assert.equal(store.turns.position(), { entry: 0, event: 0, at: 0n });
  });

  check('a session table is filled from pages or from a query, also with derived columns', async (store) => {
    await store.tables.adopt(accounts);
    await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
    const word = { ...column('word', text), derived: { from: 'n', texts: ["it's\0", null] } };
    const pages = async function* (): AsyncGenerator<readonly Row[]> {
      yield await Promise.resolve([[1n], [2n]]);
      yield [[3n]];
    };
    await store.tables.putTable('s$x_1', [column('n', bigint), word], pages);
    const words = query('SELECT n, word FROM "s$x_1" ORDER BY n', [column('n', bigint), column('word', text)]);
    const filled = [
      [1n, "it's\0"],
      [2n, null],
      [3n, null],
    ];
    assert.equal(await store.tables.query(words, []), filled);
    await store.tables.putQuery('s$x_2', words, []);
    const copied = query('SELECT n, word FROM "s$x_2" ORDER BY rowid', words.columns);
    assert.equal(await store.tables.query(copied, []), filled);
    await store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' }));
    await store.tables.putQuery('s$x_2', eventCount, []);
    assert.equal(await store.tables.query(query('SELECT "count" FROM "s$x_2"', eventCount.columns), []), [[2n]]);
  });

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
