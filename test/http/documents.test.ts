import { createHash } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../server/http/log/log.ts';
import { routeTable } from '../../server/http/pipeline/route-table.ts';
import { startSample } from './sample-server.ts';

const test = suite('documents');

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, unknown>> }>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

test('OpenAPI contains every route, and every command with its arguments', async () => {
  const server = await startSample({
    create: () => Promise.reject(new Error('not called')),
    console: () => Promise.reject(new Error('not called')),
  });
  const document = (await (await server.get('/openapi.json')).json()) as Document;
  assert.is(document.openapi, '3.1.0');
  for (const route of routeTable) {
    assert.is(document.paths[route.path]?.[route.method.toLowerCase()]?.operationId, route.name);
  }
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  );
  assert.is(new Set(operations).size, operations.length);
  assert.is(document.paths['/api/aggregates/Bike/execute/RegisterBike']?.['post']?.operationId, 'execute_RegisterBike');
  assert.equal(document.components.schemas['RegisterBikeCommand'], {
    type: 'object',
    required: ['bike_id', 'model', 'price'],
    additionalProperties: false,
    properties: {
      bike_id: { type: 'string' },
      model: { type: 'string' },
      price: {
        anyOf: [{ type: 'number', description: 'exact, 8 digits with 2 after the point' }, { type: 'string' }],
        description: 'exact, 8 digits with 2 after the point',
      },
      limit: {
        anyOf: [
          {
            anyOf: [
              { type: 'integer', format: 'int32', minimum: -2147483648, maximum: 2147483647 },
              { type: 'string', pattern: '^[+-]?[0-9]+$' },
            ],
          },
          { type: 'null' },
        ],
      },
      code: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  });
  // Every reference has a target.
  for (const [, name] of JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    assert.ok(Object.hasOwn(document.components.schemas, name ?? ''), name);
  }
  await server.stop();
});

test('OpenAPI describes the answers of each route with their headers', async () => {
  const server = await startSample({ services: true });
  for (const name of ['by_name', 'fields'])
    assert.is((await server.post('/api/lang/create', { lang: `CREATE AGGREGATE ${name};` })).status, 201);
  const { paths } = (await (await server.get('/openapi.json')).json()) as Document;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  assert.is(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  const told = (id: string): readonly string[] =>
    operations.flatMap(({ operationId, parameters, responses }) =>
      operationId !== id
        ? []
        : [
            ...parameters.flatMap((each) => (each.in === 'header' ? [each.name] : [])),
            ...Object.entries(responses).map(([status, { headers = {} }]) =>
              [status, ...Object.keys(headers)].join(' '),
            ),
          ],
    );
  const common = ['400', '401', '403', '404', '405'];
  const command = ['Idempotency-Key', 'If-Match', 'X-Correlation-Id', 'X-Causation-Id', 'traceparent'];
  const tagged = ['If-None-Match', '200 ETag', '304 ETag', ...common];
  const cases: readonly (readonly [id: string, answers: readonly string[]])[] = [
    ['health', ['200', '400', '403', '404', '405']],
    ['ready', ['200', '400', '403', '404', '405', '503']],
    ['info', tagged],
    ['list_events', [...tagged, '406']],
    [
      'events_of_Bike',
      [
        ...[
          'If-None-Match',
          'Prefer',
          '200 ETag Schemac-Total Preference-Applied',
          '304 ETag Schemac-Total Preference-Applied',
        ],
        ...[...common, '406', '409', '503 Retry-After'],
      ],
    ],
    ['query', ['200', ...common, '406', '413', '415', '503 Retry-After']],
    ['create', ['201', ...common, '409', '413', '415', '503 Retry-After']],
    [
      'execute_RentBike',
      [
        ...[...command, '200 ETag Idempotent-Replayed', ...common],
        ...['406', '408', '409', '412', '413', '415', '422', '503 Retry-After', '505'],
      ],
    ],
  ];
  for (const [id, answers] of cases) assert.equal([id, told(id)], [id, answers]);
  const tags = (id: string): unknown =>
    operations.find(({ operationId }) => operationId === id)?.responses['200']?.headers?.['ETag'];
  assert.equal(['execute_RentBike', 'stream_state'].map(tags), [
    { $ref: '#/components/headers/Position' }, // a position to expect, no validator
    { $ref: '#/components/headers/ETag' },
  ]);
  await server.stop();
});

test('OpenAPI conforms to the published schema of 3.1, with a policy and without', async () => {
  const sha256 = createHash('sha256').update('admin').digest('hex');
  const auth = { tokens: [{ sha256, subject: 'admin', roles: ['admin'] }], roles: { admin: ['*'] } };
  for (const settings of [{}, { auth }]) {
    const server = await startSample({ services: true, settings });
    const answer = await server.get('/openapi.json', { Authorization: 'Bearer admin' });
    const validator = new Validator();
    const { valid, errors } = await validator.validate((await answer.json()) as Record<string, unknown>);
    assert.equal([validator.version, valid, errors], ['3.1', true, undefined]);
    await server.stop();
  }
});

test('log lines, structured and pretty', () => {
  const lines: string[] = [];
  const write = (text: string): void => void lines.push(text);
  createLog({ write, level: 'info', pretty: false }).info({ route: 'info', ms: 1.5 }, 'request');
  const { time, ...rest } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  assert.equal(rest, { level: 'info', route: 'info', ms: 1.5, msg: 'request' });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const pretty = createLog({ write, level: 'info', pretty: true });
  pretty.debug({}, 'not shown');
  pretty.info({ path: '/a\u001b[2J', status: 200 }, 'request');
  assert.match(lines[1] ?? '', /^\d\d:\d\d:\d\d\.\d{3} INFO {2}request path="\/a\\u001b\[2J" status=200\n$/);
  assert.is(lines.length, 2);
});

test('errors are logged with their stack', () => {
  const lines: string[] = [];
  createLog({ write: (text) => lines.push(text), level: 'error', pretty: false }).error(
    { err: new Error('broken') },
    'request failed',
  );
  assert.match(lines[0] ?? '', /"message":"broken".*"stack":/);
});

test.run();
