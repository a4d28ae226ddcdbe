/**
 * A stored event reads alike everywhere: as a row of the read model, as a row that folds take, and as the answer to a command that is sent
 * again. Events are stored under random definitions and read under later ones.
 */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Domain } from '../../language/contract/domain.ts';
import type { EventRow, FoldDefinition } from '../../language/contract/fold.ts';
import type { AggregateTable } from '../../language/contract/read-model.ts';
import type { Type, Value } from '../../language/values/type.ts';
import { createHotFolds } from '../../runtime/engine/hot-folds.ts';
import { storedEvent } from '../../runtime/engine/repeated.ts';
import type { StoredEvent } from '../../runtime/store/entry.ts';
import { createEventReader } from '../../runtime/store/event-reader.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { bigint, column, none, query } from '../contract/accounts.ts';

type Field = AggregateTable['events'][number]['fields'][number];

const decimal = (precision: number, scale: number): Type => ({ kind: 'DECIMAL', precision, scale });
/** Types of a field that can follow each other, narrow ones first, and what was stored as the first of them. */
const lines: readonly (readonly [types: readonly Type[], stored: fc.Arbitrary<unknown>])[] = [
  [[{ kind: 'INT' }, { kind: 'BIGINT' }], fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })],
  [[{ kind: 'INT' }, decimal(18, 4)], fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })],
  [[{ kind: 'BIGINT' }, decimal(38, 2)], fc.bigInt({ min: -(2n ** 55n), max: 2n ** 55n }).map(String)],
  [
    [decimal(5, 2), decimal(12, 2), decimal(18, 6)],
    fc.integer({ min: 0, max: 99_999 }).map((n) => (n / 100).toFixed(2)),
  ],
  [[{ kind: 'STRING' }], fc.string({ unit: 'binary' })],
  [[{ kind: 'BOOLEAN' }], fc.boolean()],
  [[{ kind: 'DOUBLE' }], fc.double({ noNaN: true, noDefaultInfinity: true })],
  [[{ kind: 'TIMESTAMP' }], fc.constantFrom('2026-01-01T08:00:00.000001Z', '1969-12-31T23:59:59.999999Z')],
  [[{ kind: 'DATE' }], fc.constantFrom('1969-12-31', '2026-02-28')],
  [[{ kind: 'LIST', of: bigint }], fc.array(fc.bigInt({ min: 0n, max: 2n ** 60n }).map(String), { maxLength: 3 })],
];
const names = ['a', 'b', 'Total', 'constructor', '__proto__', 'ü'] as const;

interface Case {
  readonly fields: readonly Field[];
  readonly payload: string;
}

/** Events with their stored fields: spelled as they were, with fields that are gone, without fields that are new. */
const cases: fc.Arbitrary<Case> = fc
  .array(
    fc.record({
      name: fc.constantFrom(...names),
      line: fc.nat({ max: lines.length - 1 }),
      later: fc.nat({ max: 2 }),
      is: fc.constantFrom('kept', 'kept', 'kept', 'gone', 'new', 'null', 'volatile'),
      upper: fc.boolean(),
      seed: fc.nat(),
    }),
    { maxLength: 6 },
  )
  .map((drawn) => {
    const unique = drawn.filter((one, at) => drawn.findIndex(({ name }) => name === one.name) === at);
    const fields: Field[] = [];
    const stored: [string, unknown][] = [];
    for (const { name, line, later, is, upper, seed } of unique) {
      const [types, values] = lines[line] ?? lines[4] ?? [[], fc.constant(null)];
      const type = types[Math.min(later, types.length - 1)] ?? { kind: 'STRING' };
      if (is !== 'gone') fields.push({ name, type, volatile: is === 'volatile', tag: false });
      const value: unknown = is === 'null' ? null : fc.sample(values, { seed, numRuns: 1 })[0];
      if (is !== 'new') stored.push([upper ? name.toUpperCase() : name, value]);
    }
    return {
      fields,
      payload: `{${stored.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
    };
  });

function tableOf(fields: readonly Field[]): AggregateTable {
  return {
    aggregate: 'A',
    payload: fields.map(({ name, type }) => ({ name, type })),
    events: [{ name: 'E', fields }],
  };
}

const stored = (data: string): StoredEvent => ({
  position: 1,
  id: 'i',
  type: 'E',
  version: 1,
  streamType: 'A',
  streamId: '1',
  seq: 1,
  data,
});

/** The row that a fold is given when the event is appended. */
async function foldRow(table: AggregateTable, event: StoredEvent): Promise<EventRow | undefined> {
  const rows: EventRow[] = [];
  const fold: FoldDefinition<object> = {
    id: 'f',
    aggregate: 'A',
    byStream: true,
    key: (row) => [row['stream_id'] ?? null],
    initial: () => ({}),
    evolve: (_, row) => rows.push(row),
    load: query('SELECT 1', []),
  };
  const lookups = [{ fold, key: () => null, mustExist: false }];
  const domain = {
    decisions: [{ state: { folds: lookups } }],
    reactions: [],
    readModel: { ...none, aggregates: [table] },
  };
  const folds = createHotFolds(domain as unknown as Domain, new Uint8Array(4)); // nothing else of it is looked at
  await folds.state({ query: () => Promise.resolve([]) }, fold, ['1'], true);
  folds.evolve([event], 5n);
  return rows[0];
}

async function modelRow(
  table: AggregateTable,
  event: StoredEvent,
  tell: (notes: readonly string[]) => void = () => undefined,
): Promise<readonly Value[]> {
  const store = await openMemoryStore();
  try {
    await store.tables.adopt({ ...none, aggregates: [table] });
    const entry = { kind: 'command', command: 'C', streamType: 'A', streamId: '1', events: [event] } as const;
    await store.turns.exclusively((turn) => turn.append(entry, 5n));
    const columns = [column('seq', bigint), ...table.payload.map(({ name, type }) => column(name, type))];
    const selected = ['seq', ...table.payload.map(({ name }) => `"d$${name}"`)].join(', ');
    const rows = await store.tables.query(query(`SELECT ${selected} FROM "e$A"`, columns), []);
    tell(store.notes());
    return rows[0]?.slice(1) ?? [];
  } finally {
    await store.close();
  }
}

test('the read model, folds and replayed answers read any stored event the same way', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ fields, payload }) => {
      const table = tableOf(fields);
      const event = stored(payload);
      const values = createEventReader('E', fields).values(event, 5n);
      assert.equal(await modelRow(table, event), values);
      const row = await foldRow(table, event);
      assert.equal(
        fields.map(({ name }) => row?.[`data.${name}`]),
        values,
      );
      const told = storedEvent(
        event,
        5n,
        createEventReader(
          'E',
          fields.map((field) => ({ ...field, sensitive: false })),
        ),
      );
      assert.equal(
        told.fields.map(({ value }) => value),
        values,
      );
    }),
    { numRuns: 60 },
  );
});

const text: Type = { kind: 'STRING' };
const int: Type = { kind: 'INT' };
const fields = [
  { name: 'a', type: int, volatile: false },
  { name: 'Name', type: text, volatile: false },
  { name: 'ticket', type: text, volatile: true },
  { name: 'wide', type: decimal(12, 2), volatile: false },
];
const reader = createEventReader('E', fields);
for (const [title, data, values, unread] of [
  ['nothing', '{}', [null, null, null, null], []],
  ['all of it', '{"a":1,"Name":"x","wide":"1.50"}', [1, 'x', null, 150n], []],
  ['other letters', '{"A":1,"NAME":"x"}', [1, 'x', null, null], []],
  ['both spellings', '{"name":"old","Name":"now"}', [null, 'now', null, null], []],
  ['a field that became VOLATILE', '{"ticket":"t"}', [null, null, null, null], []],
  ['narrower numbers', '{"wide":7}', [null, null, null, 700n], []],
  ['NULL', '{"a":null}', [null, null, null, null], []],
  ['fields that are gone', '{"Gone":1,"a":2,"__proto__":3}', [2, null, null, null], ['gone', '__proto__']],
] as const) {
  test(`an event with ${title}`, () => {
    const event = stored(data);
    const told: string[] = [];
    reader.leaves(event, 5n, (name) => told.push(name));
    assert.equal([reader.values(event, 5n), told], [values, unread]);
  });
}

test('a value that its field cannot have is NULL in the read model and in folds, and is told', async () => {
  const broken: readonly (readonly [type: Type, value: unknown])[] = [
    [{ kind: 'TIMESTAMP' }, '0000-12-31T23:59:12.000000Z'],
    [{ kind: 'DATE' }, '0000-12-31'],
    [{ kind: 'INT' }, 1.5],
    [{ kind: 'BIGINT' }, 'x'],
    [{ kind: 'BOOLEAN' }, 'yes'],
    [decimal(5, 2), {}],
  ];
  const own = broken.map(([type], at) => ({ name: `f${at}`, type, volatile: false, tag: false }));
  const table = tableOf([...own, { name: 'good', type: int, volatile: false, tag: false }]);
  const event = stored(
    JSON.stringify({ ...Object.fromEntries(broken.map(([, value], at) => [`f${at}`, value])), good: 7 }),
  );
  const expected = [...broken.map(() => null), 7];
  const row = await foldRow(table, event);
  assert.equal(
    table.payload.map(({ name }) => row?.[`data.${name}`]),
    expected,
  );
  const again = storedEvent(
    event,
    5n,
    createEventReader(
      'E',
      table.events.flatMap(({ fields: all }) => all.map((field) => ({ ...field, sensitive: false }))),
    ),
  );
  assert.equal(
    again.fields.map(({ value }) => value),
    expected,
  );
  const notes: (readonly string[])[] = [];
  assert.equal(await modelRow(table, event, (told) => notes.push(told)), expected);
  assert.equal(notes, [
    own.map(({ name }) => `event 1 (E, A 1, seq 1): '${name}' is stored as no value of the type, and read as NULL`),
  ]);
});

test('a stream with such a value is named to decisions until the field is gone', async () => {
  const at: Field = { name: 'at', type: { kind: 'TIMESTAMP' }, volatile: false, tag: false };
  const good: Field = { name: 'good', type: int, volatile: false, tag: false };
  const store = await openMemoryStore();
  const asked = async (own: readonly Field[]): Promise<unknown> => {
    await store.tables.adopt({ ...none, aggregates: [tableOf(own)] });
    const named = await store.turns.exclusively(async (turn) => {
      await turn.query(query('SELECT 1', []), []);
      return [turn.unreadable('A', '1'), turn.unreadable('A', '2'), turn.unreadable('B', '1')];
    });
    return [named, store.notes()];
  };
  try {
    const event = stored('{"at":"0000-12-31T23:59:12.000000Z","good":7}');
    const entry = { kind: 'command', command: 'C', streamType: 'A', streamId: '1', events: [event] } as const;
    await store.tables.adopt({ ...none, aggregates: [tableOf([at, good])] });
    await store.turns.exclusively((turn) => turn.append(entry, 5n));
    const text = "event 1 (E, A 1, seq 1): 'at' is stored as no value of the type, and read as NULL";
    assert.equal(await asked([at, good]), [[text, undefined, undefined], [text]]);
    assert.equal(await asked([good]), [[undefined, undefined, undefined], []]);
  } finally {
    await store.close();
  }
});

test('a damaged record is reported', () => {
  assert.throws(() => reader.values(stored('{"a":"x"}'), 5n), /stored data is no INT/);
});

test.run();
