/** When pages of events are read: only when requested, and one ahead of a fast reader. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AggregateDefinition } from '../../language/contract/relation.ts';
import { eventPages, type EventRange, type ReadPage } from '../../server/operation/read/event-pages.ts';
import type { Call } from '../../server/http/route.ts';
import { GivenBack } from '../../runtime/store/query.ts';

const test = suite('event pages');

/** A call with a stopped clock, on its own engine, and a source of endless small pages that counts. */
function endless(failAt = Infinity, error = new Error('the source failed'), filters: EventRange['filters'] = []) {
  const places: unknown[] = [];
  const asked = { reads: 0, now: 0, places };
  const call = {
    options: {
      engine: { store: { turns: { position: () => ({ event: 1_000_000_000 }) } } },
      time: { monotonic: () => asked.now },
    },
    lease: { forPart: (bytes: number) => Promise.resolve(bytes), holds: () => undefined },
  } as unknown as Call; // pages use nothing else
  const read: ReadPage<{ readonly number: number }> = (_, { limit = 0, after }, { answeredBy, patience }) => {
    asked.reads += 1;
    places.push([answeredBy ?? patience, after]);
    if (asked.reads === failAt) return Promise.reject(error);
    const last = BigInt(asked.reads * 100_000);
    return Promise.resolve({ content: { number: asked.reads }, rows: limit, last, bytes: 10 * limit });
  };
  const aggregate = { name: 'Bike', eventColumns: [] } as unknown as AggregateDefinition; // nor at more of it
  const open = () => eventPages(call, aggregate, [], { filters, until: 1_000_000_000n, backwards: false }, read);
  return { asked, open };
}

async function take(pages: AsyncIterator<{ readonly number: number }>, many: number): Promise<readonly unknown[]> {
  const taken: unknown[] = [];
  for (let at = 0; at < many; at++) taken.push(((await pages.next()).value as { number: number } | undefined)?.number);
  return taken;
}

test('from the third page on, one page is read ahead of a fast reader', async () => {
  const { asked, open } = endless();
  const pages = open();
  assert.equal(await take(pages, 2), [1, 2]);
  assert.is(asked.reads, 2);
  assert.equal(await take(pages, 1), [3]);
  assert.is(asked.reads, 4);
  assert.equal(await take(pages, 3), [4, 5, 6]);
  assert.is(asked.reads, 7);
});

test('no page is read ahead of a slow reader', async () => {
  const { asked, open } = endless();
  const pages = open();
  for (let number = 1; number <= 5; number++) {
    asked.now += 1_000;
    assert.equal(await take(pages, 1), [number]);
    assert.is(asked.reads, number);
  }
});

test('pages are read ahead only while few readers are open', async () => {
  const { asked, open } = endless();
  const all = Array.from({ length: 6 }, open);
  for (const pages of all) await take(pages, 3);
  // Readers that started while few were reading had one page read ahead.
  assert.is(asked.reads, 6 * 3 + 4);
  for (const pages of all) await take(pages, 1);
  assert.is(asked.reads, 6 * 4);
  // A reader that hangs up makes room for the others.
  for (const pages of all.slice(2)) await pages.return?.();
  await take(all[0] ?? open(), 1);
  assert.is(asked.reads, 6 * 4 + 2);
});

test('a failure while reading ahead is thrown when that page is requested', async () => {
  const { open } = endless(4);
  const pages = open();
  assert.equal(await take(pages, 3), [1, 2, 3]);
  await new Promise(setImmediate);
  let told = '';
  await pages.next().catch((error: unknown) => (told = (error as Error).message));
  assert.is(told, 'the source failed');
});

test('a search that takes long goes on from where it was, on the copy', async () => {
  const { open, asked } = endless(2, new GivenBack(), [{ column: 'model', test: 'like', value: '%a%' }]);
  assert.equal(await take(open(), 3), [1, 3, 4]);
  assert.equal(asked.places.slice(0, 4), [
    [50, undefined],
    [50, 100_000n],
    ['copy', 100_000n],
    ['copy', 300_000n],
  ]);
  const { open: openAll, asked: all } = endless();
  await take(openAll(), 1);
  assert.equal(all.places, [[undefined, undefined]]);
});

test.run();
