/** Whatever registries were adopted on the way, with restarts from snapshots between: the tables are those of a replay under the last. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AggregateTable, ReadModelDefinition } from '../../language/contract/read-model.ts';
import { Failure } from '../../language/failure/failure.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { exportStore } from '../../runtime/store/transfer/export-store.ts';
import { importStore } from '../../runtime/store/transfer/import-store.ts';
import type { Type } from '../../language/values/type.ts';
import { aggregate, column, command, field, none, query } from '../contract/accounts.ts';
import { createChance, seedOf, type Chance } from '../crash/chance.ts';
import { freshFolder } from './fresh-folder.ts';

const at = 1_700_000_000_000_000n;
const runs = 40;

/** A field's types from narrow to wide, and payload leaves that each of them takes. */
const widening: Readonly<Record<string, readonly Type[]>> = {
  a: [
    { kind: 'INT' },
    { kind: 'BIGINT' },
    { kind: 'DECIMAL', precision: 12, scale: 2 },
    { kind: 'DECIMAL', precision: 18, scale: 4 },
  ],
  b: [{ kind: 'STRING', length: 5 }, { kind: 'STRING' }],
  c: [{ kind: 'BOOLEAN' }],
};

/** Parts of a registry: the aggregates, events and fields that exist, the fields that are tags, and the width of each field. */
interface Shape {
  readonly present: Set<string>;
  readonly tagged: Set<string>;
  /** Types only ever widen. */
  readonly widths: Map<string, number>;
}

const streamTypes = ['X', 'Y'];
const eventTypes = ['E', 'F', 'G'];
const names = Object.keys(widening);

function firstShape(): Shape {
  const events = streamTypes.flatMap((type) => eventTypes.map((event) => `${type}.${event}`));
  const fields = events.flatMap((event) => names.map((name) => `${event}.${name}`));
  return { present: new Set([...streamTypes, ...events, ...fields]), tagged: new Set(), widths: new Map() };
}

/** Makes one small change, so that tables are extended as often as they are built again. */
function change(chance: Chance, { present, tagged, widths }: Shape): void {
  const toggle = (set: Set<string>, item: string): void => {
    if (!set.delete(item)) set.add(item);
  };
  const type = streamTypes[chance.below(streamTypes.length)] ?? 'X';
  const event = `${type}.${eventTypes[chance.below(eventTypes.length)] ?? 'E'}`;
  const name = names[chance.below(names.length)] ?? 'a';
  switch (chance.below(8)) {
    case 0:
      toggle(present, type);
      return;
    case 1:
      toggle(present, event);
      return;
    case 2:
      toggle(tagged, `${event}.${name}`);
      return;
    case 3:
    case 4:
      widths.set(name, Math.min((widths.get(name) ?? 0) + 1, (widening[name]?.length ?? 1) - 1));
      return;
    default:
      toggle(present, `${event}.${name}`);
  }
}

function registry({ present, tagged, widths }: Shape): ReadModelDefinition {
  const fieldsOf = (event: string): AggregateTable['events'][number]['fields'] =>
    names.flatMap((name) => {
      const type = widening[name]?.[widths.get(name) ?? 0];
      const own = `${event}.${name}`;
      return type === undefined || !present.has(own) ? [] : [field(name, type, tagged.has(own) ? 'tag' : undefined)];
    });
  const eventsOf = (type: string): Record<string, AggregateTable['events'][number]['fields']> =>
    Object.fromEntries(
      eventTypes
        .filter((event) => present.has(`${type}.${event}`))
        .map((event) => [event, fieldsOf(`${type}.${event}`)]),
    );
  const aggregates = streamTypes.filter((type) => present.has(type));
  return { ...none, aggregates: aggregates.map((type) => aggregate(type, eventsOf(type))) };
}

function leaf(chance: Chance, type: Type): unknown {
  switch (type.kind) {
    case 'INT':
      return chance.below(2000) - 1000;
    case 'BIGINT':
      return String(chance.below(2_000_000) - 1000);
    case 'DECIMAL':
      return `${chance.below(2000) - 1000}.${String(chance.below(100)).padStart(2, '0').padEnd(type.scale, '0')}`;
    case 'BOOLEAN':
      return chance.below(2) === 0;
    default:
      return chance.pick(['Ä', 'b', "c'"]);
  }
}

async function appendSome(chance: Chance, store: Store, { aggregates }: ReadModelDefinition): Promise<void> {
  for (const { aggregate: streamType, events } of aggregates) {
    for (const { name, fields } of events) {
      for (let many = chance.below(3); many > 0; many -= 1) {
        const given = fields.filter(() => chance.below(4) > 0);
        const payload = Object.fromEntries(given.map((one) => [one.name, leaf(chance, one.type)]));
        const streamId = `${chance.below(3)}`;
        await store.turns.exclusively(async (turn) =>
          turn.append(await command(turn, 'C', streamId, [[name, payload]], undefined, streamType), at),
        );
      }
    }
  }
}

async function tables(store: Store, { aggregates }: ReadModelDefinition): Promise<unknown> {
  const all = [];
  for (const { aggregate: name, payload } of aggregates) {
    const columns = [
      column('global_position', { kind: 'BIGINT' }),
      column('tags', { kind: 'STRING' }),
      ...payload.map((one) => column(`d$${one.name}`, one.type)),
    ];
    const select = columns.map((one) => `"${one.name}"`).join(', ');
    all.push(name, await store.tables.query(query(`SELECT ${select} FROM "e$${name}" ORDER BY 1`, columns), []));
    const tags = query(`SELECT tag, global_position FROM "t$${name}" ORDER BY 1, 2`, [
      column('t', { kind: 'STRING' }),
      column('p', { kind: 'BIGINT' }),
    ]);
    all.push(await store.tables.query(tags, []));
  }
  return all;
}

test('adoptions and restarts give the same tables as a replay', async () => {
  const chance = createChance(seedOf('adoption'));
  for (let run = 0; run < runs; run += 1) {
    const options = { directory: freshFolder(), readModel: 'inline', fsync: false, snapshotEntries: 20 } as const;
    const shape = firstShape();
    for (const one of shape.present) if (one.length === 5 && chance.below(3) === 0) shape.present.delete(one);
    let store = await openEmbeddedStore(options);
    let definition = none;
    for (let step = 0; step < 8; step += 1) {
      if (step > 0) change(chance, shape);
      // Tables that were made ahead for another registry must leave nothing behind.
      if (chance.below(3) === 0) {
        const other = { ...shape, present: new Set(shape.present) };
        change(chance, other);
        await store.tables.prepare(registry(other));
      }
      definition = registry(shape);
      await store.tables.adopt(definition);
      await appendSome(chance, store, definition);
      if (chance.below(2) === 0) {
        await store.close();
        store = await openEmbeddedStore(options);
        await store.tables.adopt(definition);
      }
    }
    const replayed = await importStore(exportStore(store.log, store.secret), (secret) => openMemoryStore({ secret }));
    await replayed.tables.adopt(definition);
    assert.equal(await tables(store, definition), await tables(replayed, definition), `run ${run}`);
    await replayed.close();
    await store.close();
  }
});

test('an adoption past its time limit changes nothing, and can be tried again', async () => {
  const store = await openMemoryStore({ readModel: 'inline' });
  const before = registry(firstShape());
  await store.tables.adopt(before);
  const chance = createChance(seedOf('adoption limits'));
  await appendSome(chance, store, before);
  const shown = await tables(store, before);
  const shape = firstShape();
  // A change by chance may change nothing.
  do change(chance, shape);
  while (JSON.stringify(registry(shape)) === JSON.stringify(before));
  const after = registry(shape);
  let left = 2;
  const limits = {
    get swapMilliseconds() {
      return left-- > 0 ? -1 : 60_000;
    },
  };
  const swap = await store.tables.prepare(after, limits);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const failed = await swap().then(
      () => 'done',
      (error: unknown) => (error instanceof Failure ? error.code : error),
    );
    assert.is(failed, 'R0504');
    assert.equal(await tables(store, before), shown);
  }
  await swap();
  const replayed = await importStore(exportStore(store.log, store.secret), (secret) => openMemoryStore({ secret }));
  await replayed.tables.adopt(after);
  assert.equal(await tables(store, after), await tables(replayed, after));
  await replayed.close();
  await store.close();
});

test.run();
