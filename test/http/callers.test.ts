/** The caller that a request's credentials make, and requests without any. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuthority } from '../../server/http/auth/authority.ts';
import { networkOf } from '../../server/http/auth/network.ts';
import { checkPolicy, type AuthPolicy } from '../../server/http/auth/policy.ts';
import { policyWarnings } from '../../server/http/auth/policy-warnings.ts';
import { accountOf, anyone, type Caller } from '../../server/operation/caller.ts';
import { may, rightsKey } from '../../server/operation/rights.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { startSample } from './sample-server.ts';

const test = suite('callers');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const issuer = 'https://issuer.example';
const now = Date.UTC(2026, 5, 1) / 1000;

const policy: AuthPolicy = {
  tokens: [
    { sha256: sha256('plain'), subject: 'job', roles: ['reader'] },
    { sha256: sha256('rich'), subject: 'desk', roles: ['reader', 'clerk'], claims: { clinic: 'north', floor: 2 } },
  ],
  roles: { reader: ['read:Bike*'], clerk: ['execute:Bike.*'], visitor: ['read:Fleet', 'read:meta_*'] },
};

/** A policy that also takes tokens that `sign` makes. */
async function signed(): Promise<{ policy: AuthPolicy; sign: (claims: object) => Promise<string> }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = join(freshFolder(), 'jwks.json');
  await writeFile(jwks, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k' }] }));
  const jwt = { jwks, issuer, audience: 'schemac', algorithms: ['ES256'], rolesClaim: 'roles' };
  const sign = (claims: object): Promise<string> =>
    new SignJWT({ iss: issuer, aud: 'schemac', exp: now + 60, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .sign(privateKey);
  return { policy: { ...policy, jwt, anonymous: { roles: ['visitor'] } }, sign };
}

test('a caller has the subject, the roles and the claims of its credentials', async () => {
  const { policy: whole, sign } = await signed();
  const authority = await createAuthority(whole, { now: () => now * 1000, warn: () => undefined });
  const callerOf = async (token: string): Promise<Caller> => authority.senderOf(`Bearer ${token}`, {});
  const { subject, rights, identity, until } = await callerOf('rich');
  assert.equal(
    { subject, rights, identity, until },
    {
      subject: 'desk',
      rights: ['read:Bike*', 'execute:Bike.*'],
      identity: { roles: ['reader', 'clerk'], claims: { clinic: 'north', floor: 2 } },
      until: undefined,
    },
  );
  assert.equal((await callerOf('plain')).identity, { roles: ['reader'], claims: {} });
  const ada = await callerOf(
    await sign({ sub: 'ada', roles: ['clerk', 'surgeon'], clinic: 'north', n: 7, o: { p: 1 } }),
  );
  assert.equal(ada, {
    subject: 'ada',
    rights: ['execute:Bike.*'],
    identity: {
      roles: ['clerk', 'surgeon'],
      claims: {
        ...{ iss: issuer, aud: 'schemac', exp: now + 60, sub: 'ada', roles: ['clerk', 'surgeon'] },
        ...{ clinic: 'north', n: 7, o: { p: 1 } },
      },
    },
    until: (now + 120) * 1000,
  });
  const nameless = await Promise.all([{}, { sub: '' }, { sub: 7 }].map(async (claims) => callerOf(await sign(claims))));
  assert.equal(
    nameless.map((caller) => caller.subject),
    [null, null, null],
  );
  assert.is(new Set(nameless.map(accountOf)).size, 3);
});

test('requests without a header are of one anonymous caller, if the policy has its roles', async () => {
  const authority = await createAuthority(
    { ...policy, anonymous: { roles: ['visitor'] } },
    { now: Date.now, warn: () => undefined },
  );
  const from = async (remoteAddress: string): Promise<Caller> => authority.senderOf(undefined, { remoteAddress });
  const [here, there] = [await from('127.0.0.1'), await from('10.0.0.1')];
  assert.equal(
    [here.subject, here.rights, here.identity],
    [null, ['read:Fleet', 'read:meta_*'], { roles: ['visitor'], claims: {} }],
  );
  assert.is(rightsKey(here), rightsKey(there));
  assert.is.not(accountOf(here), accountOf(there));

  const server = await startSample({ settings: { auth: { ...policy, anonymous: { roles: ['visitor'] } } } });
  const page = { Accept: 'text/html' };
  const cases: readonly (readonly [path: string, headers: Record<string, string>, status: number])[] = [
    ['/api/projections/Fleet/query', {}, 200],
    ['/api/aggregates/Bike/state', {}, 403],
    ['/nope', {}, 404],
    ['/api/projections/Fleet/query', { Authorization: 'Bearer plain' }, 403],
    ['/api/aggregates/Bike/state', { Authorization: 'Bearer plain' }, 200],
    ['/api/projections/Fleet/query', { Authorization: 'Bearer wrong' }, 401],
    ['/api/projections/Fleet/query', { Authorization: 'Basic YTpi' }, 401],
    ['/api/projections/Fleet/query', { Authorization: '' }, 401],
    ['/', page, 200],
    ['/', { ...page, Authorization: 'Bearer wrong' }, 401],
  ];
  for (const [path, headers, status] of cases)
    assert.equal([path, headers, (await server.get(path, headers)).status], [path, headers, status]);
  const documented = await server.get('/openapi.json', { Accept: 'application/json' });
  assert.equal(((await documented.json()) as { readonly security: unknown }).security, [{ bearer: [] }, {}]);
  // The page at `/` shows the registry to those who may read it.
  assert.match(await (await server.get('/', page)).text(), '/api/aggregates/Bike');
  const subjects = server.lines.flatMap(({ route, subject }) => (route === 'projection' ? [subject] : []));
  assert.equal(subjects.slice(0, 2), [undefined, 'job']);
  await server.stop();
});

test('a subject that reactions have, or that no log can hold, is refused', async () => {
  const { policy: whole, sign } = await signed();
  const server = await startSample({ settings: { auth: whole }, now: () => now * 1000 });
  const statuses: number[] = [];
  for (const sub of ['ada', 'reaction:Expire', 'reaction', 'a\0b', 'half \ud800', 'x'.repeat(9_000)])
    statuses.push(
      (await server.get('/info', { Authorization: `Bearer ${await sign({ sub, roles: ['visitor'] })}` })).status,
    );
  assert.equal(statuses, [200, 401, 200, 401, 401, 200]);
  assert.equal(
    server.lines.flatMap(({ reason }) => (reason === undefined ? [] : [reason])),
    [
      "a subject begins with 'reaction:', which is kept for reactions",
      'a subject contains a NUL or half of a character',
      'a subject contains a NUL or half of a character',
    ],
  );
  await server.stop();
  assert.equal(
    checkPolicy({
      tokens: [{ sha256: 'a'.repeat(64), subject: 'reaction:Expire', roles: [] }],
      anonymous: { roles: ['visitor', 'reader'] },
      roles: { reader: ['rows:all'] },
    }),
    [
      "a subject begins with 'reaction:', which is kept for reactions",
      "anonymous callers have an unknown role 'visitor'",
    ],
  );
});

test('the right to all rows is one that create includes, and the start warns of no such right', () => {
  const holders = [['*'], ['create'], ['rows:all'], ['sensitive:read'], ['read:*']].map((rights) =>
    may({ subject: 'x', rights }, 'rows:all'),
  );
  assert.equal(holders, [true, true, true, false, false]);
  const without: Caller = { ...anyone, except: ['sensitive:read', 'rows:all'] };
  assert.equal([may(anyone, 'rows:all'), may(without, 'rows:all'), may(without, 'create')], [true, false, true]);
  assert.is.not(rightsKey(without), rightsKey(anyone));
  const names = { aggregates: [], projections: [], decisions: [], subscriptions: [], reactions: [], roles: [] };
  assert.equal(policyWarnings({ tokens: [], anonymous: { roles: ['all'] }, roles: { all: ['rows:all'] } }, names), []);
});

test('callers of one network of IPv6 are counted together', () => {
  const networks: readonly (readonly [address: string, network: string])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['1::2:3:4:5:6:7', '1:0:2:3'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', '0:0:0:0'],
  ];
  assert.equal(
    networks.map(([address]) => [address, networkOf(address)]),
    networks,
  );
});

test.run();
