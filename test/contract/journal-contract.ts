/**
 * The contract of every log (`runtime/store/journal.ts`) as one suite. A log that several processes share has
 * `connect`, one that outlives its process has `reopen`.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Batch, Journal, JournalEnd } from '../../runtime/store/journal.ts';
import { collect } from './accounts.ts';

export interface JournalUnderTest {
  readonly journal: Journal;
  /** Another process on the same log. */
  readonly connect?: () => Promise<Journal>;
  /** Opens the log again after `close`. */
  readonly reopen?: () => Promise<Journal>;
}

let made = 0;

function batch(after: JournalEnd, ...lines: readonly string[]): Batch {
  return { after, id: `test-${++made}`, lines };
}

/** Appends the lines at the present end. */
async function add(journal: Journal, ...lines: readonly string[]): Promise<Batch> {
  for (;;) {
    const next = batch(await journal.fresh(), ...lines);
    if ((await journal.append(next)) === 'kept') return next;
  }
}

const lines = (from: number, to: number): string[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => `line ${from + index}`);

const all = async (journal: Journal, from = 1): Promise<readonly string[]> =>
  (await collect(journal.read(from, (await journal.fresh()).entry))).flat();

const never = new AbortController().signal;

/** Takes lines until it has this many, and stops. */
async function take(journal: Journal, from: number, many: number): Promise<readonly string[]> {
  const taken: string[] = [];
  const stop = new AbortController();
  for await (const next of journal.follow(from, stop.signal)) {
    taken.push(...next);
    if (taken.length >= many) stop.abort();
  }
  return taken;
}

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

export function journalContract(name: string, create: () => Promise<JournalUnderTest>): void {
  const test = suite(name);
  const check = (title: string, work: (under: JournalUnderTest) => Promise<void>): void => {
    test(title, async () => {
      const under = await create();
      try {
        await work(under);
      } finally {
        await under.journal.close();
      }
    });
  };
  /** For logs that more than one process appends to. */
  const checkShared = (title: string, work: (one: Journal, other: Journal) => Promise<void>): void => {
    check(title, async ({ journal, connect }) => {
      if (connect === undefined) return;
      const other = await connect();
      try {
        await work(journal, other);
      } finally {
        await other.close();
      }
    });
  };

  check('an empty log ends at 0, has no trouble and nothing to read', async ({ journal }) => {
    assert.is(journal.known().entry, 0);
    assert.equal(await journal.fresh(), journal.known());
    assert.is(journal.trouble(), undefined);
    assert.match(journal.secret, /^[0-9a-f]{64}$/);
    assert.equal(await all(journal), []);
  });

  check('a batch that follows the end is kept whole, and its id is the end', async ({ journal }) => {
    const first = batch(journal.known(), ...lines(1, 3));
    assert.is(await journal.append(first), 'kept');
    assert.equal([journal.known(), await journal.fresh()], Array(2).fill({ entry: 3, batch: first.id }));
    const second = batch(journal.known(), 'ü 😀 \\u2028', '');
    assert.is(await journal.append(second), 'kept');
    assert.equal(journal.known(), { entry: 5, batch: second.id });
    assert.equal(await all(journal), [...lines(1, 3), ...second.lines]);
    assert.equal((await collect(journal.read(2, 4))).flat(), [...lines(2, 3), ...second.lines.slice(0, 1)]);
    assert.equal((await collect(journal.read(3, 3))).flat(), lines(3, 3));
  });

  check(
    'a batch after another number or another batch is behind, and none of its lines is kept',
    async ({ journal }) => {
      const empty = journal.known();
      const { id } = await add(journal, ...lines(1, 2));
      for (const after of [empty, { entry: 1, batch: id }, { entry: 3, batch: id }, { entry: 2, batch: 'another' }]) {
        assert.is(await journal.append(batch(after, 'no')), 'behind');
      }
      assert.equal([journal.known(), await all(journal)], [{ entry: 2, batch: id }, lines(1, 2)]);
      assert.is(await journal.append(batch({ entry: 2, batch: id }, 'yes')), 'kept');
    },
  );

  check('a kept batch is settled as kept, without a change of the log', async ({ journal }) => {
    const first = await add(journal, 'a');
    const second = await add(journal, 'b');
    assert.equal([await journal.settle(second.id), await journal.settle(first.id)], ['kept', 'kept']);
    assert.equal(await journal.fresh(), { entry: 2, batch: second.id });
  });

  check('a batch settled as never kept cannot be kept later, and the log takes other batches', async ({ journal }) => {
    await add(journal, 'a');
    const late = batch(journal.known(), 'late');
    assert.is(await journal.settle(late.id), 'never');
    assert.is(await journal.append(late), 'behind');
    assert.is(await journal.append(batch(late.after, 'as late')), 'behind');
    const { entry, batch: fence } = await journal.fresh();
    assert.is(entry, 1);
    assert.is.not(fence, late.after.batch);
    await add(journal, 'b');
    assert.equal(await all(journal), ['a', 'b']);
  });

  check('a long log is read in pages', async ({ journal }) => {
    await add(journal, ...lines(1, 5000));
    const pages = await collect(journal.read(1, 5000));
    assert.equal(pages.flat(), lines(1, 5000));
    const wide = 'x'.repeat(100_000);
    for (let at = 0; at < 30; at += 1) await add(journal, wide);
    const largest = Math.max(...(await collect(journal.read(5001, 5030))).map((page) => page.length));
    assert.ok(largest < 30, `${largest} wide lines came at once`);
  });

  check(
    'a follower from any entry gets each line from there once, in order, and then each appended line',
    async ({ journal }) => {
      await add(journal, ...lines(1, 3));
      const followers = [1, 2, 4].map((from) => take(journal, from, 7 - from));
      await add(journal, 'line 4');
      await add(journal, ...lines(5, 6));
      assert.equal(await Promise.all(followers), [lines(1, 6), lines(2, 6), lines(4, 6)]);
    },
  );

  check(
    'a follower past the end is refused, since its entries would differ from those it has seen',
    async ({ journal }) => {
      await add(journal, 'a');
      for (const from of [3, 0]) {
        const first = journal.follow(from, never)[Symbol.asyncIterator]().next();
        assert.is(await messageOf(first), `the log cannot be followed from entry ${from}: it ends at entry 1`);
      }
    },
  );

  check('quick and slow followers get each line once during appends of all sizes', async ({ journal }) => {
    const total = 600;
    const speeds = [0, 0, 1, 3, 15];
    await add(journal, ...lines(1, 10));
    const followers = speeds.map(async (pause, index) => {
      const stop = new AbortController();
      const taken: string[] = [];
      for await (const next of journal.follow(1 + index, stop.signal)) {
        taken.push(...next);
        if (taken.at(-1) === `line ${total}`) stop.abort();
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      }
      return taken;
    });
    for (let at = 11; at <= total;) {
      const size = 1 + ((at * 7919) % 23);
      await add(journal, ...lines(at, Math.min(total, at + size - 1)));
      at += size;
      if (at % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    for (const [index, taken] of (await Promise.all(followers)).entries()) assert.equal(taken, lines(1 + index, total));
  });

  check(
    'a follower can be stopped while it waits and between pages, and stops when its log is closed',
    async ({ journal }) => {
      await add(journal, 'a');
      const stop = new AbortController();
      const waiting = collect(journal.follow(2, stop.signal));
      const holding = journal.follow(1, stop.signal)[Symbol.asyncIterator]();
      assert.equal((await holding.next()).value, ['a']);
      stop.abort();
      assert.equal(await waiting, []);
      await add(journal, 'b');
      assert.is((await holding.next()).done, true);
      assert.equal(await collect(journal.follow(1, stop.signal)), []);

      const left = journal.follow(1, never)[Symbol.asyncIterator]();
      await left.next();
      await left.return?.();
      const last = journal.follow(1, never)[Symbol.asyncIterator]();
      const taken: string[] = [];
      while (taken.length < 2) taken.push(...((await last.next()).value ?? []));
      assert.equal(taken, ['a', 'b']);
      const next = last.next();
      await journal.close();
      assert.is((await next).done, true);
    },
  );

  checkShared('of two that append at the same end one is behind, and both go on', async (one, other) => {
    const after = await one.fresh();
    assert.equal(await other.fresh(), after);
    const both = await Promise.all([one.append(batch(after, 'one')), other.append(batch(after, 'other'))]);
    assert.equal([...both].sort(), ['behind', 'kept']);
    await Promise.all([add(one, 'a'), add(other, 'b')]);
    assert.is((await all(one)).length, 3);
    assert.equal(await all(one), await all(other));
  });

  checkShared('what one knows stays until it asks or follows, what it asks for is the end', async (one, other) => {
    const before = one.known();
    const added = await add(other, 'a');
    assert.equal(one.known(), before);
    assert.equal(await one.fresh(), { entry: 1, batch: added.id });
    assert.equal(one.known(), { entry: 1, batch: added.id });
  });

  checkShared('a follower gets what another process appends', async (one, other) => {
    await add(one, 'a');
    const taken = take(one, 1, 3);
    await add(other, 'b');
    await add(other, 'c');
    assert.equal(await taken, ['a', 'b', 'c']);
  });

  checkShared('what another has settled as never kept cannot be kept', async (one, other) => {
    const late = batch(await one.fresh(), 'late');
    assert.is(await other.settle(late.id), 'never');
    assert.is(await one.append(late), 'behind');
  });

  check('a lock gives the end, and ends with the next append or with unlock', async ({ journal }) => {
    await add(journal, 'a');
    const locked = await journal.lock();
    assert.equal(locked, await journal.fresh());
    assert.is(await journal.append(batch(locked, 'b')), 'kept');
    const again = await journal.lock();
    assert.is(again.entry, 2);
    assert.is(await journal.append(batch({ entry: 2, batch: 'another' }, 'no')), 'behind');
    await journal.lock();
    await journal.unlock();
    await journal.unlock();
    await add(journal, 'c');
    assert.equal(await all(journal), ['a', 'b', 'c']);
  });

  checkShared('while one has the lock another waits with its append, and is then behind', async (one, other) => {
    const end = await other.fresh();
    const locked = await one.lock();
    const waiting = other.append(batch(end, 'other'));
    assert.is(await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 30, 'waits'))]), 'waits');
    assert.is(await one.append(batch(locked, 'one')), 'kept');
    assert.is(await waiting, 'behind');
    await one.lock();
    const next = add(other, 'other');
    await one.unlock();
    await next;
    assert.equal(await all(one), ['one', 'other']);
  });

  checkShared('two that lock each round both append, in turns', async (one, other) => {
    const appendEach = async (journal: Journal): Promise<void> => {
      for (let at = 0; at < 20; at += 1) {
        const end = await journal.lock();
        assert.is(await journal.append(batch(end, `${at}`)), 'kept');
      }
    };
    await Promise.all([appendEach(one), appendEach(other)]);
    assert.is((await all(one)).length, 40);
  });

  test('kept lines are there after a restart, and the log takes more', async () => {
    const { journal, reopen } = await create();
    await add(journal, ...lines(1, 3));
    await journal.close();
    if (reopen === undefined) return;
    const again = await reopen();
    assert.is(again.known().entry, 3);
    assert.equal(await again.fresh(), again.known());
    assert.is(await again.append(batch({ entry: 3, batch: 'another' }, 'no')), 'behind');
    await add(again, 'line 4');
    assert.equal(await all(again), lines(1, 4));
    assert.equal(await take(again, 2, 3), lines(2, 4));
    await again.close();
  });

  test.run();
}
