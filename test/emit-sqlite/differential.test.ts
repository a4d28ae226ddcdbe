/** Random queries over random histories: SQLite and the naive evaluator give the same answers. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCatalog } from '../../language/catalog/catalog.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import { Failure } from '../../language/failure/failure.ts';
import type { Type, Value } from '../../language/values/type.ts';
import { identity } from '../kit/naive/compare.ts';
import { runNaively } from '../kit/naive/query.ts';
import { aggregate, BIGINT, BOOLEAN, DATE, decimal, DOUBLE, event, INT, STRING, TIMESTAMP } from './bound.ts';
import { openReadModel, type History, type StoredEvent } from './database.ts';
import { naiveWorld } from './naive-world.ts';
import { randomQuery, type Source } from './random-query.ts';

const opened = event('Opened', { n: INT, price: decimal(8, 2), who: [STRING, 'TAG'], ok: BOOLEAN });
const moved = event('Moved', { n: INT, at: TIMESTAMP, day: DATE });
const noted = event('Noted', { big: BIGINT, rate: DOUBLE, who: STRING });
const aggregates = [aggregate('A', [moved, opened]), aggregate('B', [noted])];
const catalog = createCatalog([opened, moved, noted, ...aggregates]);
const definition = { ...createReadModelDefinition(catalog), meta: [] };

const envelope: readonly { readonly name: string; readonly type: Type }[] = [
  { name: 'stream_id', type: STRING },
  { name: 'seq', type: BIGINT },
  { name: 'event_type', type: STRING },
  { name: 'occurred_at', type: TIMESTAMP },
  { name: 'global_position', type: BIGINT },
];
const sources: readonly Source[] = aggregates.flatMap((block): readonly Source[] => [
  {
    source: { kind: 'events', aggregate: block.name },
    columns: [...envelope, ...block.payload.map(({ name, type }) => ({ name: `data.${name}`, type }))],
  },
  { source: { kind: 'state', aggregate: block.name }, columns: block.state.columns },
]);

function field(type: Type): fc.Arbitrary<unknown> {
  const some = {
    INT: [0, 1, -2, 3],
    BIGINT: ['0', '7', '9007199254740993', '-4000000000'],
    DECIMAL: ['0.00', '1.50', '-2.25', '0.01'],
    DOUBLE: [0, 0.5, -1.25, 3],
    BOOLEAN: [true, false],
    TIMESTAMP: ['2026-01-01T00:00:00.000000Z', '2025-12-31T23:59:59.999999Z'],
    DATE: ['2026-01-01', '1969-12-31'],
    STRING: ['', 'a', 'B', 'ä', 'b\u{1f600}', 'b\uff5e'],
  } as const;
  return fc.option(fc.constantFrom<unknown>(...some[type.kind as keyof typeof some]), { freq: 4 }); // the kinds declared above
}
function stored(block: ReturnType<typeof event>): fc.Arbitrary<StoredEvent> {
  const data = fc.record(Object.fromEntries(block.fields.map(({ name, type }) => [name, field(type)])));
  return fc.record({ type: fc.constant(block.name), stream: fc.constantFrom('s1', 's2'), data });
}
const histories: fc.Arbitrary<History> = fc.record({
  A: fc.array(fc.oneof(stored(opened), stored(moved)), { maxLength: 6 }),
  B: fc.array(stored(noted), { maxLength: 4 }),
});

type Answer = { readonly rows: readonly string[] } | { readonly failure: string };

function answer(query: BoundQuery, rows: () => readonly (readonly Value[])[]): Answer {
  try {
    const texts = rows().map(identity);
    const sorted = query.columns.every((column) => column.type.kind !== 'LIST');
    return { rows: sorted ? texts : texts.toSorted() };
  } catch (error) {
    if (error instanceof Failure) return { failure: error.code };
    throw error;
  }
}

/** A small generator, so that a number identifies a failing query. */
function drawer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const numRuns = Number(process.env['SCHEMAC_RUNS'] ?? 100);
const seed = Number(process.env['SCHEMAC_SEED'] ?? Date.now() % 2 ** 31);

for (const depth of [1, 2, 3]) {
  test(`random queries of depth ${depth} (seed ${seed})`, () => {
    const property = fc.property(histories, fc.nat(), (history, number) => {
      const query = randomQuery(drawer(number), sources, depth);
      const compiled = compileQuery(query, catalog);
      const model = openReadModel(definition, history);
      try {
        const actual = answer(query, () => model.run(compiled));
        const expected = answer(query, () => runNaively(query, naiveWorld(catalog, history)));
        // An engine may skip values without effect, and with them a failure; it must not add failures.
        if ('failure' in expected && 'rows' in actual) return;
        assert.equal(actual, expected, compiled.sqlite.sql);
      } finally {
        model.close();
      }
    });
    fc.assert(property, { numRuns, seed });
  });
}

test.run();
