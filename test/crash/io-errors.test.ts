/**
 * R4: the k-th operation on the disk fails, once or permanently, for each k until a run has no failure. Never a wrong
 * state, never an acknowledgement after a failed sync, and after a restart everything acknowledged is there.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { decodeLine } from '../../runtime/store/line.ts';
import { accounts, collect, count } from '../contract/accounts.ts';
import { crashed, createSimulatedDisk, type Content } from './simulated-disk.ts';
import { depositRound, openStore, recover } from './workload.ts';

const codes = ['EIO', 'ENOSPC', 'EDQUOT', 'EACCES', 'no code', 'short write'] as const;

/** The kind of a permanent failure makes no difference, only that it is permanent. */
const lastingCodes: readonly string[] = process.env['SCHEMAC_EVERY_ERROR'] === '1' ? codes : ['EIO', 'ENOSPC'];

for (const code of codes) {
  for (const lasting of lastingCodes.includes(code) ? [false, true] : [false]) {
    test(`${code} at every operation, ${lasting ? 'forever' : 'once'}`, async () => {
      const before = await firstLife();
      let k = 1;
      for (let hit = true; hit; k += 1) hit = await oneRun(before, code, lasting, k);
      assert.ok(k > 40, `only ${k} operations were made to fail`);
    });
  }
}

/** A directory with some history, so that opening has something to read. */
async function firstLife(): Promise<Content> {
  const disk = createSimulatedDisk();
  const store = await openStore(disk);
  await store.tables.adopt(accounts);
  for (let round = 0; round < 6; round += 1) await depositRound(store, `before-${round}`, 4, () => undefined);
  await store.close();
  return disk.content();
}

/** Whether operation `k` was reached, and so failed. */
async function oneRun(before: Content, code: string, lasting: boolean, k: number): Promise<boolean> {
  let calls = 0;
  let failed: { readonly call: string; readonly operations: number } | undefined;
  const disk = createSimulatedDisk(before, (call) => {
    calls += 1;
    if (calls < k || (calls > k && !lasting)) return undefined;
    failed ??= { call, operations: disk.operations.length };
    return { error: error(code), ...(code === 'short write' && call === 'write' && { after: 20 }) };
  });
  const acknowledged: string[] = [];
  const late: string[] = [];
  await life(disk, (commandId) => {
    acknowledged.push(commandId);
    if (failed?.call === 'sync' && !commandId.startsWith('before')) late.push(commandId);
  });
  const name = `${code}, operation ${k} (${failed?.call ?? 'none'})`;
  if (failed !== undefined && failed.call === 'sync') {
    // A failed sync of a snapshot or of a table does not affect commands; one of the log ends them.
    assert.ok(late.length === 0 || !syncWasOfLog(disk, failed.operations), `${name}: answered after a failed sync`);
  }
  for (const fate of ['lost', 'kept'] as const) {
    const left = crashed(before, disk.operations, disk.operations.length, () => fate);
    const { lines } = await recover(createSimulatedDisk(left));
    const found = lines
      .map((line) => decodeLine(line))
      .map((entry) => (entry.kind === 'command' ? (entry.commandId ?? '') : ''));
    assert.equal(
      found.slice(0, 24),
      [...found.slice(0, 24)].filter((id) => id.startsWith('before')),
      name,
    );
    assert.equal(
      acknowledged.filter((id) => !found.includes(id)),
      [],
      `${name}: nothing acknowledged is lost (${fate})`,
    );
    assert.is(new Set(found).size, found.length, `${name}: nothing is there twice`);
  }
  return failed !== undefined;
}

/** Opens, works and closes until a failure. Reads meanwhile must show the acknowledged state, or more of it. */
async function life(
  disk: ReturnType<typeof createSimulatedDisk>,
  answered: (commandId: string) => void,
): Promise<void> {
  let store;
  try {
    store = await openStore(disk);
  } catch {
    return;
  }
  let acknowledged = 24;
  try {
    await store.tables.adopt(accounts);
    for (let round = 0; round < 4; round += 1) {
      try {
        await depositRound(store, `during-${round}`, 3, (commandId) => {
          acknowledged += 1;
          answered(commandId);
        });
      } catch (thrown) {
        assert.ok(thrown instanceof Failure && thrown.kind === 'store', String(thrown));
        assert.is.not(store.turns.refusesWrites(), undefined, 'after a failed write nothing is taken');
      }
      const entries = await collect(store.log.read(1)).catch(() => undefined);
      if (entries === undefined) continue;
      assert.is(entries.length, store.turns.position().entry);
      assert.ok(entries.length >= acknowledged);
      const rows = await count(store).catch(() => undefined);
      if (rows !== undefined) assert.is(rows, BigInt(entries.length), 'queries show what is durable and nothing else');
    }
  } catch (thrown) {
    if (thrown instanceof assert.Assertion) throw thrown;
  } finally {
    await store.close().catch(() => undefined);
  }
}

function syncWasOfLog(disk: ReturnType<typeof createSimulatedDisk>, operations: number): boolean {
  const last = disk.operations.slice(0, operations).findLast((operation) => operation.kind === 'write');
  const created = disk.operations.find(
    (operation) => operation.kind === 'create' && last?.kind === 'write' && operation.file === last.file,
  );
  return created?.kind === 'create' && created.path.includes('/log-');
}

function error(code: string): Error {
  const thrown = new Error(code);
  return code === 'no code' || code === 'short write' ? thrown : Object.assign(thrown, { code });
}

test.run();
