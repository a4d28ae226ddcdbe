import { createHash } from 'node:crypto';
import ts from 'typescript';
import { Validator } from '@seriousme/openapi-schema-validator';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandCheck, CommandField, FieldLimit } from '../../language/contract/command.ts';
import type { Type } from '../../language/values/type.ts';
import { argumentSchema } from '../../server/http/openapi/outcome-schemas.ts';
import { routeTable } from '../../server/http/routes/route-table.ts';
import { createCheck, generatedTypes, redoclyFindings, spectralFindings } from './document-checks.ts';
import { startSample } from './sample-server.ts';

const test = suite('OpenAPI');

interface Reference {
  readonly $ref: string;
}
interface Response {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly 'x-rights'?: readonly string[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}
interface Document {
  readonly openapi: string;
  readonly info: object;
  readonly servers: object;
  readonly security: object;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<'schemas' | 'responses' | 'parameters', Readonly<Record<string, object>>>>;
}

const server = await startSample({ services: true });
test.after(() => server.stop());
const text = await (await server.get('/openapi.json')).text();
const document = JSON.parse(text) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
);

/** The part that a reference leads to. */
function resolved<T extends object>(part: T | Reference): T {
  if (!('$ref' in part)) return part;
  const [kind = '', name = ''] = part.$ref.slice('#/components/'.length).split('/');
  return document.components[kind as 'schemas'][name] as T;
}
function operation(id: string): (typeof operations)[number] {
  const found = operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
}

test('every route is there, with the names of blocks in place of the parameters that take them', () => {
  assert.is(document.openapi, '3.1.0');
  const named = /\{(agg|command)\}|^\/api\/(projections|subscriptions|reactions)\/\{/;
  for (const { name, path, method } of routeTable)
    if (!named.test(path)) assert.is(document.paths[path]?.[method.toLowerCase()]?.operationId, name);
  assert.equal(
    operations
      .filter(({ path }) => /\/(aggregates|projections)\/\w/.test(path) && !path.startsWith('/api/reg/'))
      .map(
        ({ method, path, operationId, 'x-rights': rights = [] }) =>
          `${method} ${path} ${operationId} ${rights.join(' ')}`,
      ),
    [
      'GET /api/aggregates/Bike/events events_of_Bike read:Bike$Events',
      'GET /api/aggregates/Dock/events events_of_Dock read:Dock$Events',
      'GET /api/aggregates/Bike/events/{stream_id} stream_events_of_Bike read:Bike$Events',
      'GET /api/aggregates/Dock/events/{stream_id} stream_events_of_Dock read:Dock$Events',
      'GET /api/aggregates/Bike/commands commands_of_Bike read:Bike$Commands',
      'GET /api/aggregates/Dock/commands commands_of_Dock read:Dock$Commands',
      'GET /api/aggregates/Bike/inspect/{table} inspect_of_Bike read:Bike$Events read:meta_inspections',
      'GET /api/aggregates/Dock/inspect/{table} inspect_of_Dock read:Dock$Events read:meta_inspections',
      'GET /api/aggregates/Bike/inspect/input/{table} inspect_input_of_Bike read:Bike$Events read:meta_inspections',
      'GET /api/aggregates/Dock/inspect/input/{table} inspect_input_of_Dock read:Dock$Events read:meta_inspections',
      'GET /api/aggregates/Bike/inspect/output/{table} inspect_output_of_Bike read:Bike$Events read:meta_inspections',
      'GET /api/aggregates/Dock/inspect/output/{table} inspect_output_of_Dock read:Dock$Events read:meta_inspections',
      'POST /api/aggregates/Dock/execute/OpenDock execute_OpenDock execute:Dock.OpenDock',
      'POST /api/aggregates/Bike/execute/RegisterBike execute_RegisterBike execute:Bike.RegisterBike',
      'POST /api/aggregates/Bike/execute/RentBike execute_RentBike execute:Bike.RentBike',
      'GET /api/aggregates/Bike aggregate_of_Bike read:Bike$Agg',
      'GET /api/aggregates/Dock aggregate_of_Dock read:Dock$Agg',
      'GET /api/aggregates/Bike/state state_of_Bike read:Bike$Agg',
      'GET /api/aggregates/Dock/state state_of_Dock read:Dock$Agg',
      'GET /api/aggregates/Bike/{id} stream_state_of_Bike read:Bike$Agg',
      'GET /api/aggregates/Dock/{id} stream_state_of_Dock read:Dock$Agg',
      'GET /api/projections/Fleet/query projection_Fleet read:Fleet',
      'GET /api/projections/Today/query projection_Today read:Today',
    ],
  );
  const ids = operations.map(({ operationId }) => operationId);
  assert.is(new Set(ids).size, ids.length);
  assert.equal(
    document.tags.map(({ name }) => name),
    [
      'Bike',
      'Dock',
      'All events',
      'Archive',
      'Projection queries',
      'Subscriptions',
      'Reactions',
      'Block registry',
      'Schema text',
      'SQL console',
      'Inspections',
      'This server',
    ],
  );
});

test('a command has its arguments, and a row for each event that it can emit', () => {
  const { schemas } = document.components;
  const decimal = 'exact, 8 digits with 2 after the point';
  const int = { type: 'integer', format: 'int32', minimum: -2147483648, maximum: 2147483647 };
  assert.equal(schemas['RegisterBikeCommand'], {
    type: 'object',
    required: ['bike_id', 'model', 'price'],
    additionalProperties: false,
    properties: {
      bike_id: { type: 'string' },
      model: { type: 'string' },
      price: { anyOf: [{ type: 'number', description: decimal }, { type: 'string' }], description: decimal },
      limit: { anyOf: [{ anyOf: [int, { type: 'string', pattern: '^[+-]?[0-9]+$' }] }, { type: 'null' }] },
      code: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  });
  const rows = (schemas['RentBikeOutcome'] as { readonly anyOf: readonly object[] }).anyOf;
  assert.equal(
    [rows[0], rows[2]],
    [{ $ref: '#/components/schemas/BikeRentedEmitted' }, { $ref: '#/components/schemas/Rejected' }],
  );
  assert.equal(schemas['BikeRentedEmitted'], {
    type: 'object',
    required: ['event_type', 'stream_id', 'seq', 'status', 'fields'],
    properties: {
      event_type: { const: 'BikeRented' },
      stream_id: { type: 'string' },
      seq: { type: 'integer', format: 'int64', minimum: 1 },
      status: { const: 'success' },
      fields: {
        type: 'string',
        description: 'JSON text: the payload',
        contentMediaType: 'application/json',
        contentSchema: { $ref: '#/components/schemas/BikeRentedPayload' },
      },
    },
    additionalProperties: false,
  });
  assert.is(
    operation('execute_RentBike').description,
    'Decided by `Rent`, which\n\n- `Registered`: emits `BikeRented`\n\n' +
      'A command for which no branch emits is rejected: the answer has one row of status `rejected`.\n\n' +
      'The rows come in the form that `Accept` names: Arrow (the default), JSON, CSV or HTML.\n\n' +
      'It needs the right `execute:Bike.RentBike`.',
  );
});

test('a command has what its CHECKs say', () => {
  const code = (
    limits: readonly FieldLimit[],
    text: string,
    more: Pick<CommandCheck<object>, 'field' | 'message'> = {},
  ): CommandCheck<object> => ({ text, limits, fails: () => false, ...more });
  const field = (name: string, type: Type, nullable: boolean): CommandField => ({
    name,
    type,
    nullable,
    key: false,
    sensitive: false,
    required: !nullable,
  });
  const fields = [field('n', { kind: 'DOUBLE' }, false), field('kind', { kind: 'STRING' }, true)];
  const checks = [
    code([{ field: 'n', keyword: 'minimum', value: 1 }], 'n >= 1', { field: 'n', message: 'at least one' }),
    code([{ field: 'kind', keyword: 'enum', value: ['a', 'b'] }], "kind IN ('a', 'b')"),
    code([], 'kind IS NOT NULL OR n < 5', { message: 'many need a kind' }),
  ];
  assert.equal(argumentSchema({ fields, checks }), {
    type: 'object',
    required: ['n'],
    additionalProperties: false,
    properties: {
      n: { type: 'number', format: 'double', description: 'CHECK (n >= 1): at least one', allOf: [{ minimum: 1 }] },
      kind: { anyOf: [{ type: 'string' }, { type: 'null' }], allOf: [{ enum: ['a', 'b', null] }] },
    },
    description: "CHECK (kind IN ('a', 'b')), CHECK (kind IS NOT NULL OR n < 5): many need a kind",
  });
});

test('every column of a row is required', () => {
  const { schemas } = document.components;
  const required = (name: string): unknown => (schemas[name] as { readonly required: unknown }).required;
  assert.equal(['FleetRow', 'BikeEvent', 'meta_decision_emits'].map(required), [
    ['model', 'bikes'],
    ['event_id', 'stream_type', 'stream_id', 'seq', 'event_type', 'occurred_at', 'data', 'global_position'],
    ['decision_name', 'event_name'],
  ]);
});

test('an operation tells what it answers, and by which headers', async () => {
  for (const name of ['by_name', 'fields'])
    assert.is((await server.post('/api/lang/create', { lang: `CREATE AGGREGATE ${name};` })).status, 201);
  const { paths } = (await (await server.get('/openapi.json')).json()) as Document;
  const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  assert.is(new Set(ids).size, ids.length);
  const told = (id: string): readonly string[] => {
    const { parameters, responses } = operation(id);
    return [
      ...parameters
        .map((each) => resolved<Parameter>(each))
        .flatMap((each) => (each.in === 'header' ? [each.name] : [])),
      ...Object.entries(responses).map(([status, response]) =>
        [status, ...Object.keys(resolved<Response>(response).headers ?? {})].join(' '),
      ),
    ];
  };
  const common = ['400', '401', '403', '404', '405'];
  const command = ['Idempotency-Key', 'If-Match', 'X-Correlation-Id', 'X-Causation-Id', 'traceparent'];
  const tagged = ['If-None-Match', '200 ETag', '304 ETag', ...common];
  const wishes = ['Schemac-Consistency', 'Schemac-Min-Entry'];
  const shown = 'Schemac-Entry Schemac-Store';
  const counts = 'ETag Schemac-Total Preference-Applied';
  const cases: readonly (readonly [id: string, answers: readonly string[]])[] = [
    ['health', ['200', '400', '403', '404', '405']],
    ['ready', ['200', '400', '403', '404', '405', '503']],
    ['info', tagged],
    [
      'list_events',
      [
        'If-None-Match',
        ...wishes,
        `200 ETag Schemac-As-Of ${shown}`,
        '304 ETag Schemac-As-Of',
        ...common,
        '406',
        '503 Retry-After',
      ],
    ],
    [
      'events_of_Bike',
      [
        'Prefer',
        'If-None-Match',
        ...wishes,
        `200 ${counts} Schemac-As-Of ${shown}`,
        `304 ${counts} Schemac-As-Of`,
        ...common,
        '406',
        '409',
        '503 Retry-After',
      ],
    ],
    ['query', [...wishes, `200 Schemac-As-Of ${shown}`, ...common, '406', '413', '415', '503 Retry-After']],
    ['create', ['201', ...common, '409', '413', '415', '503 Retry-After']],
    [
      'execute_RentBike',
      [
        ...[...command, `200 ETag Idempotent-Replayed ${shown}`, ...common],
        ...['406', '408', '409', '412', '413', '415', '422', '503 Retry-After', '505'],
      ],
    ],
  ];
  for (const [id, answers] of cases) assert.equal([id, told(id)], [id, answers]);
  const tags = (id: string): unknown => resolved<Response>(operation(id).responses['200'] ?? {}).headers?.['ETag'];
  assert.equal(['execute_RentBike', 'stream_state_of_Bike'].map(tags), [
    { $ref: '#/components/headers/ETag.position' }, // a position to expect, no validator
    { $ref: '#/components/headers/ETag' },
  ]);
});

/** Values of the parameters of paths: a name that exists, one that does not, and one that is ill-formed. */
const pathValues = (path: string, parameter: string): readonly string[] => {
  if (parameter === 'id' || parameter === 'stream_id') return ['B-1', 'nope', '%00', 'x'.repeat(300)];
  const [, group = ''] = /^\/api\/reg\/(\w+)\//.exec(path) ?? [];
  const there = {
    aggregates: 'Bike',
    commands: 'RentBike',
    events: 'BikeRented',
    decisions: 'Rent',
    projections: 'Fleet',
    templates: 'Crud',
  };
  return [(there as Readonly<Record<string, string>>)[group] ?? 'preview', 'Nope', 'a-b'];
};

/** The paths that a path with parameters can mean. */
function filled(path: string): readonly string[] {
  const [whole, parameter = ''] = /\{(\w+)\}/.exec(path) ?? [];
  if (whole === undefined) return [path];
  return pathValues(path, parameter).flatMap((value) => filled(path.replace(whole, value)));
}

const json = { 'Content-Type': 'application/json', Accept: 'application/json' };
const bodies: readonly (readonly [body: string, headers: Readonly<Record<string, string>>])[] = [
  ['{"bike_id":"B-1","rider":"Ada"}', json],
  ['{"bike_id":"B-9","rider":"Ada"}', json],
  ['{"bike_id":"B-2","model":"Cargo","price":12.5,"limit":3,"code":"s3cret"}', { ...json, 'Idempotency-Key': 'k' }],
  ['{"bike_id":"B-2","model":"Cargo","price":12.5,"limit":3,"code":"s3cret"}', { ...json, 'Idempotency-Key': 'k' }],
  ['{"bike_id":"B-2","model":"Cargo","price":13,"limit":3,"code":"s3cret"}', { ...json, 'Idempotency-Key': 'k' }],
  ['{"bike_id":"B-2","model":"Cargo","price":12.5}', { ...json, 'If-Match': '"7"' }],
  ['{"params":"Eve"}', json],
  ['{"sql":"SELECT 1 AS one, NULL AS two"}', json],
  ['{"sql":"SELECT nothing"}', json],
  ['{"sql":"DROP AGGREGATE Bike"}', json],
  ['{"lang":"CREATE AGGREGATE Boat;"}', json],
  ['{"lang":"CREATE AGGREGATE"}', json],
  ['{"lang":"DROP AGGREGATE Bike;"}', json],
  ['{}', json],
  ['[1]', json],
  ['{"bike_id":', json],
  [`{"bike_id":"${'x'.repeat(70_000)}"}`, json],
  [`{"lang":"${' '.repeat(1_100_000)}"}`, json],
  ['bike_id=B-1', { ...json, 'Content-Type': 'text/plain' }],
  ['{"bike_id":"B-1","rider":"Ada"}', { ...json, Accept: 'image/png' }],
  ['{"bike_id":"B-1","rider":"Ada"}', { 'Content-Type': 'application/json', Accept: 'text/csv' }],
];

test('the server answers as its document says', async () => {
  const checked = await startSample({ services: true });
  for (const [command, body] of [
    ['RegisterBike', { bike_id: 'B-1', model: 'City', price: 9.5, code: 'hidden' }],
    ['RentBike', { bike_id: 'B-1', rider: 'Ada' }],
  ] as const)
    assert.is((await checked.post(`/api/aggregates/Bike/execute/${command}`, body)).status, 200);
  const check = createCheck(document);
  const statuses = new Set<number>();
  const compare = async (
    { responses }: Pick<Operation, 'responses'>,
    what: string,
    answer: globalThis.Response,
  ): Promise<void> => {
    statuses.add(answer.status);
    const documented = responses[answer.status];
    assert.ok(documented, `${what}: ${answer.status} is not documented`);
    const type = answer.headers.get('content-type')?.split(';')[0];
    const { content = {} } = resolved<Response>(documented);
    if (type === undefined) {
      assert.equal([what, content], [what, {}]);
      return;
    }
    assert.ok(content[type], `${what}: ${answer.status} ${type} is not documented`);
    const sent = await answer.text();
    const isJson = type === 'application/json' || type.endsWith('+json');
    check(content[type].schema, isJson ? JSON.parse(sent) : sent, `${what}: ${answer.status}`);
  };
  const accepts = [
    'application/json',
    'text/csv',
    'application/vnd.apache.arrow.stream',
    '*/*',
    'text/html',
    'image/png',
    'application/problem+json',
  ];
  for (const { path, method, ...told } of operations) {
    if (method === 'POST') {
      for (const [body, headers] of bodies)
        await compare(told, `POST ${path} ${body.slice(0, 60)}`, await checked.post(path, body, headers));
      continue;
    }
    for (const [at, place] of filled(path).entries()) {
      // A refusal has the same form for all of them.
      for (const accept of at === 0 ? accepts : accepts.slice(-2))
        await compare(told, `GET ${place} ${accept}`, await checked.get(place, { Accept: accept }));
      for (const query of ['?limit=1', '?limit=x'])
        await compare(told, `GET ${place}${query}`, await checked.get(place + query, { Accept: 'application/json' }));
      await compare(told, `GET ${place} again`, await checked.get(place, { 'If-None-Match': '*' }));
    }
  }
  assert.equal([...statuses].sort(), [200, 201, 304, 400, 403, 404, 406, 412, 413, 415, 422]);
  await checked.stop();
});

const sha256 = createHash('sha256').update('admin').digest('hex');
const auth = { tokens: [{ sha256, subject: 'admin', roles: ['admin'] }], roles: { admin: ['*'] } };

test('the configuration says what the interface is called, where it is, and who answers for it', async () => {
  const api = {
    title: 'Bikes',
    version: '2.1.0',
    description: 'Rental of *bikes*.',
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    contact: { email: 'bikes@example.org' },
    servers: ['https://bikes.example.org/v2'],
  };
  assert.equal(
    [document.info, document.servers, document.security],
    [
      {
        title: 'schemac server',
        version: (document.info as Record<string, unknown>)['x-registry'],
        description: 'A server of event-sourced aggregates, their commands and projections.',
        contact: { name: 'the operator of this server' },
        license: { name: 'no licence is stated', identifier: 'LicenseRef-not-stated' },
        'x-registry': (document.info as Record<string, unknown>)['x-registry'],
      },
      [{ url: '/' }],
      [],
    ],
  );
  const named = await startSample({ settings: { api, auth } });
  const told = (await (await named.get('/openapi.json', { Authorization: 'Bearer admin' })).json()) as Document;
  const { servers, ...info } = api;
  const { 'x-registry': registry, ...said } = told.info as Record<string, unknown>;
  assert.match(String(registry), /^[0-9a-f]{12}$/);
  assert.equal([said, told.servers, told.security], [info, servers.map((url) => ({ url })), [{ bearer: [] }]]);
  await named.stop();
});

test('it holds to the published schema of 3.1, and linters find nothing, with a policy and without', async () => {
  const headers = { Authorization: 'Bearer admin' };
  const policed = await startSample({ services: true, settings: { auth } });
  // Names that are text of any kind, and a guard with the marks of Markdown and HTML.
  const lang = `CREATE PROJECTION Odd AS SELECT 1 AS "<b>&", 2 AS "a b/c~1{x}", 'x' AS "properties", NULL AS "required";
    CREATE COMMAND Mark (id STRING);
    CREATE EVENT Marked (n INT);
    CREATE DECISION MarkIt FOR Bike ON COMMAND Mark
    EMIT AS SELECT EVENT Marked (n := 1) WHERE :id <> '\`a\`</b> [x](y)';`;
  assert.is((await policed.post('/api/lang/create', { lang }, headers)).status, 201);
  const odd = await (await policed.get('/openapi.json', headers)).text();
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(odd) as Record<string, unknown>);
  assert.equal([validator.version, valid, errors], ['3.1', true, undefined]);
  for (const told of [text, odd]) assert.equal(await redoclyFindings(told), []);
  assert.equal(await spectralFindings(odd), []);
  await policed.stop();
});

test('generated types know the rows of each answer', async () => {
  const types = await generatedTypes(document);
  const use = `import type { paths } from './api.js';
type Json<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends
  { responses: { 200: { content: { 'application/json': infer Rows } } } } ? Rows : never;
declare const outcome: Json<'/api/aggregates/Bike/execute/RentBike', 'post'>;
export const status: 'success' | 'rejected' | undefined = outcome[0]?.status;
export const seq: number | null | undefined = outcome[0]?.seq;
declare const bikes: Json<'/api/aggregates/Bike/{id}', 'get'>;
export const model: string | null | undefined = bikes[0]?.model;
declare const emits: Json<'/api/reg/decisions/{name}/emits', 'get'>;
export const event: string | undefined = emits[0]?.event_name;
declare const info: Json<'/info', 'get'>;
export const count: number = info.concept_counts.aggregates;
// @ts-expect-error a column that is not there
export const nothing = bikes[0]?.colour;
`;
  assert.equal(compileErrors({ 'api.ts': types, 'use.ts': use }), []);
});

/** Errors of TypeScript in these files. */
function compileErrors(files: Readonly<Record<string, string>>): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: [],
    lib: ['lib.es5.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const given = (path: string): string | undefined => files[path.slice(path.lastIndexOf('/') + 1)];
  host.fileExists = (path) => given(path) !== undefined || fileExists(path);
  host.readFile = (path) => given(path) ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const content = given(path);
    return content === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, content, version);
  };
  const program = ts.createProgram(['/api.ts', '/use.ts'], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ');
    return `${file?.fileName ?? ''}: ${message}`;
  });
}

test.run();
