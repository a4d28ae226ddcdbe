import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientError } from '../../client/client-error.ts';
import type { ColumnType, Columns } from '../../client/column-types.ts';
import { events } from '../../client/events.ts';
import type { EventOptions, Rows } from '../../client/options.ts';
import { rows } from '../../client/rows.ts';
import { encodeTable } from '../../runtime/arrow/encode-table.ts';
import type { Column } from '../../language/contract/query.ts';
import { jsonObjects } from '../../server/http/representation/json.ts';
import type { Row } from '../../runtime/store/store.ts';
import { typeName, type Type, type Value } from '../../language/values/type.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { root } from '../kit/tool.ts';
import { scripted, type Reply } from './scripted.ts';

const column = (name: string, type: Type): Column => ({ name, type, nullable: true, sensitive: false });
const decimal = (precision: number, scale: number): Type => ({ kind: 'DECIMAL', precision, scale });
const columns: readonly Column[] = [column('id', { kind: 'BIGINT' }), column('label', { kind: 'STRING' })];
const read: Columns = { id: 'BIGINT', label: 'STRING' };
const table = (ids: readonly number[]): Uint8Array =>
  encodeTable({ columns, rows: ids.map((id): Row => [BigInt(id), `row ${id}`]) });
const idsOf = (found: readonly unknown[]): readonly number[] => found.map((row) => Number((row as { id: bigint }).id));

/** The received items, and the error if one followed. */
async function iterated(given: Rows<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  try {
    for await (const row of given) found.push(row);
  } catch (error) {
    found.push(error instanceof ClientError ? `${error.kind}: ${error.message}` : error);
  }
  return found;
}

test('rows are read from several record batches, from one, and from none', async () => {
  const many = Array.from({ length: 20_000 }, (_, id) => id);
  for (const ids of [many, [1], []]) {
    const on = scripted([{ body: table(ids) }, { body: table(ids) }]);
    const given = rows(on.connection, '/t', read, {});
    assert.equal(idsOf(await given), ids);
    assert.equal(idsOf(await iterated(given)), ids);
    assert.is(on.sent[0]?.headers['accept'], 'application/vnd.apache.arrow.stream');
    assert.is(on.given.ended, 0);
  }
});

test('without the package that reads Arrow the error says what to do', () =>
  withTempFolder(async (folder) => {
    const outfile = join(folder, 'rows.mjs');
    const entry = join(root, 'client/rows.ts');
    buildSync({ entryPoints: [entry], bundle: true, format: 'esm', external: ['apache-arrow'], outfile });
    const alone = (await import(pathToFileURL(outfile).href)) as { readonly rows: typeof rows };
    const failed = await alone.rows(scripted([{ body: table([1]) }]).connection, '/t', read, {}).then(
      () => 'rows came',
      (error: unknown) => (error as Error).message,
    );
    const how = "install it, or create the client with format: 'json'";
    assert.is(failed, `tables travel as Arrow, which is read by the package apache-arrow: ${how}`);
  }));

test('a stream cut at any byte is an error', async () => {
  const whole = table([1, 2, 3]);
  for (let end = 0; end < whole.length; end++) {
    const cut = { body: whole.subarray(0, end) };
    const once = scripted([cut], { attempts: 1 });
    assert.equal(
      (await iterated(rows(once.connection, '/t', read, {}))).at(-1),
      'unreachable: the answer ended too early',
      `at ${end}`,
    );
    const twice = scripted([cut, { body: whole }]);
    assert.equal(idsOf(await rows(twice.connection, '/t', read, {})), [1, 2, 3]);
  }
});

test('an iteration tries again before its first row, and fails after it', async () => {
  const whole = table([1, 2, 3]);
  const before = scripted(['gone', { body: whole.subarray(0, 8), then: 'cut' }, { body: whole }]);
  assert.equal(idsOf(await iterated(rows(before.connection, '/t', read, {}))), [1, 2, 3]);
  const after = scripted([{ body: whole.subarray(0, -8), then: 'cut' }, { body: whole }]);
  const found = await iterated(rows(after.connection, '/t', read, {}));
  assert.equal(found.pop(), 'unreachable: http://host:1 does not answer: terminated');
  assert.equal(idsOf(found), [1, 2, 3]);
});

test('a reader that stops ends the request', async () => {
  const on = scripted([{ body: table(Array.from({ length: 50_000 }, (_, id) => id)) }]);
  for await (const row of rows(on.connection, '/t', read, {})) if ((row as { id: bigint }).id === 3n) break;
  assert.is(on.given.ended, 1);
});

test('bytes that are not Arrow are an error, unknown columns are ignored, and of two equal names the first counts', async () => {
  const marked = Uint8Array.from([
    ...table([1]).subarray(0, 8),
    ...new Uint8Array(64).fill(7),
    255,
    255,
    255,
    255,
    0,
    0,
    0,
    0,
  ]);
  const [error] = await iterated(rows(scripted([{ body: marked }], { attempts: 1 }).connection, '/t', read, {}));
  assert.match(
    String(error),
    /^(damaged: the answer cannot be read as Arrow|unreachable: the answer ended too early)$/,
  );
  const twice = [...columns, column('id', { kind: 'STRING' }), column('more', { kind: 'INT' })];
  const body = encodeTable({ columns: twice, rows: [[1n, 'a', 'second', 5]] });
  assert.equal(await rows(scripted([{ body }]).connection, '/t', read, {}), [{ id: 1n, label: 'a' }]);
});

const eventColumns: readonly Column[] = [
  column('seq', { kind: 'BIGINT' }),
  column('event_type', { kind: 'STRING' }),
  column('data', {
    kind: 'STRUCT',
    fields: [
      { name: 'amount', type: decimal(12, 4) },
      { name: 'note', type: { kind: 'STRING' } },
    ],
  }),
  column('global_position', { kind: 'BIGINT' }),
];
const page = (positions: readonly number[]): Uint8Array =>
  encodeTable({
    columns: eventColumns,
    rows: positions.map((at): Row => [
      BigInt(at),
      at % 2 === 0 ? 'Even' : 'Odd',
      new Map<string, Value>([['amount', BigInt(at)]]),
      BigInt(at),
    ]),
  });
const positionsOf = (found: readonly unknown[]): readonly unknown[] =>
  found.map((event) => Number((event as { global_position: bigint }).global_position));

async function readEvents(replies: readonly (Reply | 'gone')[], given: EventOptions) {
  const on = scripted(replies, { attempts: 3 });
  const found = await iterated(events(on.connection, '/e', { Even: { amount: 'DECIMAL(12,2)' } }, given));
  return { found, urls: on.sent.map(({ url }) => url.replace('http://host:1/e', '')), pauses: on.pauses };
}

test('events are requested page by page, until a page is not full', async () => {
  const { found, urls } = await readEvents([{ body: page([3, 4]) }, { body: page([7, 8]) }, { body: page([]) }], {
    pageSize: 2,
    offset: 1,
  });
  assert.equal(positionsOf(found), [3, 4, 7, 8]);
  assert.equal(urls, ['?limit=2&offset=1', '?limit=2&after=4', '?limit=2&after=8']);
  assert.equal(
    found.map((event) => (event as { data: unknown }).data),
    [{ amount: '0.0003' }, { amount: '0.0004' }, { amount: '0.0007' }, { amount: '0.0008' }],
  );
});

test('events are limited in number, and start after a position', async () => {
  const { found, urls } = await readEvents([{ body: page([3, 4]) }, { body: page([7]) }], {
    pageSize: 2,
    limit: 3,
    after: 2n,
    where: { limit: 1 },
  });
  assert.equal(positionsOf(found), [3, 4, 7]);
  assert.equal(urls, ['?limit=2&after=2&.limit=1', '?limit=1&after=4&.limit=1']);
  assert.equal((await readEvents([], { limit: 0 })).urls, []);
});

test('a page that breaks off is continued after its last event, and only consecutive failures count', async () => {
  const broken = { body: page([1, 2]).subarray(0, -8), then: 'cut' } as const;
  const { found, urls, pauses } = await readEvents(
    ['gone', broken, 'gone', { body: page([5, 6, 7]).subarray(0, -8) }, 'gone', { body: page([8]) }],
    { pageSize: 3, limit: 9 },
  );
  assert.equal(positionsOf(found), [1, 2, 5, 6, 7, 8]);
  assert.equal(urls, [
    '?limit=3',
    '?limit=3',
    '?limit=3&after=2',
    '?limit=3&after=2',
    '?limit=3&after=7',
    '?limit=3&after=7',
  ]);
  assert.equal(pauses, [150, 150, 300, 150, 300]);
  const refusal = { status: 403, body: '{"error":"not yours"}' };
  assert.equal((await readEvents([refusal], {})).found, ['refused: not yours']);
  assert.equal((await readEvents([], {})).pauses, [150, 300]);
});

const scalars: readonly (readonly [type: Type, values: fc.Arbitrary<Value>])[] = [
  [{ kind: 'STRING' }, fc.string({ unit: 'binary' }).map((text) => text.replace(/\u0000|[\ud800-\udfff]/g, ''))],
  [{ kind: 'STRING', length: 20 }, fc.constantFrom('12.50', '1e5', 'null', '"')],
  [{ kind: 'UUID' }, fc.uuid()],
  [{ kind: 'INT' }, fc.integer()],
  [{ kind: 'BIGINT' }, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })],
  [decimal(18, 2), fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n })],
  [decimal(5, 0), fc.bigInt({ min: -99999n, max: 99999n })],
  [decimal(4, 4), fc.bigInt({ min: -9999n, max: 9999n })],
  [{ kind: 'DECIMAL', precision: 18, scale: 6, bare: true }, fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n })],
  [{ kind: 'DOUBLE' }, fc.double({ noNaN: true, noDefaultInfinity: true })],
  [{ kind: 'BOOLEAN' }, fc.boolean()],
  [{ kind: 'TIMESTAMP' }, fc.bigInt({ min: -62135596800000000n, max: 253402300799999999n })],
  [{ kind: 'DATE' }, fc.integer({ min: -719162, max: 2932896 })],
  [{ kind: 'JSON' }, fc.jsonValue().map((value) => JSON.stringify(value).replace(/\\u[0-9a-f]{4}/g, ''))],
];
const typed: fc.Arbitrary<{ readonly type: Type; readonly values: fc.Arbitrary<Value> }> = fc.oneof(
  fc.constantFrom(...scalars).map(([type, values]) => ({ type, values: fc.option(values) })),
  fc.constantFrom(...scalars).map(([type, values]) => ({
    type: { kind: 'LIST', of: type } as const,
    values: fc.option(fc.array(fc.option(values), { maxLength: 3 })),
  })),
  fc.constantFrom(...scalars).map(([type, values]) => ({
    type: { kind: 'STRUCT', fields: [{ name: '__proto__', type }] } as const,
    values: fc.option(fc.option(values).map((value) => new Map([['__proto__', value]]))),
  })),
);
function columnType(type: Type): ColumnType {
  if (type.kind === 'LIST') return { list: columnType(type.of) };
  if (type.kind === 'STRUCT')
    return { fields: Object.fromEntries(type.fields.map(({ name, type: of }) => [name, columnType(of)])) };
  return typeName(type);
}

test('Arrow and JSON give the same rows for any values', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(typed, { minLength: 1, maxLength: 4 }).chain((types) =>
        fc.record({
          types: fc.constant(types.map(({ type }) => type)),
          found: fc.array(fc.tuple(...types.map(({ values }) => values)), { maxLength: 10 }),
        }),
      ),
      async ({ types, found }) => {
        const given = types.map((type, at) => column(`c${at}`, type));
        const names = Object.fromEntries(types.map((type, at) => [`c${at}`, columnType(type)]));
        const json = scripted([{ body: `[${found.map(jsonObjects(given)).join(',')}]` }], { format: 'json' });
        const arrow = scripted([{ body: encodeTable({ columns: given, rows: found }) }]);
        const expected = await rows(json.connection, '/t', names, {});
        assert.equal(await rows(arrow.connection, '/t', names, {}), expected);
        assert.is(expected.length, found.length);
      },
    ),
    { numRuns: 200 },
  ));

test.run();
