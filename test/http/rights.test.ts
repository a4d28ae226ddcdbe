import { raw } from '../../runtime/engine/raw.ts';
import { shownTable } from '../../server/operation/shown.ts';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
  type SignOptions,
} from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkPolicy, refusesListening, type AuthPolicy } from '../../server/http/auth/policy.ts';
import { policyWarnings } from '../../server/http/auth/policy-warnings.ts';
import { anyone } from '../../server/operation/caller.ts';
import { may } from '../../server/operation/rights.ts';
import { routeTable } from '../../server/http/routes/route-table.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { startSample } from './sample-server.ts';

const test = suite('rights');

test('wildcards', () => {
  const cases: readonly (readonly [grant: string, covers: readonly string[], not: readonly string[]])[] = [
    [
      '*',
      [
        'read:Bike$Agg',
        'read:Bike$Commands',
        'read:meta_commands',
        'read:meta_*',
        'create',
        'execute:A.B',
        'sensitive:read',
        'metrics',
      ],
      [],
    ],
    [
      'read:*',
      ['read:Bike$Agg', 'read:Fleet'],
      ['read:meta_commands', 'read:meta_*', 'read:Bike$Commands', 'execute:A.B', 'sensitive:read', 'query'],
    ],
    ['read:m*', ['read:model'], ['read:meta_commands']],
    ['read:meta_*', ['read:meta_commands', 'read:meta_*'], ['read:Fleet', 'read:metal']],
    ['read:meta_commands', ['read:meta_commands'], ['read:meta_command_fields', 'read:meta_*']],
    [
      'read:Bike*',
      ['read:Bike$Agg', 'read:Bike$Events', 'read:Bikes'],
      ['read:bike$Agg', 'read:EBike', 'read:Bike$Commands'],
    ],
    ['read:*$Commands', ['read:Bike$Commands'], ['read:Bike$Agg']],
    ['read:Bike$Commands', ['read:Bike$Commands'], ['read:Dock$Commands']],
    ['read:*$Events', ['read:Bike$Events'], ['read:Bike$Agg', 'read:$Event']],
    ['read:a*a', ['read:aa', 'read:aba'], ['read:a']],
    ['execute:Bike.*', ['execute:Bike.Rent'], ['execute:Bikes.Rent', 'read:Bike.x']],
    ['execute:*.Rent', ['execute:Bike.Rent'], ['execute:Bike.Rented']],
    ['create', ['create', 'sensitive:read'], ['query', 'read:Fleet']],
    ['inspect:*', ['inspect:Rent'], ['record', 'create']],
    ['sensitive:read', ['sensitive:read'], ['create']],
  ];
  for (const [grant, covers, not] of cases) {
    const caller = { subject: 'test', rights: [grant] };
    assert.equal(
      [grant, covers.filter((right) => !may(caller, right)), not.filter((right) => may(caller, right))],
      [grant, [], []],
    );
  }
});

test('invalid policies are refused', () => {
  const policy: AuthPolicy = {
    tokens: [{ sha256: 'abc', subject: 'job', roles: ['reader', 'ghost'] }],
    jwt: { jwks: 'http://keys.example', issuer: '', audience: 'x', algorithms: ['HS256'], rolesClaim: 'roles' },
    roles: { reader: ['read:*', 'write:*', 'read:'] },
  };
  assert.equal(checkPolicy(policy), [
    "role 'reader' has an unknown right 'write:*'",
    "role 'reader' has an unknown right 'read:'",
    "the token of 'job' has no SHA-256 of 64 hex digits",
    "'job' has an unknown role 'ghost'",
    "JWT algorithm 'HS256' is not among RS256, ES256, EdDSA",
    'jwt.jwks must be a file or an https URL',
    'jwt.issuer is empty',
  ]);
});

test('parts of a policy without effect are warned of', () => {
  const policy: AuthPolicy = {
    tokens: [{ sha256: 'a'.repeat(64), subject: 'job', roles: ['clerk'] }],
    roles: {
      clerk: [
        ...['*', 'create', 'query', 'metrics', 'record', 'sensitive:read', 'read:*', 'subscribe:*'],
        ...['read:Bike$Agg', 'read:Bike*', 'read:*$Commands', 'read:Fleet', 'read:meta_*', 'read:meta_commands'],
        ...[
          'execute:Bike.*',
          'execute:Bike.RentBike',
          'inspect:Rent',
          'inspect:Fleet',
          'manage:Sales',
          'manage:Expire',
        ],
        ...['subscribe:Sales', 'read:bike$Agg', 'read:Bikes*', 'read:Fleets', 'execute:Bike.Rent', 'execute:Dock.*'],
        ...['inspect:RentBike', 'subscribe:Expire', 'manage:Fleet', 'read:meta_command'],
      ],
      auditor: ['read:Bike$Events'],
    },
  };
  const names = {
    aggregates: [{ name: 'Bike' }],
    projections: [{ name: 'Fleet' }],
    decisions: [{ name: 'Rent', aggregate: 'Bike', command: 'RentBike' }],
    subscriptions: [{ name: 'Sales' }],
    reactions: [{ name: 'Expire' }],
    roles: ['auditor', 'constructor', 'porter'],
  };
  assert.equal(policyWarnings(policy, names), [
    "role 'clerk': 'read:bike$Agg' covers nothing",
    "role 'clerk': 'read:Bikes*' covers nothing",
    "role 'clerk': 'read:Fleets' covers nothing",
    "role 'clerk': 'execute:Bike.Rent' covers nothing",
    "role 'clerk': 'execute:Dock.*' covers nothing",
    "role 'clerk': 'inspect:RentBike' covers nothing",
    "role 'clerk': 'subscribe:Expire' covers nothing",
    "role 'clerk': 'manage:Fleet' covers nothing",
    "role 'clerk': 'read:meta_command' covers nothing",
    "there is no role 'constructor', so HAS_ROLE('constructor') is FALSE for all callers",
    "there is no role 'porter', so HAS_ROLE('porter') is FALSE for all callers",
    "role 'auditor' belongs to no token",
  ]);
  const claims = (rolesClaim: string | readonly string[]): readonly string[] =>
    policyWarnings(
      { tokens: [], roles: {}, jwt: { jwks: 'k', issuer: 'i', audience: 'a', algorithms: ['ES256'], rolesClaim } },
      { ...names, roles: [] },
    );
  assert.equal(['roles', 'https://id.example.org/roles', ['realm_access', 'roles']].flatMap(claims), []);
  assert.equal(claims('realm_access.roles'), [
    `jwt.rolesClaim 'realm_access.roles' is the name of one claim; for members of objects write ["realm_access","roles"]`,
  ]);
});

test('without a policy the server listens only on the loopback interface, unless allowed', () => {
  const policy: AuthPolicy = { tokens: [], roles: {} };
  for (const host of ['127.0.0.1', '127.8.0.1', 'localhost', '::1'])
    assert.is(refusesListening(host, undefined, false), undefined);
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.org', '']) {
    assert.type(refusesListening(host, undefined, false), 'string');
    assert.is(refusesListening(host, undefined, true), undefined);
    assert.is(refusesListening(host, policy, false), undefined);
  }
});

/** A role for each right, with its name, and some that combine rights. */
const roles: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  admin: ['*'],
  reader: ['read:*'],
  introspect: ['read:meta_*'],
  state: ['read:Bike$Agg'],
  events: ['read:Bike$Events'],
  auditor: ['read:*$Commands'],
  eventsAndInspections: ['read:Bike$Events', 'read:meta_inspections'],
  fleet: ['read:Fleet'],
  clerk: ['execute:Bike.*'],
  creator: ['create'],
  analyst: ['query'],
  examiner: ['inspect:Rent'],
  scraper: ['metrics'],
  spy: ['sensitive:read', 'read:Bike*', 'execute:Bike.*'],
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const policy: AuthPolicy = {
  tokens: Object.keys(roles).map((role) => ({ sha256: sha256(`token-${role}`), subject: role, roles: [role] })),
  roles,
};
const enabled = {
  create: () => Promise.resolve({ registryVersion: 2, created: [] }),
  query: () => Promise.resolve({ table: shownTable(raw({ columns: [], rows: [] }), anyone) }),
  inspect: (_: unknown, { budget }: { readonly budget: { readonly takes: (bytes: number) => void } }) => {
    budget.takes(0);
    return Promise.resolve({ answer: 'inspected', table: shownTable(raw({ columns: [], rows: [] }), anyone) } as const);
  },
};

/** A path that exists for each row of the route table. */
function pathOf(path: string): string {
  const named = path.includes('/reg/decisions')
    ? 'Rent'
    : path.includes('/reg/commands')
      ? 'RentBike'
      : path.includes('/reg/events')
        ? 'BikeRented'
        : path.includes('/reg/templates')
          ? 'Crud'
          : path.includes('/reg/inspection')
            ? 'preview'
            : path.includes('projections')
              ? 'Fleet'
              : 'Bike';
  return path
    .replace('{agg}', 'Bike')
    .replace('{command}', 'RentBike')
    .replace('{table}', 'preview')
    .replace(/\{id\}|\{stream_id\}/, 'B-1')
    .replace('{position}', '1')
    .replace('{branch}', '1')
    .replace('{name}', named);
}
const bodies: Readonly<Record<string, object>> = {
  command: { bike_id: 'B-1', rider: 'ada' },
  schema: { lang: 'CREATE' },
  query: { sql: 'SELECT 1' },
  members: {},
  run_inspection: { decision: 'Rent', commands: [] },
};
/** Routes without a resource in this test: 404 for every caller. */
const absent = [
  '/api/reg/eventstores/{name}',
  '/api/reg/claims/{name}',
  '/api/reg/enums/{name}',
  '/api/reg/functions/{name}',
  '/api/reg/subscriptions/{name}',
  '/api/reg/reactions/{name}',
  '/api/reg/reactions/{name}/branches',
  ...routeTable.map(({ path }) => path).filter((path) => /^\/api\/(subscriptions|reactions)\//.test(path)),
  '/api/aggregates/{agg}/inspect/input/{table}',
];

for (const readOnly of [false, true]) {
  test(`route × role × credentials${readOnly ? ', read-only' : ''}`, async () => {
    const server = await startSample({ settings: { auth: policy }, readOnly, ...enabled });
    if (!readOnly) {
      await server.post(
        '/api/aggregates/Bike/execute/RegisterBike',
        { bike_id: 'B-1', model: 'R', price: 1 },
        { Authorization: 'Bearer token-admin' },
      );
    }
    let cases = 0;
    // `/` is for all, and shows more to some (pages.test.ts).
    for (const route of routeTable.filter(({ answers }) => answers !== 'page')) {
      const path = pathOf(route.path);
      const call = async (headers: Record<string, string>): Promise<number> => {
        cases++;
        const body = route.body === undefined ? {} : { body: JSON.stringify(bodies[route.name] ?? bodies[route.body]) };
        const answer = await fetch(server.url + path, {
          method: route.method,
          headers: { 'Content-Type': 'application/json', ...headers },
          ...body,
        });
        const text = await answer.text();
        if (answer.status >= 400) assert.equal(Object.keys(JSON.parse(text) as object), ['error']);
        if (answer.status === 401) assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
        return answer.status;
      };
      for (const headers of credentials)
        assert.equal(
          [route.name, headers, await call(headers)],
          [route.name, headers, route.open === true ? 200 : 401],
        );
      for (const [role, grants] of Object.entries(roles)) {
        const caller = { subject: role, rights: grants };
        const needs = [
          ...route.rights,
          ...(route.needs ?? []),
          ...(route.path.includes('/inspect/') ? ['read:Bike$Events'] : []),
        ];
        const isAllowed = needs.every((right) =>
          may(
            caller,
            right
              .replace('{agg}', 'Bike')
              .replace('{command}', 'RentBike')
              .replace('{block}', 'Rent')
              .replace('{name}', path.includes('projections') ? 'Fleet' : '{name}'),
          ),
        );
        // The events of all aggregates are cut to those that the caller may read, if there are any.
        const readsSome =
          !['all_events', 'archive'].includes(route.name) ||
          ['Bike', 'Dock'].some((name) => may(caller, `read:${name}$Events`));
        const missing = absent.includes(route.path) || (readOnly && route.name === 'stream_state' && isAllowed);
        const blocked = readOnly && route.mutates === true;
        const status = missing ? 404 : !isAllowed || !readsSome || blocked ? 403 : route.name === 'create' ? 201 : 200;
        assert.equal(
          [route.name, role, await call({ Authorization: `Bearer token-${role}` })],
          [route.name, role, status],
        );
      }
    }
    assert.ok(cases > 600, `${cases} cases`);
    await server.stop();
  });
}

const credentials: readonly Record<string, string>[] = [
  {},
  { Authorization: 'Bearer wrong' },
  { Authorization: 'Bearer' },
  { Authorization: 'Basic YTpi' },
  { Authorization: 'Bearer a.b.c' },
];

test('401 comes before 404, 404 before 405, 405 before 403', async () => {
  const server = await startSample({ settings: { auth: policy } });
  const nothing = { Authorization: 'Bearer token-nothing' };
  const cases: readonly (readonly [method: string, path: string, headers: Record<string, string>, status: number])[] = [
    ['GET', '/nope', {}, 401],
    ['DELETE', '/info', {}, 401],
    ['OPTIONS', '/info', {}, 401],
    ['GET', '/nope', nothing, 404],
    ['GET', '/api/aggregates/Boat/state', nothing, 404],
    ['GET', '/api/reg/commands/Fly', nothing, 404],
    ['DELETE', '/info', nothing, 405],
    ['GET', '/info', nothing, 403],
    ['GET', '/api/aggregates/Bike/B-9', nothing, 403],
    ['OPTIONS', '/info', nothing, 204],
    ['POST', '/health', {}, 405],
  ];
  for (const [method, path, headers, status] of cases) {
    assert.equal([method, path, (await fetch(server.url + path, { method, headers })).status], [method, path, status]);
  }
  await server.stop();
});

test('sensitive values are shown to callers with the right, whose tags differ', async () => {
  const server = await startSample({ settings: { auth: policy } });
  const as = (role: string) => ({ Authorization: `Bearer token-${role}`, Accept: 'application/json' });
  const body = { bike_id: 'B-1', model: 'R', price: 1, code: 'secret' };
  const sent = await server.post('/api/aggregates/Bike/execute/RegisterBike', body, as('spy'));
  assert.match(await sent.text(), 'secret');
  const masked = await server.post('/api/aggregates/Bike/execute/RegisterBike', body, as('clerk'));
  assert.not.match(await masked.text(), 'secret');
  const seen = await server.get('/api/aggregates/Bike/state', as('spy'));
  const hidden = await server.get('/api/aggregates/Bike/state', as('state'));
  assert.match(await seen.text(), '"code":"secret"');
  assert.match(await hidden.text(), '"code":"****"');
  const other = { ...as('state'), 'If-None-Match': seen.headers.get('etag') ?? '' };
  assert.is((await server.get('/api/aggregates/Bike/state', other)).status, 200);
  const own = { ...as('state'), 'If-None-Match': hidden.headers.get('etag') ?? '' };
  assert.is((await server.get('/api/aggregates/Bike/state', own)).status, 304);
  await server.stop();
});

test('denied and mutating calls are logged with their subject, and without their token', async () => {
  const server = await startSample({ settings: { auth: policy } });
  await server.get('/info?secret=1', { Authorization: 'Bearer token-clerk' });
  await server.post(
    '/api/aggregates/Bike/execute/RentBike',
    { bike_id: 'B-1', rider: 'x' },
    { Authorization: 'Bearer token-clerk' },
  );
  await server.get('/info', { Authorization: 'Bearer token-wrong' });
  await server.stop();
  const audit = server.lines
    .filter((line) => line['message'] === 'audit')
    .map(({ route, status, subject, denied, outcome, reason }) => ({
      route,
      status,
      subject,
      denied,
      outcome,
      reason,
    }));
  assert.equal(audit, [
    { route: 'info', status: 403, subject: 'clerk', denied: 'read:meta_*', outcome: undefined, reason: undefined },
    { route: 'execute', status: 200, subject: 'clerk', denied: undefined, outcome: 'rejected', reason: undefined },
    {
      route: undefined,
      status: 401,
      subject: undefined,
      denied: undefined,
      outcome: undefined,
      reason: 'no token of the policy',
    },
  ]);
  assert.not.match(JSON.stringify(server.lines), /token-|secret/);
});

const issuer = 'https://issuer.example';
const now = Date.UTC(2026, 5, 1) / 1000;

async function jwtServer(rolesClaim: string | readonly string[] = 'roles') {
  const es = await generateKeyPair('ES256');
  const ed = await generateKeyPair('EdDSA');
  const rs = await generateKeyPair('RS256');
  const stranger = await generateKeyPair('ES256');
  const folder = freshFolder();
  const jwks = join(folder, 'jwks.json');
  const keys: JWK[] = [];
  for (const [kid, pair] of [
    ['es', es],
    ['ed', ed],
    ['rs', rs],
  ] as const)
    keys.push({ ...(await exportJWK(pair.publicKey)), kid });
  await writeFile(jwks, JSON.stringify({ keys }));
  const jwt = { jwks, issuer, audience: 'schemac', algorithms: ['ES256', 'EdDSA'], rolesClaim };
  const server = await startSample({ settings: { auth: { ...policy, jwt } }, now: () => now * 1000 });
  return {
    server,
    keys,
    strangers: await exportJWK(stranger.publicKey),
    es: es.privateKey,
    ed: ed.privateKey,
    rs: rs.privateKey,
    stranger: stranger.privateKey,
  };
}

test('JSON web tokens', async () => {
  const { server, keys, es, ed, rs, stranger, strangers } = await jwtServer();
  const good = { iss: issuer, aud: 'schemac', exp: now + 60, sub: 'ada', roles: ['introspect'] };
  const sign = (claims: object, key: CryptoKey = es, alg = 'ES256', kid = 'es'): Promise<string> =>
    new SignJWT(claims as Record<string, unknown>).setProtectedHeader({ alg, kid }).sign(key);
  const header = (fields: JWTHeaderParameters, key: CryptoKey | Uint8Array, options?: SignOptions): Promise<string> =>
    new SignJWT(good).setProtectedHeader(fields).sign(key, options);
  const without = (name: string): object => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
  const cases: readonly (readonly [name: string, token: string, status: number])[] = [
    ['good', await sign(good), 200],
    ['EdDSA', await sign(good, ed, 'EdDSA', 'ed'), 200],
    ['roles as words', await sign({ ...good, roles: 'other introspect' }), 200],
    ['an algorithm that is not configured', await sign(good, rs, 'RS256', 'rs'), 401],
    ['a key of somebody else', await sign(good, stranger), 401],
    ['another issuer', await sign({ ...good, iss: 'https://other.example' }), 401],
    ['another audience', await sign({ ...good, aud: 'other' }), 401],
    ['no expiry', await sign(without('exp')), 401],
    ['no issuer', await sign(without('iss')), 401],
    ['no audience', await sign(without('aud')), 401],
    ['expired within the skew', await sign({ ...good, exp: now - 59 }), 200],
    ['expired beyond the skew', await sign({ ...good, exp: now - 61 }), 401],
    ['not yet, within the skew', await sign({ ...good, nbf: now + 59 }), 200],
    ['not yet, beyond the skew', await sign({ ...good, nbf: now + 61 }), 401],
    ['one audience of several', await sign({ ...good, aud: ['other', 'schemac'] }), 200],
    ['several other audiences', await sign({ ...good, aud: ['other', 'schemac2'] }), 401],
    ['no audience of a list', await sign({ ...good, aud: [] }), 401],
    ['an expiry that is text', await sign({ ...good, exp: String(now + 60) }), 401],
    ['an expiry with a fraction', await sign({ ...good, exp: now + 0.5 }), 200],
    ['an expiry without end', await sign({ ...good, exp: 1e300 }), 200],
    ['issuers', await sign({ ...good, iss: [issuer] }), 401],
    ['a subject that is none', await sign({ ...good, sub: 7 }), 200],
    ['roles that are none', await sign({ ...good, roles: { introspect: true } }), 403],
    ['a role among what is none', await sign({ ...good, roles: [7, null, 'introspect'] }), 200],
    [
      'the public key as a secret',
      await header({ alg: 'HS256', kid: 'es' }, new TextEncoder().encode(JSON.stringify(keys[0]))),
      401,
    ],
    ['a key that it brings itself', await header({ alg: 'ES256', kid: 'es', jwk: strangers }, stranger), 401],
    [
      'an extension that must be understood',
      await header({ alg: 'ES256', kid: 'es', crit: ['x'], x: 1 }, es, { crit: { x: true } }),
      401,
    ],
    [
      'a changed payload',
      (await sign(good)).replace(
        /\..*\./,
        `.${Buffer.from(JSON.stringify({ ...good, sub: 'eve' })).toString('base64url')}.`,
      ),
      401,
    ],
    ['no signature', (await sign(good)).replace(/[^.]+$/, ''), 401],
    ['more parts', `${await sign(good)}.x`, 401],
    [
      'unsigned',
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(good)).toString('base64url')}.`,
      401,
    ],
    ['a role that is not there', await sign({ ...good, roles: ['constructor'] }), 403],
    ['no roles', await sign(without('roles')), 403],
  ];
  for (const [name, token, status] of cases) {
    const answer = await server.get('/info', { Authorization: `Bearer ${token}` });
    assert.equal([name, answer.status], [name, status]);
  }
  assert.is(
    server.lines.some((line) => line['subject'] === 'ada'),
    true,
  );
  const reasons = new Set(server.lines.flatMap(({ reason }) => (typeof reason === 'string' ? [reason] : [])));
  assert.equal([...reasons].sort(), [
    '"alg" (Algorithm) Header Parameter value not allowed',
    '"exp" claim must be a number',
    '"exp" claim timestamp check failed',
    '"nbf" claim timestamp check failed',
    'an extension that is not supported',
    'missing required "aud" claim',
    'missing required "exp" claim',
    'missing required "iss" claim',
    'no token of the policy',
    'signature verification failed',
    'unexpected "aud" claim value',
    'unexpected "iss" claim value',
  ]);
  await server.stop();
});

test('roles are found at the end of a path through objects', async () => {
  const { server, es } = await jwtServer(['realm_access', 'roles']);
  const sent: readonly (readonly [claims: object, status: number])[] = [
    [{ realm_access: { roles: ['introspect'] } }, 200],
    [{ realm_access: { roles: 'introspect' } }, 200],
    [{ 'realm_access.roles': ['introspect'], roles: ['introspect'] }, 403],
    [{ realm_access: ['introspect'] }, 403],
    [{ realm_access: null }, 403],
    [{}, 403],
  ];
  const statuses: number[] = [];
  for (const [claims] of sent) {
    const token = await new SignJWT({ iss: issuer, aud: 'schemac', exp: now + 60, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'es' })
      .sign(es);
    statuses.push((await server.get('/info', { Authorization: `Bearer ${token}` })).status);
  }
  await server.stop();
  assert.equal(
    statuses,
    sent.map(([, status]) => status),
  );
  const warnings = server.lines.filter(({ message }) => String(message).startsWith('a verified token'));
  assert.equal(warnings, [
    {
      message: 'a verified token names no role of the policy in ["realm_access","roles"], so its sender has no rights',
    },
  ]);
});

test('a key set file is read again when a token names a new key, and every few minutes', async () => {
  const folder = freshFolder();
  const path = join(folder, 'jwks.json');
  const pairs = { old: await generateKeyPair('ES256'), next: await generateKeyPair('ES256') };
  const write = async (...kids: readonly (keyof typeof pairs)[]): Promise<void> => {
    const keys = await Promise.all(kids.map(async (kid) => ({ ...(await exportJWK(pairs[kid].publicKey)), kid })));
    await writeFile(path, JSON.stringify({ keys }));
  };
  await write('old');
  let clock = now * 1000;
  const jwt = { jwks: path, issuer, audience: 'schemac', algorithms: ['ES256'], rolesClaim: 'roles' };
  const server = await startSample({ settings: { auth: { ...policy, jwt } }, now: () => clock });
  const status = async (kid: keyof typeof pairs): Promise<number> => {
    const claims = { iss: issuer, aud: 'schemac', exp: clock / 1000 + 60, roles: ['introspect'] };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(pairs[kid].privateKey);
    return (await server.get('/info', { Authorization: `Bearer ${token}` })).status;
  };
  const seen: (readonly [string, number, number])[] = [];
  const look = async (when: string): Promise<void> => {
    seen.push([when, await status('old'), await status('next')]);
  };
  await look('at first');
  await write('next');
  await look('changed, and read a moment ago');
  clock += 6_000;
  await look('a new key is named');
  await write('old');
  clock += 4 * 60_000;
  seen.push(['a key is gone, and nobody names another', await status('next'), 0]);
  clock += 2 * 60_000;
  await look('some minutes later');
  await writeFile(path, '{');
  clock += 6 * 60_000;
  await look('no key set any more');
  assert.equal(seen, [
    ['at first', 200, 401],
    ['changed, and read a moment ago', 200, 401],
    ['a new key is named', 200, 200],
    ['a key is gone, and nobody names another', 200, 0],
    ['some minutes later', 200, 401],
    ['no key set any more', 200, 401],
  ]);
  assert.is(
    server.lines.some((line) => String(line['message']).includes('could not be read again')),
    true,
  );
  await server.stop();
});

test('while the key set cannot be read, a token is answered with 503', async () => {
  const jwt = {
    jwks: 'https://127.0.0.1:1/jwks.json',
    issuer,
    audience: 'schemac',
    algorithms: ['ES256'],
    rolesClaim: 'roles',
  };
  const server = await startSample({ settings: { auth: { ...policy, jwt } } });
  const { privateKey } = await generateKeyPair('ES256');
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
  assert.is((await server.get('/info', { Authorization: `Bearer ${token}` })).status, 503);
  assert.is((await server.get('/info', { Authorization: 'Bearer token-admin' })).status, 200);
  await server.stop();
});

test.run();
