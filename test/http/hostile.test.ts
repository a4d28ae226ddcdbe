/** Hostile ids, names, keys, numbers and bytes: kept exactly when they are data, else refused with their name. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const test = suite('hostile');
const server = await startSample();
test.after(() => server.stop());

const register = '/api/aggregates/Bike/execute/RegisterBike';
const send = (body: string): Promise<Response> => server.post(register, body);
const json = { Accept: 'application/json' };

const ids: readonly string[] = [
  'x'.repeat(256),
  '😀'.repeat(256),
  'a/b',
  '/',
  '//',
  '../..',
  '..',
  '.',
  '%2F',
  '%',
  '%00',
  '?limit=1',
  '#',
  'a&b=c',
  'a+b',
  ' ',
  ' a ',
  'a;b',
  "a'b",
  'a"b',
  'a\\b',
  '`${x}`',
  'a\nb',
  'a\r\nSet-Cookie: x',
  'a\tb',
  '\u001b[2J',
  '\u007f',
  '\u0085',
  '\u2028\u2029',
  '\u202e',
  '\ufeff',
  '\uffff',
  'e\u0301',
  '\u00e9',
  'İ',
  'ß',
  '日本語',
  '👩‍👩‍👧‍👦',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '0',
  '-1',
  '1e3',
  'true',
  '*',
  '$Agg',
  '{{Name}}',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  'state ',
  'State',
];

for (const id of ids) {
  test(`id ${JSON.stringify(id).slice(0, 40)}`, async () => {
    const body = { bike_id: id, model: id.slice(0, 60), price: 1 };
    const sent = await server.post(register, body);
    assert.equal([sent.status, ((await sent.json()) as { stream_id: string }[])[0]?.stream_id], [200, id]);
    const path = encodeURIComponent(id);
    // Clients treat dots as folders, however they are written.
    const reads = [
      ...(id === '.' || id === '..' ? [] : [`/api/aggregates/Bike/${path}`, `/api/aggregates/Bike/events/${path}`]),
      `/api/aggregates/Bike/state?aggregate_id=${path}`,
      `/api/aggregates/Bike/events?stream_id=${path}`,
    ];
    for (const read of reads) {
      const answer = await server.get(read, json);
      const rows = (await answer.json()) as readonly { aggregate_id?: string; stream_id?: string }[];
      assert.equal([read, answer.status, rows.map((row) => row.aggregate_id ?? row.stream_id)], [read, 200, [id]]);
    }
  });
}

test('an id of 257 characters is refused', async () => {
  for (const id of ['x'.repeat(257), '😀'.repeat(257)]) {
    const sent = await send(JSON.stringify({ bike_id: id, model: 'm', price: 1 }));
    assert.equal(
      [sent.status, await sent.json()],
      [
        400,
        { error: "RegisterBike: argument 'bike_id' takes the id of a stream, of 1 to 256 characters, not one of 257" },
      ],
    );
    const read = await server.get(`/api/aggregates/Bike/${encodeURIComponent(id)}`);
    assert.equal([read.status, await read.json()], [400, { error: '{id} in the path is longer than 256 characters' }]);
  }
});

test('rows with ids like route names are found by a filter on their column', async () => {
  for (const id of ['state', 'events', 'inspect', 'execute']) {
    assert.is((await server.post(register, { bike_id: id, model: 'm', price: 1 })).status, 200);
    const rows = await (await server.get(`/api/aggregates/Bike/state?aggregate_id=${id}`, json)).json();
    assert.is((rows as unknown[]).length, 1);
  }
});

const argument = (member: string): string => `{"bike_id":"H-1","model":"m","price":1,${member}}`;
/** Bodies as text, because no serializer writes most of them. */
const refused: readonly (readonly [body: string, error: RegExp])[] = [
  ['{"bike_id":"","model":"m","price":1}', /bike_id/],
  ['{"bike_id":null,"model":"m","price":1}', /bike_id/],
  ['{"bike_id":["a"],"model":"m","price":1}', /bike_id/],
  ['{"bike_id":{"a":1},"model":"m","price":1}', /bike_id/],
  ['{"bike_id":"a","model":"m","price":1e400}', /price/],
  ['{"bike_id":"a","model":"m","price":1e-400}', /price/],
  [`{"bike_id":"a","model":"m","price":${'9'.repeat(60_000)}}`, /price/],
  [`{"bike_id":"a","model":"m","price":0.${'9'.repeat(60_000)}}`, /price/],
  ['{"bike_id":"a","model":"m","price":1.001}', /price/],
  ['{"bike_id":"a","model":"m","price":"1,5"}', /price/],
  ['{"bike_id":"a","model":"m","price":"0x10"}', /price/],
  ['{"bike_id":"a","model":"m","price":""}', /price/],
  ['{"bike_id":"a","model":"m","price":true}', /price/],
  [argument('"limit":2147483648'), /limit/],
  [argument('"limit":1.5'), /limit/],
  [argument('"limit":-2147483649'), /limit/],
  [argument('"limit":9007199254740993'), /limit/],
  [argument('"__proto__":{"admin":true}'), /__proto__/],
  [argument('"constructor":1'), /constructor/],
  [argument('"toString":1'), /toString/],
  [argument('"":1'), /no argument ''/],
  [argument('"limit":1,"limit":2'), /repeated key/],
  [argument('"limit":1,"\\u006cimit":2'), /repeated key/],
  [argument('"limit":1,"LIMIT":2'), /limit/i],
  [argument('"code":"a\\u0000b"'), /NUL/],
  [argument('"code":"\\ud83d"'), /surrogate/],
  [argument('"code":"\\udc00\\ud800"'), /surrogate/],
  [argument(`"code":${'['.repeat(33)}${']'.repeat(33)}`), /nested deeper than 32/],
  [argument(`"code":${'{"a":'.repeat(33)}1${'}'.repeat(33)}`), /nested deeper than 32/],
  [argument(`"code":[${'1,'.repeat(10_001)}1]`), /10,?000/],
  [argument('"limit":NaN'), /not JSON/],
  [argument('"limit":Infinity'), /not JSON/],
  [argument('"limit":+1'), /not JSON/],
  [argument('"limit":01'), /not JSON/],
  [argument('"limit":.5'), /not JSON/],
  [argument('"limit":1.'), /not JSON/],
  [argument('"limit":0x10'), /not JSON/],
  [argument('"limit":1n'), /not JSON/],
  [argument("'limit':1"), /not JSON/],
  [argument('"limit":undefined'), /not JSON/],
  [argument('/* */"limit":1'), /not JSON/],
  [argument('"limit":1,'), /not JSON/],
  [argument('"code":"\t"'), /not JSON/],
  [argument('"code":"\\x41"'), /not JSON/],
  [`${argument('"limit":1')}{}`, /not JSON/],
  ['\u00a0{}', /not JSON/],
];
for (const [body, error] of refused) {
  test(`refused ${body.slice(0, 70)}`, async () => {
    const answer = await send(body);
    const { error: told, ...more } = (await answer.json()) as { readonly error: string };
    assert.equal([answer.status, more], [400, {}], told);
    assert.match(told, error);
    assert.ok(told.length < 500, `${told.length} characters`);
  });
}

test('bytes that are not UTF-8 are refused', async () => {
  const sequences: readonly (readonly number[])[] = [
    [0x80],
    [0xff],
    [0xfe, 0xff],
    [0xc0, 0xaf],
    [0xe0, 0x80, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0xe2, 0x82],
  ];
  for (const bytes of sequences) {
    const body = Buffer.concat([Buffer.from('{"bike_id":"'), Buffer.from(bytes), Buffer.from('"}')]);
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(server.url + register, { method: 'POST', headers, body: new Uint8Array(body) });
    assert.equal([bytes, answer.status, await answer.json()], [bytes, 400, { error: 'the body is not valid UTF-8' }]);
    const escaped = bytes.map((byte) => `%${byte.toString(16)}`).join('');
    for (const path of [`/api/aggregates/Bike/${escaped}`, `/api/aggregates/Bike/state?aggregate_id=${escaped}`])
      assert.equal([path, (await server.get(path)).status], [path, 400]);
  }
});

test('malformed escapes are refused', async () => {
  for (const text of ['%', '%2', '%zz', '%u0041', 'a%', '%00', 'a%00b']) {
    for (const path of [
      `/api/aggregates/Bike/${text}`,
      `/api/aggregates/Bike/events/${text}`,
      `/api/aggregates/${text}/state`,
      `/api/aggregates/Bike/execute/${text}`,
      `/api/reg/commands/${text}`,
      `/api/projections/${text}/query`,
      `/api/aggregates/Bike/state?model=${text}`,
    ]) {
      const method = path.includes('/execute/') ? 'POST' : 'GET';
      assert.equal([path, (await fetch(server.url + path, { method })).status], [path, 400]);
    }
  }
});

test('none of these requests changed a shared object', () => {
  assert.equal(
    [({} as Record<string, unknown>)['admin'], server.lines.filter((line) => line['message'] === 'request failed')],
    [undefined, []],
  );
});

test.run();
