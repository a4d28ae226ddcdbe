import { anyone } from '../../server/operation/caller.ts';
import { raw } from '../../runtime/engine/raw.ts';
import { shownTable } from '../../server/operation/shown.ts';
import { TextRefused } from '../../server/operation/text-refused.ts';
import { zoneVersion } from '../../language/values/zones/zone-table.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Column } from '../../language/contract/query.ts';
import type { Row } from '../../runtime/store/store.ts';
import { csvLines } from '../../server/http/representation/csv.ts';
import { openArrowReader } from '../arrow/arrow-reader.ts';
import { startSample } from './sample-server.ts';

const test = suite('answers');
const server = await startSample({
  create: (text) =>
    text.startsWith('CREATE')
      ? Promise.resolve({ registryVersion: 2, created: [{ kind: 'aggregate', name: 'Boat', change: 'created' }] })
      : Promise.reject(new TextRefused('lang', text.startsWith('SELECT') ? 'forbidden' : 'invalid', [`1:1 ${text}`])),
  query: ({ sql }) =>
    sql.startsWith('SELECT')
      ? Promise.resolve({ table: shownTable(raw({ columns: twice(sql), rows: [[1, 2]] }), anyone) })
      : Promise.reject(new TextRefused('sql', sql.startsWith('DROP') ? 'forbidden' : 'invalid', ['1:1 refused'])),
});
const reader = openArrowReader();
test.after(async () => {
  reader.close();
  await server.stop();
});

function twice(sql: string) {
  const named = (name: string) => ({ name, type: { kind: 'INT' } as const, nullable: false, sensitive: false });
  return sql.includes('twice') ? [named('n'), named('n')] : [named('n'), named('m')];
}

for (const [id, price, code] of [
  ['B-1', 12.3, 'secret-1'],
  ['B-2', '7.05', null],
  ['Zoë/ß', 100, 'secret-3'],
] as const) {
  await server.post('/api/aggregates/Bike/execute/RegisterBike', {
    bike_id: id,
    model: id === 'B-2' ? '' : 'Roadster',
    price,
    code,
    limit: id === 'B-1' ? 3 : null,
  });
}

const noRide = { receipt: null, rider: null };
const stateJson = [
  { aggregate_id: 'B-1', model: 'Roadster', price: 12.3, limit: 3, code: '****', ...noRide },
  { aggregate_id: 'B-2', model: '', price: 7.05, limit: null, code: null, ...noRide },
  { aggregate_id: 'Zoë/ß', model: 'Roadster', price: 100, limit: null, code: '****', ...noRide },
];
const orphan = { name: 'Orphan', field_count: 1, aggregate: null, checks: null, doc: null, allow: null };
const inspection = {
  name: 'preview',
  kind: 'Decision',
  input_table: 'renters',
  output_table: 'preview',
  full_sql: 'INSPECT DECISION Rent FROM renters INTO preview;',
};
const rejection =
  '{"decision":"Rent","guards":[{"branch":"Registered","guard":"current_model IS NOT NULL","terms":[{"term":"current_model IS NOT NULL","value":false,"operands":{"current_model":null}}]}],"state":{"current_model":null},"command":{"bike_id":"B-1","rider":"ada"}}';
const inspected = {
  event_id: 'an id',
  stream_type: 'Bike',
  stream_id: 'B-1',
  seq: null,
  event_type: '__REJECTED__',
  occurred_at: 'a time',
  data: null,
  rejection,
};

/** Values that differ in every run are replaced. */
function settled(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  return (body as readonly object[]).map((row) => ({
    ...row,
    ...('event_id' in row ? { event_id: 'an id', occurred_at: 'a time' } : {}),
  }));
}

/** Path, status, and the JSON form of the answer. */
const reads: readonly (readonly [path: string, status: number, body: unknown])[] = [
  ['/health', 200, { status: 'ok' }],
  ['/ready', 200, { status: 'ok' }],
  [
    '/info',
    200,
    {
      version: '0.1.0',
      readonly: false,
      concept_counts: {
        aggregates: 2,
        commands: 4,
        events: 3,
        decisions: 3,
        projections: 2,
        templates: 1,
        eventstores: 0,
        enums: 0,
        functions: 0,
        claims: 0,
        subscriptions: 0,
        reactions: 0,
      },
      interface: 'v0.1.0',
      registry_version: 1,
      zones: zoneVersion,
      store: process.env['SCHEMAC_TEST_STORE'] ?? 'memory',
    },
  ],
  [
    '/api/reg/aggregates',
    200,
    [
      { name: 'Bike', waits_for: null, doc: null, visible: null, clear: null },
      { name: 'Dock', waits_for: null, doc: null, visible: null, clear: null },
    ],
  ],
  ['/api/reg/aggregates?limit=1', 200, [{ name: 'Bike', waits_for: null, doc: null, visible: null, clear: null }]],
  [
    '/api/reg/aggregates?limit=1&offset=1',
    200,
    [{ name: 'Dock', waits_for: null, doc: null, visible: null, clear: null }],
  ],
  ['/api/reg/aggregates/Bike', 200, [{ name: 'Bike', waits_for: null, doc: null, visible: null, clear: null }]],
  ['/api/reg/aggregates/bike', 404, { error: "there is no aggregate 'bike'" }],
  ['/api/reg/aggregates/Bike/fields', 200, []],
  ['/api/reg/aggregates/Boat/fields', 404, { error: "there is no aggregate 'Boat'" }],
  ['/api/reg/commands?offset=1&limit=1', 200, [orphan]],
  [
    '/api/reg/commands/RentBike/fields',
    200,
    [
      { command_name: 'RentBike', field_name: 'bike_id', field_type: 'STRING', is_key: true, ordinal: 0, doc: null },
      { command_name: 'RentBike', field_name: 'rider', field_type: 'STRING', is_key: false, ordinal: 1, doc: null },
    ],
  ],
  ['/api/reg/events/BikeRented', 200, [{ name: 'BikeRented', field_count: 1, aggregate: 'Bike', doc: null }]],
  [
    '/api/reg/events/BikeRented/fields',
    200,
    [
      {
        event_name: 'BikeRented',
        field_name: 'rider',
        field_type: 'STRING',
        is_key: false,
        ordinal: 0,
        annotation: null,
        doc: null,
      },
    ],
  ],
  ['/api/reg/commands/Orphan', 200, [orphan]],
  ['/api/reg/decisions/Rent/emits', 200, [{ decision_name: 'Rent', event_name: 'BikeRented' }]],
  ['/api/reg/decisions/Open/emits', 200, [{ decision_name: 'Open', event_name: 'DockOpened' }]],
  [
    '/api/reg/projections/Fleet',
    200,
    [
      {
        name: 'Fleet',
        query_sql: 'SELECT model, COUNT(*) AS bikes FROM Reg."Bike$Agg" GROUP BY model ORDER BY model',
        event_types: 'BikeRegistered, BikeRented',
        waits_for: null,
        doc: null,
        visible: null,
        clear: null,
      },
    ],
  ],
  [
    '/api/reg/templates/Crud/params',
    200,
    [{ template_name: 'Crud', param_name: 'Name', param_type: null, ordinal: 0 }],
  ],
  ['/api/reg/templates/Crud/instances', 200, []],
  ['/api/reg/eventstores', 200, []],
  ['/api/reg/inspections', 200, [inspection]],
  ['/api/reg/inspections/preview', 200, [inspection]],
  ['/api/reg/inspection/preview', 200, [inspection]],
  ['/api/reg/inspection/none', 404, { error: "there is no inspection 'none'" }],
  ['/api/reg/widgets', 404, { error: 'there is no resource at this path' }],
  ['/api/aggregates/Bike', 200, stateJson],
  ['/api/aggregates/Bike/state', 200, stateJson],
  ['/api/aggregates/Bike/state?limit=1&offset=1', 200, stateJson.slice(1, 2)],
  ['/api/aggregates/Bike/state?limit=0', 200, []],
  ['/api/aggregates/Bike/state?model=', 200, stateJson.slice(1, 2)],
  ['/api/aggregates/Bike/state?MODEL=Roadster&price=100.00', 200, stateJson.slice(2)],
  ['/api/aggregates/Bike/state?.limit=3', 200, stateJson.slice(0, 1)],
  ['/api/aggregates/Bike/state?aggregate_id=Zo%C3%AB%2F%C3%9F', 200, stateJson.slice(2)],
  ['/api/aggregates/Bike/B-1', 200, stateJson.slice(0, 1)],
  ['/api/aggregates/Bike/Zo%C3%AB%2F%C3%9F', 200, stateJson.slice(2)],
  ['/api/aggregates/Bike/B-1?model=Roadster&.limit=3', 200, stateJson.slice(0, 1)],
  ['/api/aggregates/Bike/B-1?model=other', 200, []],
  ['/api/aggregates/Bike/B-9', 404, { error: "aggregate 'Bike' has no stream 'B-9'" }],
  ['/api/aggregates/Dock/B-1', 404, { error: "aggregate 'Dock' has no stream 'B-1'" }],
  ['/api/aggregates/Dock/state', 200, []],
  ['/api/aggregates/Boat/state', 404, { error: "there is no aggregate 'Boat'" }],
  [
    '/api/aggregates/Bike/events?limit=1',
    200,
    [
      {
        event_id: 'an id',
        stream_type: 'Bike',
        stream_id: 'B-1',
        seq: 1,
        event_type: 'BikeRegistered',
        occurred_at: 'a time',
        data: { model: 'Roadster', price: 12.3, limit: 3, code: '****', receipt: null },
        global_position: 1,
      },
    ],
  ],
  ['/api/aggregates/Bike/events?after=3', 200, []],
  ['/api/aggregates/Bike/events/none', 200, []],
  ['/api/aggregates/Bike/inspect/preview', 200, [inspected]],
  ['/api/aggregates/Bike/inspect/output/preview', 200, [inspected]],
  ['/api/aggregates/Bike/inspect/input/renters', 200, [{ column1: 'B-1', column2: 'ada' }]],
  ['/api/aggregates/Bike/inspect/renters', 200, [{ column1: 'B-1', column2: 'ada' }]],
  ['/api/aggregates/Bike/inspect/preview__branches?offset=1', 200, []],
  [
    '/api/aggregates/Bike/inspect/Preview',
    404,
    { error: "no inspection of aggregate 'Bike' recorded a table 'Preview'" },
  ],
  [
    '/api/aggregates/Bike/inspect/input/preview',
    404,
    { error: "no inspection of aggregate 'Bike' recorded a table 'preview'" },
  ],
  [
    '/api/aggregates/Dock/inspect/preview',
    404,
    { error: "no inspection of aggregate 'Dock' recorded a table 'preview'" },
  ],
  ['/api/aggregates/Bike/inspect', 404, { error: 'there is no resource at this path' }],
  ['/api/aggregates/Bike/execute', 404, { error: 'there is no resource at this path' }],
  ['/api/aggregates/Bike/%65xecute', 404, { error: 'there is no resource at this path' }],
  ['/api/aggregates/Bike/%63ommands', 404, { error: 'there is no resource at this path' }],
  [
    '/api/projections/Fleet/query',
    200,
    [
      { model: '', bikes: 1 },
      { model: 'Roadster', bikes: 2 },
    ],
  ],
  ['/api/projections/Fleet/query?limit=1&offset=1', 200, [{ model: 'Roadster', bikes: 2 }]],
  ['/api/projections/None/query', 404, { error: "there is no projection 'None'" }],
  ['/api/projections/fleet/query', 404, { error: "there is no projection 'fleet'" }],
  // Parameters.
  ['/api/aggregates/Bike/state?limit=-1', 400, { error: "parameter 'limit' takes a whole number from 0, not '-1'" }],
  ['/api/aggregates/Bike/state?limit=', 400, { error: "parameter 'limit' takes a whole number from 0, not ''" }],
  ['/api/aggregates/Bike/state?limit=1e3', 400, { error: "parameter 'limit' takes a whole number from 0, not '1e3'" }],
  [
    '/api/aggregates/Bike/state?offset=9007199254740993',
    400,
    { error: "parameter 'offset' takes a whole number from 0, not '9007199254740993'" },
  ],
  ['/api/aggregates/Bike/state?limit=1&limit=1', 400, { error: "parameter 'limit' is given twice" }],
  [
    '/api/aggregates/Bike/state?LIMIT=1',
    400,
    {
      error:
        "there is no parameter 'LIMIT'; allowed: limit, offset, order, select, as_of, aggregate_id, model, price, .limit, receipt, rider",
    },
  ],
  [
    '/api/aggregates/Bike/events?tags.x=1&limit=1',
    400,
    {
      error:
        "there is no parameter 'tags.x'; allowed: limit, offset, after, until, order, select, as_of, follow, heartbeat, names, tag, event_id, stream_type, stream_id, seq, event_type, occurred_at, timestamp, global_position, event_version, command_id, correlation_id, causation_id, aggregate_id, stored_type",
    },
  ],
  ['/api/aggregates/Bike/B-1?code=secret', 400, { error: "column 'code' is sensitive and cannot be filtered by" }],
  ['/api/aggregates/Bike/state?model=a&Model=b', 400, { error: "parameter 'Model' is given twice" }],
  [
    '/api/aggregates/Bike/state?colour=red',
    400,
    {
      error:
        "there is no parameter 'colour'; allowed: limit, offset, order, select, as_of, aggregate_id, model, price, .limit, receipt, rider",
    },
  ],
  [
    '/api/aggregates/Bike/state?after=1',
    400,
    {
      error:
        "there is no parameter 'after'; allowed: limit, offset, order, select, as_of, aggregate_id, model, price, .limit, receipt, rider",
    },
  ],
  ['/api/aggregates/Bike/state?code=secret-1', 400, { error: "column 'code' is sensitive and cannot be filtered by" }],
  [
    '/api/aggregates/Bike/state?price=1.234',
    400,
    { error: "column 'price' takes DECIMAL(8,2) (6 digits before the point and 2 after), not '1.234'" },
  ],
  [
    '/api/aggregates/Bike/state?.limit=x',
    400,
    { error: "column 'limit' takes INT (a whole number from -2147483648 to 2147483647), not 'x'" },
  ],
  [
    '/api/aggregates/Bike/events?after=x',
    400,
    { error: "parameter 'after' takes a whole number from 0, or end, not 'x'" },
  ],
  [
    '/api/aggregates/Bike/events?data=x',
    400,
    { error: "column 'data' is STRUCT and has no values to compare with; allowed: data[null]" },
  ],
  [
    '/api/aggregates/Bike/events?tags=x',
    400,
    { error: "column 'tags' is STRING[] and has no values to compare with; allowed: tags[null]" },
  ],
  [
    '/api/aggregates/Bike/events?occurred_at=yesterday',
    400,
    { error: "column 'occurred_at' takes TIMESTAMP (as 2026-01-31T08:00:00Z), not 'yesterday'" },
  ],
  [
    '/api/aggregates/Bike/state?model=%FF',
    400,
    { error: 'the query string is not percent-encoded UTF-8 text without NUL' },
  ],
  [
    '/api/aggregates/Bike/state?model=%00',
    400,
    { error: 'the query string is not percent-encoded UTF-8 text without NUL' },
  ],
  [
    '/api/aggregates/Bike/state?model=%ED%A0%80',
    400,
    { error: 'the query string is not percent-encoded UTF-8 text without NUL' },
  ],
  ['/api/projections/Fleet/query?model=x', 200, []],
  ['/info?limit=1', 400, { error: "there is no parameter 'limit'; allowed: none" }],
  // Paths.
  [
    '/api/aggregates/Bi%20ke/state',
    400,
    { error: "{agg} in the path takes an identifier of 1 to 63 letters, digits and _, not 'Bi ke'" },
  ],
  [
    '/api/aggregates/Bike$Agg/state',
    400,
    { error: "{agg} in the path takes an identifier of 1 to 63 letters, digits and _, not 'Bike$Agg'" },
  ],
  [
    `/api/reg/events/${'x'.repeat(64)}`,
    400,
    { error: `{name} in the path takes an identifier of 1 to 63 letters, digits and _, not '${'x'.repeat(60)}…'` },
  ],
  ['/api/aggregates/%FF/state', 400, { error: '{agg} in the path is not percent-encoded UTF-8 text without NUL' }],
  ['/api/aggregates/Bike/%00', 400, { error: '{id} in the path is not percent-encoded UTF-8 text without NUL' }],
  [`/api/aggregates/Bike/${'x'.repeat(257)}`, 400, { error: '{id} in the path is longer than 256 characters' }],
  ['/api/aggregates/Bike/state/', 404, { error: 'there is no resource at this path' }],
  ['/API/aggregates/Bike/state', 404, { error: 'there is no resource at this path' }],
  ['/health/', 404, { error: 'there is no resource at this path' }],
  ['/', 404, { error: 'there is no resource at this path' }],
  ['//health', 404, { error: 'there is no resource at this path' }],
];

for (const [path, status, body] of reads) {
  test(`GET ${path}`, async () => {
    const answer = await server.get(path, { Accept: 'application/json' });
    assert.equal([answer.status, settled(await answer.json())], [status, body]);
    const head = await fetch(server.url + path, { method: 'HEAD', headers: { Accept: 'application/json' } });
    assert.equal(
      [head.status, await head.text(), head.headers.get('content-type')],
      [status, '', answer.headers.get('content-type')],
    );
    if (status >= 400) {
      const problem = await server.get(path, { Accept: 'application/json, application/problem+json' });
      const { type, title, detail, code, errors, ...rest } = (await problem.json()) as Record<string, unknown>;
      assert.is(problem.headers.get('content-type'), 'application/problem+json');
      const told = [{ error: detail }, rest, type, typeof title, Array.isArray(errors)];
      assert.equal(told, [body, { status }, `urn:schemac:${String(code)}`, 'string', true]);
    }
    if (status < 300) assert.is(head.headers.get('etag'), answer.headers.get('etag'));
  });
}

test('tables in Arrow', async () => {
  const answer = await server.get('/api/aggregates/Bike/state');
  assert.is(answer.headers.get('content-type'), 'application/vnd.apache.arrow.stream');
  assert.equal(await reader.read(Buffer.from(await answer.arrayBuffer())), {
    columns: [
      'aggregate_id: Utf8 not null',
      'model: Utf8',
      'price: Decimal128(8,2)',
      'limit: Int32',
      'code: Utf8',
      'receipt: Utf8',
      'rider: Utf8',
    ],
    batches: [3],
    rows: [
      ['B-1', 'Roadster', '1230', 3, '****', null, null],
      ['B-2', '', '705', null, null, null, null],
      ['Zoë/ß', 'Roadster', '10000', null, '****', null, null],
    ],
  });
  const events = await server.get('/api/aggregates/Bike/events?stream_id=B-2');
  const { columns, batches, rows } = await reader.read(Buffer.from(await events.arrayBuffer()));
  assert.equal(
    [columns, batches],
    [
      [
        'event_id: Utf8 not null',
        'stream_type: Utf8 not null',
        'stream_id: Utf8 not null',
        'seq: Int64 not null',
        'event_type: Utf8 not null',
        'occurred_at: Timestamp<MICROSECOND, UTC> not null',
        'data: Struct<model: Utf8, price: Decimal128(8,2), limit: Int32, code: Utf8, receipt: Utf8, rider: Utf8>',
        'global_position: Int64 not null',
      ],
      [1],
    ],
  );
  const data = { model: '', price: '705', limit: null, code: null, receipt: null, rider: null };
  assert.equal(
    [rows.length, rows[0]?.slice(1, 5), rows[0]?.slice(6)],
    [1, ['Bike', 'B-2', '1', 'BikeRegistered'], [data, '2']],
  );
  const none = await reader.read(Buffer.from(await (await server.get('/api/aggregates/Dock/state')).arrayBuffer()));
  assert.equal([none.columns, none.rows], [['aggregate_id: Utf8 not null', 'opened_by: Utf8'], []]);
});

test('tables in JSON write decimals with their scale, and in CSV tell NULL from empty', async () => {
  const json = await (await server.get('/api/aggregates/Bike/state', { Accept: 'application/json' })).text();
  assert.match(json, '"price":12.30,');
  const csv = await server.get('/api/aggregates/Bike/state', { Accept: 'text/csv' });
  assert.is(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  const lines = [
    'aggregate_id,model,price,limit,code,receipt,rider',
    'B-1,Roadster,12.30,3,****,,',
    'B-2,"",7.05,,,,',
    'Zoë/ß,Roadster,100.00,,****,,',
  ];
  assert.is(await csv.text(), lines.map((line) => `${line}\r\n`).join(''));
});

test('CSV for a spreadsheet has no text that it runs as a formula', () => {
  const column = (name: string, type: Column['type']): Column => ({ name, type, nullable: true, sensitive: false });
  const columns = [column('=note', { kind: 'STRING' }), column('n', { kind: 'INT' }), column('doc', { kind: 'JSON' })];
  const rows: Row[] = [
    ['=1+1', -5, '-3'],
    ['+49 30', 7, '{"=":1}'],
    ['-', null, null],
    ['@sum', 0, '[1]'],
    ['\tx', 0, 'null'],
    ["'=1", 0, '1'],
    ['', 0, '"="'],
    ['a=1', 0, '1'],
  ];
  const written = (safe: boolean): readonly string[] => {
    const { header, line } = csvLines(columns, safe);
    return [header, ...rows.map(line)].map((text) => text.trimEnd());
  };
  assert.equal(written(true), [
    "'=note,n,doc",
    "'=1+1,-5,'-3",
    `'+49 30,7,"{""="":1}"`,
    "'-,,",
    "'@sum,0,[1]",
    "'\tx,0,null",
    "'=1,0,1",
    '"",0,"""="""',
    'a=1,0,1',
  ]);
  assert.equal(
    written(false).map((line) => line.split(',')[0]),
    ['=note', '=1+1', '+49 30', '-', '@sum', '"\tx"', "'=1", '""', 'a=1'],
  );
});

test('Accept', async () => {
  const wishes: readonly (readonly [accept: string, answered: string])[] = [
    ['*/*', 'application/vnd.apache.arrow.stream'],
    ['application/*', 'application/vnd.apache.arrow.stream'],
    ['text/*', 'text/csv; charset=utf-8'],
    ['APPLICATION/JSON', 'application/json; charset=utf-8'],
    ['application/json, text/plain, */*', 'application/json; charset=utf-8'],
    ['text/csv;q=0.5, application/json;q=0.4', 'text/csv; charset=utf-8'],
    ['application/json;q=0.5, */*;q=0.1', 'application/json; charset=utf-8'],
    ['*/*, application/vnd.apache.arrow.stream;q=0', 'application/json; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['text/html;q=0.5, application/json', 'application/json; charset=utf-8'],
    // Equal wishes are answered in the order Arrow, JSON, CSV, HTML.
    ['text/html, text/csv, application/json', 'application/json; charset=utf-8'],
    ['text/html, text/csv', 'text/csv; charset=utf-8'],
    ['text/html;q=0, text/*', 'text/csv; charset=utf-8'],
    ['text/csv; csv=safe', 'text/csv; charset=utf-8'],
    ['text/csv; header=present', 'text/csv; charset=utf-8'],
  ];
  for (const [accept, answered] of wishes) {
    const answer = await server.get('/api/projections/Fleet/query', { Accept: accept });
    assert.equal([accept, answer.status, answer.headers.get('content-type')], [accept, 200, answered]);
    await answer.arrayBuffer();
  }
  for (const accept of [
    'text/xml',
    'text/csv;csv=saef',
    'image/*',
    'text/html;q=0',
    'application/json;q=0',
    'application/json;q=0.0000',
  ]) {
    const answer = await server.get('/api/projections/Fleet/query', { Accept: accept });
    assert.equal(
      [answer.status, await answer.json()],
      [
        406,
        {
          error:
            'a table is available as application/vnd.apache.arrow.stream, application/json, text/csv, text/csv;csv=safe, text/html; Accept names none of them',
        },
      ],
    );
    assert.is((await server.get('/info', { Accept: accept })).status, 200);
  }
});

test('export', async () => {
  const answer = await server.get('/api/lang/export', { Accept: 'text/html' });
  assert.equal([answer.status, answer.headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
  assert.is(await answer.text(), server.engine.domain().exportText);
});

test('an answer that changes with the date has no entity tag', async () => {
  assert.is((await server.get('/api/projections/Today/query')).headers.get('etag'), null);
  assert.match((await server.get('/api/projections/Fleet/query')).headers.get('etag') ?? '', /^W/);
});

test('methods', async () => {
  const cases: readonly (readonly [method: string, path: string, status: number, allow: string | null])[] = [
    ['POST', '/health', 405, 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/aggregates/Bike/state', 405, 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/aggregates/Bike/B-1', 405, 'GET, HEAD, OPTIONS'],
    ['GET', '/api/aggregates/Bike/execute/RentBike', 405, 'POST, OPTIONS'],
    ['GET', '/api/query', 405, 'POST, OPTIONS'],
    ['POST', '/api/aggregates/Bike/execute', 404, null],
    ['POST', '/nope', 404, null],
    ['OPTIONS', '/api/aggregates/Bike/execute/RentBike', 204, 'POST, OPTIONS'],
    ['OPTIONS', '/api/aggregates/Bike/state', 204, 'GET, HEAD, OPTIONS'],
    ['OPTIONS', '/nope', 404, null],
  ];
  for (const [method, path, status, allow] of cases) {
    const answer = await fetch(server.url + path, { method });
    assert.equal([method, path, answer.status, answer.headers.get('allow')], [method, path, status, allow]);
  }
});

test('schema creation', async () => {
  const created = await server.post('/api/lang/create', { lang: 'CREATE AGGREGATE Boat;' });
  assert.equal(
    [created.status, await created.json()],
    [
      201,
      { status: 'created', registry_version: 2, created: [{ kind: 'aggregate', name: 'Boat', change: 'created' }] },
    ],
  );
  for (const [body, status] of [
    [{ lang: 'SELECT 1' }, 403],
    [{ lang: 'nonsense' }, 400],
    [{ lang: 1 }, 400],
    [{}, 400],
    [{ lang: 'CREATE', more: 1 }, 400],
    [{ lang: `CREATE ${'x'.repeat(900_000)}` }, 201],
    [{ lang: `CREATE ${'x'.repeat(1_100_000)}` }, 413],
  ] as const) {
    const answer = await server.post('/api/lang/create', body);
    assert.is(answer.status, status);
    const { error } = (await answer.json()) as { error?: unknown };
    assert.is(typeof error, status === 201 ? 'undefined' : 'string');
  }
});

test('console', async () => {
  const table = await server.post('/api/query', { sql: 'SELECT 1' });
  assert.equal([table.status, await table.json()], [200, [{ n: 1, m: 2 }]]);
  for (const [sql, accept, status] of [
    ['DROP TABLE x', 'application/json', 403],
    ['sel', 'application/json', 400],
    ['SELECT twice', 'application/json', 400],
    ['SELECT twice', 'text/csv', 400],
    ['SELECT twice', '*/*', 200],
  ] as const) {
    assert.is((await server.post('/api/query', { sql }, { Accept: accept })).status, status);
  }
});

test('a route that is not enabled answers 404', async () => {
  const plain = await startSample({ settings: { metrics: 'off' } });
  for (const path of ['/api/lang/create', '/api/query', '/metrics']) {
    const answer = await plain.post(path, { lang: '', sql: '' });
    assert.equal(
      [path, answer.status, await answer.json()],
      [path, 404, { error: 'there is no resource at this path' }],
    );
  }
  await plain.stop();
});

test.run();
