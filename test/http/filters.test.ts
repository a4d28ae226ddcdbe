/** Filters, order, columns and counts of reads, sentence by sentence (docs/http.md#filters-order-columns). */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const test = suite('filters');
const server = await startSample({ services: true });
test.after(() => server.stop());

const lang = readFileSync(new URL('./items.schema', import.meta.url), 'utf8').replace(/^--.*\n/, '');
assert.is((await server.post('/api/lang/create', { lang })).status, 201);
for (const item of [
  {
    id: 'a',
    name: 'Apple',
    qty: 1,
    price: '1.50',
    ok: true,
    at: '2026-01-31T00:00:00Z',
    day: '2026-01-31',
    big: '9007199254740993',
    ratio: 0.5,
    ref: 'r-1',
    note: { x: 1 },
    secret: 's',
    order: 7,
    select: 'S',
  },
  { id: 'b', name: 'Bär', qty: 2, price: '12.30', ok: false, big: '9007199254740992' },
  { id: 'c' },
  { id: 'd', name: '100%', qty: 5, price: 3 },
  { id: 'e', name: '', qty: 2 },
  { id: 'f', name: 'a,b "c"', qty: -1 },
  { id: 'g', name: '\u{1f600}', qty: 3 },
  { id: 'h', name: '\uff5e\\', qty: 4 },
])
  assert.is((await server.post('/api/aggregates/Item/execute/AddItem', item)).status, 200);

const stock = '/api/projections/Stock/query?select=item&order=item&';
const state = '/api/aggregates/Item?select=aggregate_id&';
const events = '/api/aggregates/Item/events?select=stream_id&';
const names = '/api/projections/Names/query?select=id&';

/** A URL, and the values of the only column in its rows, run together, or the error. */
const reads: readonly (readonly [url: string, rows: string])[] = [
  // Equal filters on all three kinds of relation.
  [`${stock}qty=2`, 'be'],
  [`${state}qty=2`, 'be'],
  [`${events}stream_id=b`, 'b'],
  [`${stock}qty[lt]=2`, 'af'],
  [`${state}qty[lte]=2`, 'abef'],
  [`${events}seq[gt]=0&global_position[gte]=7`, 'gh'],
  [`${stock}qty[gt]=3`, 'dh'],
  [`${state}QTY[gt]=3`, 'dh'],
  [`${stock}qty%5Bgt%5D=3`, 'dh'],
  // A column may have a filter and operators, and all must hold.
  [`${stock}qty[gte]=2&qty[lt]=5&qty[ne]=3`, 'beh'],
  [`${stock}qty=2&qty[lt]=5&name=`, 'e'],
  // NULL is found by nothing but [null]=true.
  [`${stock}qty[ne]=2`, 'adfgh'],
  [`${stock}qty[null]=true`, 'c'],
  [`${stock}qty[null]=false&qty[lt]=2`, 'af'],
  [`${stock}ok[ne]=true`, 'b'],
  [`${stock}note[null]=false`, 'a'],
  [`${stock}qty[null]=TRUE`, "parameter 'qty[null]' takes true or false, not 'TRUE'"],
  [`${events}data[null]=true`, ''],
  [`${events}tags[null]=false&limit=1`, 'a'],
  // Lists: fields of CSV, not trimmed.
  [`${stock}qty[in]=1,2,-1`, 'abef'],
  [`${stock}qty[in]="1",5`, 'ad'],
  [`${stock}name[in]="a,b ""c""",Apple`, 'af'],
  [`${stock}name[in]=`, 'e'],
  [`${stock}name[in]=,Apple`, 'ae'],
  [`${stock}name[in]=%20Apple`, ''],
  [`${stock}name[in]=x"y,Apple`, 'a'],
  [`${stock}qty[in]=`, "column 'qty' takes INT (a whole number from -2147483648 to 2147483647), not ''"],
  [`${stock}qty[in]=1,x`, "column 'qty' takes INT (a whole number from -2147483648 to 2147483647), not 'x'"],
  [`${stock}name[in]="a`, "parameter 'name[in]' has a double quote that is not closed"],
  [`${stock}name[in]="a"b`, "parameter 'name[in]' has text behind the closing quote of 'a': 'b'"],
  [`${stock}qty[in]=${'1,'.repeat(1000)}1`, "parameter 'qty[in]' lists 1001 values; at most 1000 are allowed"],
  [`${stock}qty[in]=${'1,'.repeat(999)}1`, 'a'],
  // Patterns: case counts, the escape is a backslash.
  [`${stock}name[like]=A%25`, 'a'],
  [`${stock}name[like]=a%25`, 'f'],
  [`${stock}name[like]=B_r`, 'b'],
  [`${stock}name[like]=%25\\%25`, 'd'],
  [`${stock}name[like]=_\\\\`, 'h'],
  [`${stock}name[like]=*`, ''],
  [`${stock}name[like]=x\\`, "the pattern of 'name[like]' ends with its escape character; write \\\\ for a backslash"],
  [`${stock}name[like]=x\\\\`, ''],
  // Operators of other systems, and operators that a type does not have.
  [
    `${stock}name[ilike]=a`,
    "'name[ilike]' is no filter on column 'name', which is STRING; allowed: name, name[lt], name[lte], name[gt], name[gte], name[ne], name[in], name[like], name[null]",
  ],
  ...['eq', 'is', '*', '', 'LT'].map(
    (operator) =>
      [
        `${stock}ok[${operator}]=1`,
        `'ok[${operator}]' is no filter on column 'ok', which is BOOLEAN; allowed: ok, ok[ne], ok[in], ok[null]`,
      ] as const,
  ),
  [
    `${stock}ok[lt]=true`,
    "'ok[lt]' is no filter on column 'ok', which is BOOLEAN; allowed: ok, ok[ne], ok[in], ok[null]",
  ],
  [
    `${stock}qty[like]=1`,
    "'qty[like]' is no filter on column 'qty', which is INT; allowed: qty, qty[lt], qty[lte], qty[gt], qty[gte], qty[ne], qty[in], qty[null]",
  ],
  [`${stock}note=1`, "column 'note' is JSON and has no values to compare with; allowed: note[null]"],
  [`${events}data[lt]=1`, "'data[lt]' is no filter on column 'data', which is STRUCT; allowed: data[null]"],
  [`${stock}name=eq.Apple`, ''],
  // Values fit their type exactly; texts compare by code point.
  [`${stock}name[lt]=${encodeURIComponent('\u{1f600}')}&name[gte]=b`, 'h'],
  [`${stock}price=1.5`, 'a'],
  [`${stock}price[lte]=12.3&price[gt]=1.50`, 'bd'],
  [`${stock}big=9007199254740993`, 'a'],
  [`${stock}big[lt]=9007199254740993`, 'b'],
  [`${stock}ratio[gte]=5e-1`, 'a'],
  [`${stock}at[lte]=2026-01-31T02:00:00%2B02:00`, 'a'],
  [`${stock}day[gt]=2026-01-30`, 'a'],
  [`${stock}ref[gte]=r-0`, 'a'],
  [`${stock}qty=1.5`, "column 'qty' takes INT (a whole number from -2147483648 to 2147483647), not '1.5'"],
  [`${stock}price=1.555`, "column 'price' takes DECIMAL(10,2) (8 digits before the point and 2 after), not '1.555'"],
  [`${stock}ok=TRUE`, "column 'ok' takes BOOLEAN, not 'TRUE'"],
  [`${stock}ratio=NaN`, "column 'ratio' takes DOUBLE, not 'NaN'"],
  [
    `${stock}at=2026-01-31T02:00:00+02:00`,
    "column 'at' takes TIMESTAMP (as 2026-01-31T08:00:00Z), not '2026-01-31T02:00:00 02:00'; a + in a query string is a blank, write %2B for a plus sign",
  ],
  // Repeated: after decoding, whatever the case.
  [`${stock}qty=1&QTY=1`, "parameter 'QTY' is given twice"],
  [`${stock}qty[lt]=1&.qty%5Blt%5D=1`, "parameter '.qty[lt]' is given twice"],
  ['/api/projections/Stock/query?order=item&order=qty', "parameter 'order' is given twice"],
  // Parameter names win; a point in front makes any name a column's.
  [`${stock}.order=7`, 'a'],
  [`${stock}.order[gt]=6&.select=S`, 'a'],
  [`${stock}.qty=1`, 'a'],
  [
    `${stock}order[gt]=6`,
    "there is no parameter 'order[gt]'; allowed: limit, offset, order, select, as_of, item, name, qty, price, ok, at, day, big, ratio, ref, .order, .select",
  ],
  // An exact name of a column wins.
  [`${names}a[lt]=2`, 'be'],
  [`${names}A[LT]=2`, 'be'],
  [`${names}a[lte]=9007199254740992`, 'b'],
  [`${names}%3Cscript%3E=5`, 'd'],
  [`${names}a,b=Apple&__proto__=Apple&true=Apple&constructor=Apple`, 'a'],
  [`${names}x.desc=3`, 'd'],
  [`${names}?column?=true`, 'a'],
  [`${names}..dot=Apple`, 'a'],
  [`${names}..dot[like]=A%25`, 'a'],
  [`${names}say "hi"=Apple`, 'a'],
  [
    `${names}.dot=Apple`,
    `there is no parameter '.dot'; allowed: limit, offset, order, select, as_of, id, <script>, a[lt], a, a,b, x.desc, x, __proto__, true, ?column?, ..dot, say "hi", constructor`,
  ],
  [
    `${names}toString=x`,
    `there is no parameter 'toString'; allowed: limit, offset, order, select, as_of, id, <script>, a[lt], a, a,b, x.desc, x, __proto__, true, ?column?, ..dot, say "hi", constructor`,
  ],
  // A sensitive column is neither compared nor sorted by.
  [`${stock}secret=s`, "column 'secret' is sensitive and cannot be filtered by"],
  [`${stock}secret[null]=true`, "column 'secret' is sensitive and cannot be filtered by"],
  ['/api/projections/Stock/query?order=secret', "column 'secret' is sensitive and cannot be sorted by"],
  ['/api/projections/Stock/query?select=secret&item=a', '****'],
  // Projections are filtered behind their own LIMIT, and DISTINCT.
  ['/api/projections/Top/query?select=id', 'cdh'],
  ['/api/projections/Top/query?select=id&id=a', ''],
  ['/api/projections/Top/query?select=id&qty[gte]=5', 'd'],
  ['/api/projections/Top/query?select=id&order=id.desc&limit=2', 'hd'],
  ['/api/projections/Kinds/query?qty[in]=2,5', '25'],
  // Order: NULLs as in the language; ties by the relation's own order, so that pages fit.
  ['/api/projections/Stock/query?select=item', 'cdhgbeaf'],
  ['/api/projections/Stock/query?select=item&order=qty', 'fabeghdc'],
  ['/api/projections/Stock/query?select=item&order=qty.asc.nullsfirst', 'cfabeghd'],
  ['/api/projections/Stock/query?select=item&order=qty.desc', 'cdhgbeaf'],
  ['/api/projections/Stock/query?select=item&order=qty.desc.nullslast', 'dhgbeafc'],
  ['/api/projections/Stock/query?select=item&order=qty.nullsfirst,item.desc', 'cfaebghd'],
  ['/api/projections/Stock/query?select=item&order=ok,item.desc', 'bahgfedc'],
  ['/api/projections/Stock/query?select=item&order=ok', 'bacdhgef'],
  ['/api/projections/Stock/query?select=item&order=ok&offset=2&limit=3', 'cdh'],
  ['/api/projections/Stock/query?select=item&order=ok&offset=5&limit=3', 'gef'],
  ['/api/aggregates/Item?select=aggregate_id&order=ok', 'bacdefgh'],
  ['/api/projections/Names/query?select=id&order="a,b"&limit=3', 'eda'],
  ['/api/projections/Names/query?select=id&order=x.desc&limit=3', 'adb'],
  ['/api/projections/Names/query?select=id&order=x.desc.desc.nullslast&limit=3', 'bda'],
  ['/api/projections/Names/query?select=id&order="x".desc.nullslast&limit=3', 'bda'],
  ['/api/projections/Names/query?select=id&order=X.DESC.nullsfirst&limit=1', 'c'],
  [
    '/api/projections/Kinds/query?order=qty.descending',
    "order: there is no column 'qty.descending'; allowed: qty, each with .asc or .desc, .nullsfirst or .nullslast",
  ],
  [
    '/api/projections/Kinds/query?order=qty.nullsfirst.desc',
    "order: there is no column 'qty.nullsfirst.desc'; allowed: qty, each with .asc or .desc, .nullsfirst or .nullslast",
  ],
  [
    '/api/projections/Kinds/query?order=',
    "order: there is no column ''; allowed: qty, each with .asc or .desc, .nullsfirst or .nullslast",
  ],
  [
    '/api/projections/Kinds/query?order=qty, qty',
    "order: there is no column ' qty'; allowed: qty, each with .asc or .desc, .nullsfirst or .nullslast",
  ],
  ['/api/projections/Kinds/query?order=qty,QTY.desc', "order names column 'qty' twice"],
  ['/api/projections/Kinds/query?order="qty"up', "order has text behind the closing quote of 'qty': 'up'"],
  ['/api/projections/Kinds/query?order="qty', 'order has a double quote that is not closed'],
  ['/api/projections/Stock/query?order=note', "column 'note' is JSON and cannot be sorted by"],
  ['/api/aggregates/Item/events?order=data', "column 'data' is STRUCT and cannot be sorted by"],
  // Events: by position in pages, backwards too; any other order is computed whole.
  [`${events}order=global_position`, 'abcdefgh'],
  [`${events}order=global_position.desc`, 'hgfedcba'],
  [`${events}order=global_position.desc&limit=2&offset=1`, 'gf'],
  [`${events}order=global_position.desc&after=5`, 'hgf'],
  [`${events}order=global_position.desc,seq&stream_id[lt]=d`, 'cba'],
  [`${events}order=stream_id.desc&limit=3`, 'hgf'],
  [`${events}order=seq&after=6`, 'gh'],
  ['/api/aggregates/Item/events/b?select=stream_id&order=seq.desc', 'b'],
  // Columns: hidden ones, keys as declared, in the order asked for.
  ['/api/aggregates/Item?select=QTY&qty=5', '5'],
  ['/api/aggregates/Item/events?select=aggregate_id&limit=2', 'ab'],
  ['/api/projections/Names/query?select="a,b"&id=a', 'Apple'],
  ['/api/projections/Names/query?select="say ""hi"""&id=a', 'Apple'],
  ['/api/projections/Kinds/query?select=*', "select: there is no column '*'; allowed: qty"],
  ['/api/projections/Kinds/query?select=', "select: there is no column ''; allowed: qty"],
  ['/api/projections/Kinds/query?select=qty,qty', "select names column 'qty' twice"],
  ['/api/projections/Kinds/query?select=qty.desc', "select: there is no column 'qty.desc'; allowed: qty"],
  ['/api/projections/Kinds/query?select="qty"x', "select has text behind the closing quote of 'qty': 'x'"],
  // A single stream: its state takes filters and columns, but has no order.
  ['/api/aggregates/Item/a?select=qty', '1'],
  ['/api/aggregates/Item/a?select=qty&qty[gt]=1', ''],
  ['/api/aggregates/Item/nope?qty=1', "aggregate 'Item' has no stream 'nope'"],
  [
    '/api/aggregates/Bike/nope?order=model',
    "there is no parameter 'order'; allowed: limit, offset, select, as_of, aggregate_id, model, price, .limit, receipt, rider",
  ],
  // Registry routes take pages only.
  ['/api/reg/events?name=x', "there is no parameter 'name'; allowed: limit, offset, as_of"],
  // Everything that is wrong, in one answer.
  [
    '/api/projections/Kinds/query?limit=x&colour=red&taste=sweet&qty=a&order=no&select=no',
    "6 parameters are wrong: parameter 'limit' takes a whole number from 0, not 'x'; there is no parameter 'colour' (allowed: limit, offset, order, select, as_of, qty); there is no parameter 'taste'; column 'qty' takes INT (a whole number from -2147483648 to 2147483647), not 'a'; order: there is no column 'no' (allowed: qty, each with .asc or .desc, .nullsfirst or .nullslast); select: there is no column 'no' (allowed: qty)",
  ],
];

for (const [url, expected] of reads) {
  test(url.slice(0, 200), async () => {
    const answer = await server.get(url, { Accept: 'application/json' });
    const body = (await answer.json()) as readonly object[] | { readonly error: string };
    const shown = 'error' in body ? body.error : body.map((row) => Object.values(row).map(String).join()).join('');
    assert.is(shown, expected);
  });
}

test('keys are those of the declaration, in the order of the list', async () => {
  const answer = await server.get('/api/aggregates/Item/events?select=TIMESTAMP,Seq,data&limit=1', {
    Accept: 'text/csv',
  });
  assert.match(await answer.text(), /^timestamp,seq,data\r\n2/);
});

/** Total of each URL with `Prefer: count=exact`. */
const totals: readonly (readonly [url: string, total: string | null])[] = [
  ['/api/aggregates/Item', '8'],
  ['/api/aggregates/Item?limit=3', '8'],
  ['/api/aggregates/Item?limit=3&offset=6', '8'],
  ['/api/aggregates/Item?limit=0', '8'],
  ['/api/aggregates/Item?offset=100', '8'],
  ['/api/aggregates/Item?qty=2&limit=1', '2'],
  ['/api/aggregates/Item/a', '1'],
  ['/api/projections/Top/query?limit=1', '3'],
  ['/api/projections/Stock/query?name[null]=true', '1'],
  ['/api/projections/Stock/query?name=nope', '0'],
  ['/api/aggregates/Item/events?limit=1&after=3', '5'],
  ['/api/aggregates/Item/events?order=stream_id&limit=1', '8'],
  ['/api/aggregates/Item/events/b', '1'],
  ['/api/reg/events', null],
  ['/api/aggregates/Bike/inspect/preview', null],
];

for (const [url, total] of totals) {
  test(`total of ${url}`, async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(server.url + url, { method, headers: { Prefer: 'count=exact' } });
      const { headers } = answer;
      assert.equal(
        [answer.status, headers.get('schemac-total'), headers.get('preference-applied'), headers.get('content-range')],
        [200, total, total === null ? null : 'count=exact', null],
      );
      assert.is(headers.get('vary')?.includes('Prefer'), total !== null);
      await answer.arrayBuffer();
    }
  });
}

test('preferences: case, quotes and other preferences; unknown and ill-formed ones are ignored', async () => {
  for (const [prefer, counted] of [
    ['count=exact', true],
    ['respond-async, Count="exact"; x=1', true],
    ['count = EXACT', true],
    ['count=exact, count=none', true],
    ['count=none, count=exact', false],
    ['count=planned', false],
    ['count', false],
    ['count="exact', false],
    ['discount=exact', false],
    ['', false],
  ] as const) {
    const { status, headers } = await server.get('/api/aggregates/Item', { Prefer: prefer });
    assert.equal([prefer, status, headers.get('schemac-total')], [prefer, 200, counted ? '8' : null]);
  }
});

test('a 304 carries the count that its request asks for', async () => {
  for (const url of ['/api/aggregates/Item?limit=1', '/api/aggregates/Item/events/a', '/api/projections/Top/query']) {
    const first = await server.get(url);
    await first.arrayBuffer();
    const tag = first.headers.get('etag') ?? '';
    const again = await server.get(url, { 'If-None-Match': tag, Prefer: 'count=exact' });
    const total = (await server.get(url, { Prefer: 'count=exact' })).headers.get('schemac-total');
    assert.equal([again.status, again.headers.get('schemac-total')], [304, total]);
    assert.is(again.headers.get('vary')?.includes('Prefer'), true);
  }
});

test('a long reading backwards has every event once, in every form', async () => {
  await server.append(3000, 5);
  const url = '/api/aggregates/Bike/events?order=global_position.desc&stream_id[in]=S-1,S-2&select=global_position,seq';
  const json = (await (await server.get(url, { Accept: 'application/json' })).json()) as { global_position: number }[];
  assert.is(json.length, 600);
  assert.ok(
    json.every(({ global_position: at }, index) => index === 0 || at < (json[index - 1]?.global_position ?? 0)),
  );
  const csv = await (await server.get(url, { Accept: 'text/csv' })).text();
  assert.is(csv, `global_position,seq\r\n${json.map((row) => `${Object.values(row).join(',')}\r\n`).join('')}`);
});

test.run();
