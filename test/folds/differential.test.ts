/** Random queries that fold, over random histories that arrive in random batches: fold = scan = the naive evaluator. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProjectionBlock } from '../../language/catalog/block.ts';
import { createCatalog, type Catalog } from '../../language/catalog/catalog.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import { answerParts } from '../../compiler/plan/answer-parts.ts';
import type { ReadModelDefinition } from '../../language/contract/read-model.ts';
import { Failure } from '../../language/failure/failure.ts';
import { openTestedStore } from '../kit/tested-engine.ts';
import type { Store } from '../../runtime/store/store.ts';
import type { Type, Value } from '../../language/values/type.ts';
import { column, query } from '../contract/accounts.ts';
import { createChance, type Chance } from '../crash/chance.ts';
import {
  aggregate,
  BIGINT,
  BOOLEAN,
  DATE,
  decimal,
  DOUBLE,
  event,
  INT,
  STRING,
  TIMESTAMP,
} from '../emit-sqlite/bound.ts';
import { naiveWorld } from '../emit-sqlite/naive-world.ts';
import { randomQuery, type Source } from '../emit-sqlite/random-query.ts';
import { identity } from '../kit/naive/compare.ts';
import { runNaively } from '../kit/naive/query.ts';
import { appendEvents, type Happened } from './append-events.ts';

const opened = event('Opened', {
  n: INT,
  price: decimal(8, 2),
  who: [STRING, 'TAG'],
  ok: BOOLEAN,
  wide: decimal(18, 4),
});
const moved = event('Moved', { n: INT, at: TIMESTAMP, day: DATE, big: BIGINT, rate: DOUBLE });
const taken = aggregate('A', [moved, opened]);
const blocks = [opened, moved, taken];

const envelope: readonly { readonly name: string; readonly type: Type }[] = [
  { name: 'stream_id', type: STRING },
  { name: 'seq', type: BIGINT },
  { name: 'event_type', type: STRING },
  { name: 'occurred_at', type: TIMESTAMP },
  { name: 'global_position', type: BIGINT },
];
const sources: readonly Source[] = [
  {
    source: { kind: 'events', aggregate: 'A' },
    columns: [...envelope, ...taken.payload.map(({ name, type }) => ({ name: `data.${name}`, type }))],
  },
];

/** Values of each kind, which also cause divisions by zero and overflows. */
const leaves = {
  INT: [0, 1, -2, 2_147_483_647],
  BIGINT: ['0', '7', '9007199254740993', '-4000000000', '9223372036854775807'],
  DECIMAL: ['0.00', '1.50', '-2.25', '0.01', '999999.99'],
  DOUBLE: [0, 0.5, -1.25, 3, 1e300],
  BOOLEAN: [true, false],
  TIMESTAMP: ['2026-01-01T00:00:00.000000Z', '2025-12-31T23:59:59.999999Z'],
  DATE: ['2026-01-01', '1969-12-31'],
  STRING: ['', 'a', 'B', 'ä', 'b\u{1f600}'],
} as const;

function happen(chance: Chance): Happened {
  const block = chance.pick([opened, moved]);
  const given = block.fields.flatMap(({ name, type }) => {
    const [first, ...others] = leaves[type.kind as keyof typeof leaves]; // the kinds declared above
    return chance.below(4) === 0 ? [] : [[name, chance.pick<unknown>([first, ...others])] as const];
  });
  return { type: block.name, stream: chance.pick(['s1', 's2', 's3']), data: Object.fromEntries(given) };
}

function projection(name: string, query: BoundQuery): ProjectionBlock {
  return { kind: 'projection', name, query, queryText: '', aggregates: ['A'], expansion: 1, text: '', references: [] };
}

/** A projection with at least one fold, and with small enough scans for the naive evaluator. */
function foldable(chance: Chance, name: string): ProjectionBlock {
  for (;;) {
    const made = projection(name, randomQuery(chance.below, sources, 1 + chance.below(2)));
    const parts = answerParts(made.query, events, name, { kept: true });
    const scanned = parts.flatMap((part) => (part.by === 'scan' ? part.reads : []));
    if (parts.length > scanned.length && scanned.length <= 1) return made;
  }
}
const events = createCatalog(blocks);

function rowsOf(query: BoundQuery, source: string): BoundQuery {
  const { columns } = query;
  const items = columns.map(({ name, ...facts }) => ({ kind: 'column', relation: 0, column: name, ...facts }) as const);
  return {
    columns,
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items,
      from: { kind: 'relation', id: 0, source: { kind: 'projection', projection: source } },
      groupBy: [],
      aggregated: false,
    },
    orderBy: [],
  };
}

async function outcome(rows: () => Promise<readonly (readonly Value[])[]>): Promise<unknown> {
  try {
    return (await rows()).map(identity).toSorted();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

async function answers(store: Store, catalog: Catalog): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const block of catalog.blocks.projection) {
    const compiled = compileQuery(rowsOf(block.query, block.name), catalog);
    all.push(await outcome(() => store.tables.query(compiled, [])));
  }
  return all;
}

/** A table is given up only when a scan of all rows of one of its folds fails as well. */
async function checkKept(store: Store, { sqlite: { folds = [] } }: ReadModelDefinition): Promise<void> {
  for (const { table, readings } of folds) {
    const exists = `SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = '${table}'`;
    const [row] = await store.tables.query(query(exists, [column('kept', BIGINT)]), []);
    if (row?.[0] !== 0n) continue;
    const scans = readings.map(({ name }) =>
      outcome(() => store.tables.query(query(`SELECT * FROM "${name}"`, []), [])),
    );
    const failed = (await Promise.all(scans)).some((scanned) => typeof scanned === 'string');
    assert.ok(failed, `${table} was given up without need`);
  }
}

async function withStore<T>(definition: ReadModelDefinition, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openTestedStore();
  try {
    await store.tables.adopt(definition);
    return await work(store);
  } finally {
    await store.close();
  }
}

const numRuns = Number(process.env['SCHEMAC_RUNS'] ?? 20);
const seed = Number(process.env['SCHEMAC_SEED'] ?? Date.now() % 2 ** 31);

test(`a fold, its scan and the naive evaluator agree in any grouping of events (seed ${seed})`, async () => {
  const property = fc.asyncProperty(fc.nat(), async (number) => {
    const chance = createChance(number);
    const projections = ['P0', 'P1', 'P2', 'P3', 'P4', 'P5'].map((name) => foldable(chance, name));
    const catalog = createCatalog([...blocks, ...projections]);
    const definition = { ...createReadModelDefinition(catalog), meta: [] };
    const history = Array.from({ length: chance.below(24) }, () => happen(chance));

    const folded = await withStore(definition, async (store) => {
      for (let at = 0; at < history.length;) {
        const size = 1 + chance.below(6);
        await appendEvents(store, 'A', history.slice(at, at + size));
        if (chance.below(2) === 0) await answers(store, catalog);
        at += size;
      }
      await checkKept(store, definition);
      return answers(store, catalog);
    });
    const scanned = await withStore({ ...definition, sqlite: { ...definition.sqlite, folds: [] } }, async (store) => {
      await appendEvents(store, 'A', history);
      return answers(store, catalog);
    });
    const world = naiveWorld(catalog, { A: history });
    for (const [index, { query: asked }] of projections.entries()) {
      const naive = await outcome(() => Promise.resolve(runNaively(asked, world)));
      const [fold, scan] = [folded[index], scanned[index]];
      const text = () => JSON.stringify([compileQuery(asked, catalog).sqlite.sql, history]);
      // An engine may compute an unused aggregate, or skip values without effect, and with them a failure.
      if (typeof naive !== 'string' && typeof scan !== 'string') assert.equal(scan, naive, `scan: ${text()}`);
      // A fold must not fail where its scan does not.
      if (typeof scan !== 'string' || typeof fold === 'string') assert.equal(fold, scan, `fold: ${text()}`);
    }
  });
  await fc.assert(property, { numRuns, seed });
});

test.run();
