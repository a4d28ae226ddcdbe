/** Lifetime of copies of the read model, and their starts. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReadModelDefinition } from '../../language/contract/read-model.ts';
import { createMemoryJournal } from '../../runtime/store/journal/memory-journal.ts';
import { createReadModelCopies, imagesUpTo } from '../../runtime/store/tables/copy.ts';
import type { StoredImage } from '../../runtime/store/tables/live/images.ts';
import { createReadModel } from '../../runtime/store/tables/read-model.ts';
import { Overtaken } from '../../runtime/store/store.ts';
import { accounts, collect, column, int, none, query } from '../contract/accounts.ts';

const one = query('SELECT 1', [column('one', int)]);
const idleMilliseconds = 20;

/** Copies over an empty log, with a diary of when each opens and closes. */
function copiesOnNothing() {
  const journal = createMemoryJournal('00'.repeat(32));
  const diary: string[] = [];
  const registries = { inForce: accounts };
  let opened = 0;
  const copies = createReadModelCopies({
    open: (end) => {
      const name = `copy ${++opened}`;
      const model = createReadModel({
        place: 'inline',
        journal: { ...journal, end, fresh: () => Promise.resolve(end()) },
        clock: () => 0n,
        log: () => undefined,
        images: () => imagesUpTo(images([]), end),
      });
      diary.push(`${name} opens`);
      const close = (): Promise<void> => {
        diary.push(`${name} closes`);
        return model.close();
      };
      return { ...model, close };
    },
    end: () => journal.known().entry,
    inForce: () => registries.inForce,
    idleMilliseconds,
  });
  const change = (registry: ReadModelDefinition): void => {
    registries.inForce = registry;
    copies.changed(registry);
  };
  change(accounts);
  const ask = (registry: ReadModelDefinition, more: { readonly answeredBy?: 'past' } = {}) =>
    copies.query(one, [], { compiledFor: registry, ...more });
  return { diary, copies, change, ask };
}

const idle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2 * idleMilliseconds));

test('a copy closes with its registry, or when it is idle', async () => {
  const { diary, copies, change, ask } = copiesOnNothing();
  await ask(accounts);
  await ask(accounts);
  assert.equal(diary.splice(0), ['copy 1 opens']);
  change(none);
  assert.equal(diary.splice(0), ['copy 1 closes']);
  await ask(none);
  await idle();
  assert.equal(diary.splice(0), ['copy 2 opens', 'copy 2 closes']);
  const overtaken = ask(none).catch((error: unknown) => error);
  change(accounts);
  assert.instance(await overtaken, Overtaken);
  assert.equal(diary.splice(0), ['copy 3 opens', 'copy 3 closes']);
  await copies.close();
  assert.equal(diary, []);
});

test('a copy that still serves an earlier registry stays until idle, together with that of the registry in force', async () => {
  const { diary, copies, change, ask } = copiesOnNothing();
  await ask(accounts, { answeredBy: 'past' });
  change(none);
  await Promise.all([ask(accounts, { answeredBy: 'past' }), ask(none), ask(accounts, { answeredBy: 'past' })]);
  assert.equal(diary.splice(0), ['copy 1 opens', 'copy 2 opens']);
  await idle();
  assert.equal(diary.splice(0).sort(), ['copy 1 closes', 'copy 2 closes']);
  await ask(accounts, { answeredBy: 'past' });
  await copies.close();
  assert.equal(diary, ['copy 3 opens', 'copy 3 closes']);
  assert.match(String(await ask(accounts, { answeredBy: 'past' }).catch((error: unknown) => error)), /closed/);
});

test('a copy does not start from a snapshot with later entries than it may show', async () => {
  const image = { name: 'snapshot', image: Uint8Array.of(), checksum: 0, fits: () => Promise.resolve(true) };
  const [fitting] = await collect(imagesUpTo(images([image]), () => 5));
  const fits = await Promise.all([4, 5, 6].map((entry) => fitting?.fits(entry, 0) ?? Promise.resolve(false)));
  assert.equal(fits, [true, true, false]);
});

async function* images(given: readonly StoredImage[]): AsyncGenerator<StoredImage> {
  yield* await Promise.resolve(given);
}

test.run();
