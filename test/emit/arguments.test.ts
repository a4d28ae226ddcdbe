import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseJson } from '../../language/values/json-parse.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { withDomain } from './compiled.ts';

const text = `CREATE COMMAND C (id BIGINT KEY, t VARCHAR(3) NULL, n INT DEFAULT -7, m DECIMAL(5,2) DEFAULT 1.5, b BOOLEAN NULL, w DOUBLE NULL,
    day DATE NULL, at TIMESTAMP NULL, doc JSON NULL, ref UUID NULL, pin STRING SENSITIVE NULL, __proto__ STRING NULL);
  CREATE COMMAND Named (name STRING);
  CREATE EVENT E (t STRING, n INT, big BIGINT, m DECIMAL(5,2), bare DECIMAL, b BOOLEAN, w DOUBLE, day DATE, at TIMESTAMP, doc JSON, ref UUID, v STRING VOLATILE, __proto__ STRING);`;

function sent(json: string): JsonObject {
  const { value } = parseJson(json);
  if (!(value instanceof Map)) throw new Error('the test sends no object');
  return value as JsonObject;
}

const empty = {
  t: null,
  n: -7,
  m: 150n,
  b: null,
  w: null,
  day: null,
  at: null,
  doc: null,
  ref: null,
  pin: null,
  ['__proto__']: null,
};

const accepted: readonly (readonly [json: string, fields: object])[] = [
  ['{"id":1}', { id: 1n }],
  ['{"id":"9223372036854775807","n":1.0,"m":"999.99"}', { id: 9223372036854775807n, n: 1, m: 99999n }],
  ['{"id":1,"t":"abc","b":false,"w":1e-3}', { id: 1n, t: 'abc', b: false, w: 0.001 }],
  ['{"id":1,"t":"😀😀😀"}', { id: 1n, t: '😀😀😀' }],
  ['{"id":1,"day":"1970-01-02","at":"1970-01-01T00:00:01+00:00"}', { id: 1n, day: 1, at: 1_000_000n }],
  [
    '{"id":1,"doc":{"a":1.10,"__proto__":[]},"ref":"EMP-1"}',
    { id: 1n, doc: '{"a":1.10,"__proto__":[]}', ref: 'EMP-1' },
  ],
  ['{"id":1,"__proto__":"x","t":null}', { id: 1n, ['__proto__']: 'x' }],
];
for (const [json, fields] of accepted)
  test(`takes ${json}`, () =>
    withDomain(text, ({ commands }) => {
      const command = commands.find(({ name }) => name === 'C');
      const decoded = command?.decode(sent(json)) ?? {};
      assert.equal(Object.entries(decoded).sort(), Object.entries({ ...empty, ...fields }).sort());
      assert.is(Object.getPrototypeOf(decoded), Object.prototype);
    }));

const refused: readonly (readonly [json: string, message: RegExp])[] = [
  ['{}', /^C: argument 'id' is missing; it takes BIGINT$/],
  ['{"id":null}', /'id' takes BIGINT, not NULL/],
  ['{"id":1,"x":2}', /^C has no argument 'x'; it takes id, t, n/],
  ['{"id":1,"constructor":2}', /no argument 'constructor'/],
  ['{"id":1,"n":null}', /'n' takes INT, not NULL/],
  ['{"id":1,"n":1.5}', /'n' takes INT/],
  ['{"id":1,"n":2147483648}', /'n' takes INT/],
  ['{"id":1,"m":1.005}', /'m' takes DECIMAL\(5,2\)/],
  ['{"id":1,"m":1000}', /'m' takes DECIMAL\(5,2\)/],
  ['{"id":1,"t":"four"}', /'t' takes VARCHAR\(3\)/],
  ['{"id":1,"b":1}', /'b' takes BOOLEAN/],
  ['{"id":1,"w":"1"}', /'w' takes DOUBLE/],
  ['{"id":1,"w":1e999}', /'w' takes DOUBLE/],
  ['{"id":1,"day":"2026-02-30"}', /'day' takes DATE/],
  ['{"id":1,"pin":12345}', /^((?!12345).)*'pin'((?!12345).)*$/],
];
for (const [json, message] of refused)
  test(`refuses ${json}`, () =>
    withDomain(text, ({ commands }) => {
      assert.throws(() => commands.find(({ name }) => name === 'C')?.decode(sent(json)), message);
    }));

test('the stream id is text, and cannot be empty', () =>
  withDomain(text, ({ commands: [c, named] }) => {
    assert.is(c?.streamId(c.decode(sent('{"id":"007"}'))), '7');
    assert.is(named?.streamId(named.decode(sent('{"name":"007"}'))), '007');
    assert.throws(() => named?.decode(sent('{"name":""}')), /'name'.*empty/);
  }));

const none = {
  t: null,
  n: null,
  big: null,
  m: null,
  bare: null,
  b: null,
  w: null,
  day: null,
  at: null,
  doc: null,
  ref: null,
  v: null,
  ['__proto__']: null,
};
const stored: readonly (readonly [payload: object, json: string])[] = [
  [{}, '{}'],
  [{ t: 'a"\u2028', n: 0, b: false }, '{"t":"a\\"\u2028","n":0,"b":false}'],
  [{ big: 2n ** 60n, m: -5n, bare: 1_500_000n }, '{"big":"1152921504606846976","m":"-0.05","bare":"1.500000"}'],
  [{ w: 1e21, day: 0, at: -1n }, '{"w":1e+21,"day":"1970-01-01","at":"1969-12-31T23:59:59.999999Z"}'],
  [
    { doc: '{"a":1.10}', ref: 'r', v: 'gone', ['__proto__']: 'p' },
    '{"doc":"{\\"a\\":1.10}","ref":"r","__proto__":"p"}',
  ],
];
for (const [payload, json] of stored)
  test(`stores ${json}`, () =>
    withDomain(text, ({ events: [event] }) => assert.is(event?.encode({ ...none, ...payload }), json)));

test.run();
