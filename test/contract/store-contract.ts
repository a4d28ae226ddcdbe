/**
 * The contract of every store (`runtime/store/store.ts`) as one suite. A store that keeps its data when it is closed
 * has `reopen`.
 */
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { exportStore } from '../../runtime/store/transfer/export-store.ts';
import { importStore } from '../../runtime/store/transfer/import-store.ts';
import { accounts, collect, deposit } from './accounts.ts';
import { adoptionContract } from './adoption-contract.ts';
import { codeOf, type Check, type CheckReopened } from './checked-store.ts';
import { entriesContract } from './entries-contract.ts';
import { queryContract } from './query-contract.ts';
import { tableContract } from './table-contract.ts';

export interface StoreUnderTest {
  /** A new empty store, and a function that opens it again after `close` if it keeps its data. */
  readonly create: () => Promise<{ readonly store: Store; readonly reopen?: () => Promise<Store> }>;
  /** Whether a query past its time limit is interrupted. */
  readonly stopsQueries: boolean;
}

/** A store with any content: exported, imported elsewhere and exported again it gives the same bytes. */
async function checkTransfer(store: Store): Promise<void> {
  if (store.turns.position().entry > 5000) return;
  const exported = await collect(exportStore(store.log, store.secret));
  const copy = await importStore(Readable.from(exported), (secret) => openMemoryStore({ secret }));
  assert.equal(await collect(exportStore(copy.log, copy.secret)), exported);
  await copy.close();
}

export function storeContract(name: string, { create, stopsQueries }: StoreUnderTest): void {
  const test = suite(name);
  const check: Check = (title, work) => {
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
  const checkReopened: CheckReopened = (title, before, after) => {
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

  entriesContract(check, checkReopened);
  queryContract(check, checkReopened, stopsQueries);
  tableContract(check, checkReopened);
  adoptionContract(check);

  test('calls of a closed store fail, calls made before it closed do not', async () => {
    const { store } = await create();
    await store.tables.adopt(accounts);
    const asked = Array.from({ length: 5 }, () => store.turns.exclusively((turn) => deposit(turn, { to: 'A-1' })));
    await store.close();
    assert.equal(
      (await Promise.all(asked)).map((entry) => entry.number),
      [1, 2, 3, 4, 5],
    );
    assert.ok((await codeOf(store.turns.exclusively(() => 1))).startsWith('R0402'));
    assert.is.not(store.turns.refusesWrites(), undefined);
    await store.close();
  });

  test.run();
}
