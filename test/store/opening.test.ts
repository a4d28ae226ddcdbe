/** A start that has to read a long log says how far it is, and ends before it is done when it is asked to. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore, type EmbeddedStoreOptions } from '../../runtime/store/embedded/embedded-store.ts';
import type { LogWork } from '../../runtime/store/opening.ts';
import type { Store } from '../../runtime/store/store.ts';
import { createStarting, StartStopped } from '../../server/start/starting.ts';
import { accounts, count, deposit } from '../contract/accounts.ts';
import { freshFolder } from './fresh-folder.ts';

const entries = 60;

const open = (directory: string, more: Partial<EmbeddedStoreOptions> = {}): Promise<Store> =>
  openEmbeddedStore({
    directory,
    readModel: 'inline',
    fsync: false,
    readEngine: 'disk',
    ledgerInMemory: 8,
    rolloverBytes: 2_000,
    ...more,
  });

/** A directory as after a restore of its segments alone. */
async function onlySegments(): Promise<string> {
  const directory = freshFolder();
  const store = await open(directory, { readEngine: 'memory' });
  await store.tables.adopt(accounts);
  for (let n = 0; n < entries; n += 1)
    await store.turns.exclusively((turn) => deposit(turn, { to: `A-${n}`, amount: '1.00', commandId: `c-${n}` }));
  await store.close();
  return directory;
}

for (const readEngine of ['memory', 'disk'] as const)
  test(`a start with the read model in ${readEngine} checks the log, then reads it`, async () => {
    const directory = await onlySegments();
    const seen: LogWork[] = [];
    const { signal } = new AbortController();
    const store = await open(directory, { readEngine, opening: { reached: (work) => void seen.push(work), signal } });
    await store.tables.adopt(accounts);
    assert.is(await count(store), BigInt(entries));
    await store.close();
    assert.equal([...new Set(seen.map(({ kind, unit }) => `${kind} ${unit}`))], ['check MiB', 'heads entries']);
    assert.equal(seen.at(-1), { kind: 'heads', done: entries, of: entries, unit: 'entries' });
  });

for (const kind of ['check', 'heads'] as const)
  test(`a stop at '${kind}' ends the start and loses nothing`, async () => {
    const directory = await onlySegments();
    const stop = new AbortController();
    const starting = createStarting(stop.signal, () => undefined);
    let steps = 0;
    const opening = {
      signal: starting.signal,
      reached: (work: LogWork) => {
        starting.reached(work);
        steps += 1;
        if (work.kind === kind) stop.abort();
      },
    };
    const error = await open(directory, { opening }).then(
      () => 'opened',
      (reason: unknown) => reason,
    );
    assert.instance(error, StartStopped);
    assert.is(starting.work()?.kind, kind);
    const before = steps;
    starting.ended();
    const store = await open(directory); // the directory is free
    assert.is(steps, before);
    await store.tables.adopt(accounts);
    assert.is(await count(store), BigInt(entries));
    await store.close();
  });

test('a server that is asked to stop abandons what it waits for', async () => {
  const stop = new AbortController();
  const starting = createStarting(stop.signal, () => undefined);
  const never = starting.unlessStopped(new Promise<never>(() => undefined));
  stop.abort();
  const error = await never.catch((reason: unknown) => reason);
  assert.instance(error, StartStopped);
  assert.is(await starting.unlessStopped(Promise.resolve(1)).catch(() => 'stopped'), 1);
  starting.ended();
});

test('while tables in memory are filled, the work is that of the read model', () => {
  const starting = createStarting(undefined, () => undefined);
  assert.is(starting.text(), undefined);
  const position = { entry: 8, event: 8, at: 0n };
  const at = (entry: number): Parameters<typeof starting.opened>[0] => ({
    tables: { building: () => undefined, state: () => ({ bytes: 0, entry, unreadable: [] }) },
    turns: { position: () => position },
  });
  starting.opened(at(5));
  assert.is(starting.text(), 'the read model is built from the log: 5 of 8 entries');
  starting.opened(at(8));
  assert.is(starting.text(), undefined);
  starting.ended();
});

test.run();
