/**
 * Random chains of definitions over random histories: every event reads as its clause says, computed by hand from what was stored; in
 * `$Events`, in `$Agg`, in the states that decisions read, in replayed outcomes, in an archive, after a start without the derived files, and in
 * another store that imports the export; with the read model in memory and on disk.
 */
import { owner } from '../../server/operation/caller.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import fc from 'fast-check';
import { rmSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { exportStore } from '../../runtime/store/transfer/export-store.ts';
import { importStore } from '../../runtime/store/transfer/import-store.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import type { Store } from '../../runtime/store/store.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { readableAggregates } from '../../server/operation/export/readable-aggregate.ts';
import { startRegistry } from '../../server/start/start-registry.ts';
import { domainOf } from '../kit/domain.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell>>;
type TypeName = 'INT' | 'BIGINT' | 'STRING' | 'BOOLEAN';
type Shape = Readonly<Record<string, TypeName>>;
interface Stored {
  readonly event: string;
  readonly shape: Shape;
  readonly payload: Row;
  readonly seq: number;
}
/** An expression as text, and by hand. */
interface Expression {
  readonly text: string;
  readonly of: (event: Stored) => Cell | boolean;
}
interface Definition {
  readonly event: string;
  readonly shape: Shape;
  readonly clauses: ReadonlyMap<
    string,
    { readonly text: string; readonly values: Readonly<Record<string, Expression>> }
  >;
}

const rounds = Number(process.env['ROUNDS'] ?? 6);
/** The long form has the read model on disk as well, where a change takes longer than a busy machine may allow it. */
const engines = rounds > 6 ? (['memory', 'disk'] as const) : (['memory'] as const);
const names = ['a', 'b', 'c', 'Kind', 'from'] as const;
const keyOf = (event: string, shape: Shape): string =>
  `${event}(${Object.keys(shape)
    .sort()
    .map((name) => `${name} ${shape[name] ?? ''}`)
    .join(', ')})`;

function expressionsOf(type: TypeName, shape: Shape): readonly Expression[] {
  const fields = Object.entries(shape);
  const over = (wanted: TypeName, text: (name: string) => string, of: (cell: Cell) => Cell | boolean): Expression[] =>
    fields
      .filter(([, own]) => own === wanted)
      .map(([name]) => ({ text: text(`"${name}"`), of: ({ payload }) => of(payload[name] ?? null) }));
  const numbers = (of: (value: number) => Cell | boolean) => (cell: Cell) => (cell === null ? null : of(Number(cell)));
  const texts = (of: (value: string) => Cell | boolean) => (cell: Cell) => (cell === null ? null : of(String(cell)));
  switch (type) {
    case 'INT':
      return [
        { text: '7', of: () => 7 },
        ...over(
          'INT',
          (name) => `${name} * 2 + 1`,
          numbers((value) => value * 2 + 1),
        ),
        ...over(
          'STRING',
          (name) => `LENGTH(${name})`,
          texts((value) => value.length),
        ),
      ];
    case 'BIGINT':
      return [
        { text: ':seq', of: ({ seq }) => seq },
        ...over(
          'INT',
          (name) => `${name} * 1000`,
          numbers((value) => value * 1000),
        ),
        ...over(
          'BIGINT',
          (name) => `COALESCE(${name}, -1)`,
          (cell) => cell ?? -1,
        ),
      ];
    case 'STRING':
      return [
        { text: ':stream_id', of: () => 't' },
        ...over('INT', (name) => `CAST(${name} AS STRING)`, numbers(String)),
        ...over(
          'STRING',
          (name) => `UPPER(${name}) || '!'`,
          texts((value) => `${value.toUpperCase()}!`),
        ),
        ...over(
          'BOOLEAN',
          (name) => `CASE WHEN ${name} THEN 'yes' ELSE 'no' END`,
          (cell) => (cell === null ? 'no' : String(cell) === 'true' ? 'yes' : 'no'),
        ),
      ];
    case 'BOOLEAN':
      return [
        { text: 'TRUE', of: () => true },
        ...over(
          'INT',
          (name) => `${name} > 3`,
          numbers((value) => value > 3),
        ),
        ...over(
          'STRING',
          (name) => `${name} IS NULL`,
          (cell) => cell === null,
        ),
      ];
  }
}

/** Fields of an event under a definition: its own fields as stored, or the values of its clause. */
function read(event: Stored, { event: now, shape, clauses }: Definition): Readonly<Record<string, Cell | boolean>> {
  const clause = clauses.get(keyOf(event.event, event.shape));
  const isPresent = event.event === now && keyOf(now, event.shape) === keyOf(now, shape);
  return Object.fromEntries(
    Object.entries(shape).map(([name, type]) => {
      if (isPresent) return [name, event.payload[name] ?? null];
      const value = clause?.values[name];
      if (value !== undefined) return [name, value.of(event)];
      const widened = event.shape[name] === type || (event.shape[name] === 'INT' && type === 'BIGINT');
      return [name, widened ? (event.payload[name] ?? null) : null];
    }),
  );
}

interface Draw {
  readonly pick: <T>(all: readonly T[]) => T;
  readonly chance: (percent: number) => boolean;
}

function draws(seed: number): Draw {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    pick: <T>(all: readonly T[]) => all[Math.floor(next() * all.length)] as T, // never asked of an empty list
    chance: (percent) => next() * 100 < percent,
  };
}

const typeNames: readonly TypeName[] = ['INT', 'BIGINT', 'STRING', 'BOOLEAN'];

/** The next definition, with a clause for each stored shape; sometimes under another name. */
function nextDefinition(before: Definition, shapes: ReadonlyMap<string, Stored>, draw: Draw): Definition {
  const shape = Object.fromEntries(names.filter(() => draw.chance(60)).map((name) => [name, draw.pick(typeNames)]));
  const event = draw.chance(30) ? `E${Number(before.event.slice(1)) + 1}` : before.event;
  const clauses = new Map<string, { text: string; values: Record<string, Expression> }>();
  for (const [key, sample] of shapes) {
    if (sample.event === event && keyOf(event, sample.shape) === keyOf(event, shape)) continue;
    const values: Record<string, Expression> = {};
    for (const [name, type] of Object.entries(shape)) {
      const old = sample.shape[name];
      const carries = old === undefined || old === type || (old === 'INT' && type === 'BIGINT');
      if (!carries || draw.chance(50)) values[name] = draw.pick(expressionsOf(type, sample.shape));
    }
    const old = Object.entries(sample.shape).map(([name, type]) => `"${name}" ${type}`);
    const assigned = Object.entries(values).map(([name, { text }]) => `"${name}" := ${text}`);
    const from = sample.event === event ? '' : `EVENT ${sample.event} `;
    clauses.set(key, { text: `UPCAST FROM ${from}(${old.join(', ')}) AS (${assigned.join(', ')})`, values });
  }
  return { event, shape, clauses };
}

async function run(session: OpenSession, text: string): Promise<readonly Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for await (const outcome of session.run({ name: 'chain.schema', text })) {
    const told = JSON.parse(outcomeJson(outcome)) as Record<string, unknown>;
    assert.is.not(told['kind'], 'error', `${JSON.stringify(told)}\n${text}`);
    found.push(told);
  }
  return found;
}

function statements({ event, shape, clauses }: Definition, before: Definition): string {
  const fields = Object.entries(shape).map(([name, type]) => `"${name}" ${type}`);
  const own: Record<TypeName, string> = { INT: ':i', BIGINT: ':i * 3', STRING: ':s', BOOLEAN: ':i > 0' };
  const assigned = Object.entries(shape).map(([name, type]) => `"${name}" := ${own[type]}`);
  const last = Object.keys(shape).map((name) => `LAST(data."${name}") AS "x_${name}"`);
  const columns = ['COUNT(*) AS n', ...last].join(', ');
  const texts = Array.from(clauses.values(), (clause) => clause.text);
  return `${before.event === event ? '' : `DROP EVENT ${before.event};`}
    CREATE OR REPLACE EVENT ${event} (${fields.join(', ')}) ${texts.join('\n')};
    CREATE DECISION PutIt FOR T ON COMMAND Put EMIT AS SELECT EVENT ${event} (${assigned.join(', ')});
    CREATE DECISION AskIt FOR T ON COMMAND Ask STATE AS SELECT ${columns} FROM Reg."T$Events" WHERE stream_id = :id
    EMIT AS SELECT EVENT Asked () WHERE n < 0;`;
}

const dropDecisions = 'DROP DECISION AskIt; DROP DECISION PutIt;';

/** Compares everything that shows the events with the expected rows. */
async function compare(session: OpenSession, stored: readonly Stored[], definition: Definition): Promise<void> {
  const wanted = stored.map((event) => [event.seq, definition.event, event.event, read(event, definition)]);
  const [events, state, asked] = await run(
    session,
    `SELECT seq, event_type, stored_type, data FROM Reg."T$Events" ORDER BY seq; SELECT * FROM Reg."T$Agg"; EXECUTE Ask(id := 't');`,
  );
  assert.equal(events?.['rows'], wanted);
  const last = (name: string): Cell | boolean =>
    stored.map((event) => read(event, definition)[name] ?? null).findLast((cell) => cell !== null) ?? null;
  const fields = Object.keys(definition.shape);
  const columns = (state?.['columns'] ?? []) as readonly { readonly name: string }[];
  const expected = columns.map(({ name }) => (name === 'aggregate_id' ? 't' : last(name)));
  assert.equal(state?.['rows'], stored.length === 0 ? [] : [expected]);
  assert.equal(asked?.['rejection'], {
    ...(asked?.['rejection'] as object),
    state: { n: stored.length, ...Object.fromEntries(fields.map((name) => [`x_${name}`, last(name)])) },
  });
}

/** Compares the lines that `log export` writes for the events into an archive. */
async function compareArchive(
  { engine }: OpenSession,
  stored: readonly Stored[],
  definition: Definition,
): Promise<void> {
  const table = readableAggregates(engine.domain(), owner).find(({ name }) => name === 'T');
  const rows: Record<string, unknown>[] = [];
  for await (const entry of engine.store.log.read(1)) {
    if (entry.kind !== 'command') continue;
    for (const event of entry.events) {
      const values = table?.row(entry, event) ?? [];
      const shown = (table?.columns ?? []).map(({ field }, at): [string | undefined, unknown] => [field, values[at]]);
      const plain = shown.map(([field, value]) => [field, typeof value === 'bigint' ? Number(value) : value] as const);
      rows.push(Object.fromEntries(plain.filter(([field]) => field !== undefined && field in definition.shape)));
    }
  }
  assert.equal(
    rows,
    stored.map((event) => read(event, definition)),
  );
}

async function chain(seed: number, open: (fresh: boolean) => Promise<Store>): Promise<void> {
  const draw = draws(seed);
  const stored: Stored[] = [];
  const shapes = new Map<string, Stored>();
  const first: Definition = { event: 'E1', shape: { a: 'INT', b: 'STRING' }, clauses: new Map() };
  let definition = first;
  let session = await openSession({ store: await open(true), version: '0.0.0' });
  await run(
    session,
    'CREATE AGGREGATE T; CREATE COMMAND Put (id STRING, i INT NULL, s STRING NULL); CREATE COMMAND Ask (id STRING); CREATE EVENT Asked ();',
  );
  await run(session, statements(first, first));
  for (let step = 0; step < 4; step++) {
    for (let count = draw.pick([0, 1, 2, 3]); count > 0; count--) {
      const i = draw.pick([null, -2, 5, 40]);
      const s = draw.pick([null, '', 'x', 'Gras']);
      const given = [`id := 't'`, ...(i === null ? [] : [`i := ${i}`]), ...(s === null ? [] : [`s := '${s}'`])];
      const id = `k-${stored.length}`;
      await run(session, `EXECUTE Put(${given.join(', ')}) WITH (command_id = '${id}');`);
      const own: Record<TypeName, Cell> = { INT: i, BIGINT: i === null ? null : i * 3, STRING: s, BOOLEAN: null };
      const payload = Object.fromEntries(
        Object.entries(definition.shape).map(([name, type]) => [
          name,
          type === 'BOOLEAN' ? ((i === null ? null : i > 0) as Cell) : own[type],
        ]),
      );
      const event = { event: definition.event, shape: definition.shape, payload, seq: stored.length + 1 };
      stored.push(event);
      shapes.set(keyOf(event.event, event.shape), event);
    }
    const next = nextDefinition(definition, shapes, draw);
    await run(session, `${dropDecisions} ${statements(next, definition)}`);
    definition = next;
    await compare(session, stored, definition);
    const [again] = stored;
    if (again !== undefined && step === 2) {
      const { a: i = null, b: s = null } = again.payload;
      if (again.event === 'E1' && keyOf('E1', again.shape) === keyOf('E1', first.shape)) {
        const given = [`id := 't'`, ...(i === null ? [] : [`i := ${i}`]), ...(s === null ? [] : [`s := '${s}'`])];
        const [told] = await run(session, `EXECUTE Put(${given.join(', ')}) WITH (command_id = 'k-0');`);
        assert.equal(told?.['events'], [
          { event_type: definition.event, stream_type: 'T', stream_id: 't', seq: 1, data: read(again, definition) },
        ]);
      }
    }
  }
  await compareArchive(session, stored, definition);
  const { store } = session.engine;
  const copy = await importStore(exportStore(store.log, store.secret), (secret) =>
    openMemoryStore({ readModel: 'inline', secret }),
  );
  await session.close();
  session = await openSession({ store: await open(false), version: '0.0.0' });
  await compare(session, stored, definition);
  await session.close();
  const imported = await openSession({ store: copy, version: '0.0.0' });
  await compare(imported, stored, definition);
  await imported.close();
}

test('random chains of definitions read random histories as their clauses say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      fc.boolean(),
      fc.constantFrom(...engines),
      (seed, keep, readEngine) =>
        withTempFolder((directory) =>
          chain(seed, (fresh) => {
            // Without its image the read model is built again from the log.
            if (!fresh && !keep)
              for (const name of readdirSync(directory))
                if (name.startsWith('snap')) rmSync(join(directory, name), { recursive: true });
            return openEmbeddedStore({
              directory,
              fsync: false,
              readModel: 'inline',
              readEngine,
              log: () => undefined,
            });
          }),
        ),
    ),
    { numRuns: rounds, includeErrorInReport: true, endOnFailure: true },
  );
});

const boxes = (event: string, value: string): string => `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
${event}
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (${value});`;

/** The payloads that a server started with these files shows. */
async function shownAfterStart(store: Store, text: string): Promise<unknown> {
  const options = {
    store,
    version: '0.0.0',
    modules: undefined,
    readOnly: false,
    accept: 'files',
    warn: () => undefined,
  } as const;
  const registry = await startRegistry({ ...options, domain: await domainOf(text) });
  const engine = await createReactingEngine({
    store,
    domain: registry.domain,
    clock: () => 1_700_000_000_000_000n,
    randomBytes: createSystemRandom(),
  });
  if (registry.entry !== undefined) await engine.adopt(registry.domain, registry.entry);
  const { select } = await registry.serve(engine)();
  const selection = { relation: 'Box$Events', columns: ['data'], filters: [], order: [] };
  const { query, parameters } = await select(engine.domain(), selection);
  const { rows } = unmasked(await engine.query(query, parameters, {}));
  return rows.map(([data]) => (data instanceof Map ? Object.fromEntries(data) : data));
}

test('a server that starts with changed files reads the stored events by their clauses, and so does the next start', async () => {
  const store = await openMemoryStore({ readModel: 'inline' });
  const session = await openSession({ store, version: '0.0.0' });
  await run(session, `${boxes('CREATE EVENT Added (n INT);', 'n := :n')} EXECUTE Put(box_id := 'b', n := 2);`);
  const clause = 'UPCAST FROM (n INT) AS (thousands := n * 1000)';
  const files = boxes(`CREATE EVENT Added (thousands BIGINT) ${clause};`, 'thousands := :n');
  assert.equal(await shownAfterStart(store, files), [{ thousands: 2000n }]);
  assert.equal(await shownAfterStart(store, files), [{ thousands: 2000n }]);
  const wrong = files.replace('n * 1000', 'n / (n - 2)');
  await shownAfterStart(store, wrong).then(
    () => assert.unreachable('a clause that fails on a stored event was accepted'),
    (error: unknown) => assert.match(String(error), /event 1 \(Box b, seq 1\): division by zero/),
  );
  assert.equal(await shownAfterStart(store, files), [{ thousands: 2000n }]);
  await store.close();
});

test.run();
