/** A policy that is replaced while a server runs: what is in force for requests, streams and signed tokens. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuthPolicy } from '../../server/http/auth/policy.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { connect, type Said } from './follow-storm.ts';
import { startSample } from './sample-server.ts';

const test = suite('policy');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const as = (token: string) => ({ Authorization: `Bearer ${token}` });
const tokens = ['reader', 'auditor', 'spy'].map((role) => ({ sha256: sha256(role), subject: role, roles: [role] }));
const policy: AuthPolicy = {
  tokens,
  anonymous: { roles: ['visitor'] },
  roles: {
    reader: ['read:Bike*'],
    auditor: ['read:Bike$Events', 'read:Dock$Events'],
    spy: ['read:*', 'sensitive:read'],
    visitor: ['read:Bike$Events'],
  },
};

test('a new policy is in force for the next request', async () => {
  const server = await startSample({ settings: { auth: policy } });
  const path = '/api/aggregates/Bike/state';
  const statuses = async (): Promise<readonly number[]> =>
    Promise.all([as('reader'), as('auditor'), as('new'), {}].map(async (who) => (await server.get(path, who)).status));
  const seen = [await statuses()];
  await server.server.replacePolicy({
    tokens: [
      { sha256: sha256('new'), subject: 'new', roles: ['reader'] },
      { sha256: sha256('auditor'), subject: 'auditor', roles: ['reader'] },
    ],
    roles: { reader: ['read:Bike*'] },
  });
  seen.push(await statuses());
  await server.stop();
  assert.equal(seen, [
    [200, 403, 401, 403],
    [401, 200, 200, 401],
  ]);
});

/** The rest of a stream: positions of its events, and its end. */
async function rest(said: AsyncIterable<Said>): Promise<string> {
  const all: string[] = [];
  for await (const { id, position, end } of said) {
    if (id !== undefined) all.push(String(position));
    if (end !== undefined) all.push(end);
  }
  return all.join(' ');
}

test('streams of callers who lose a right by which they read end, and others go on', async () => {
  const server = await startSample({ settings: { auth: policy } });
  await server.append(1, 3);
  const bikes = '/api/aggregates/Bike/events?follow=true&until=2';
  const all = '/api/events?follow=true&until=2';
  const next: AuthPolicy = {
    tokens: tokens.filter(({ subject }) => subject !== 'reader'),
    roles: { auditor: ['read:Bike$Events', 'query'], spy: ['read:*'] },
  };
  const open: readonly (readonly [path: string, headers: Record<string, string>, said: string])[] = [
    [bikes, as('reader'), '1 credentials'],
    [bikes, {}, '1 credentials'],
    [bikes, as('auditor'), '1 2 until'],
    // Events of docks are no longer among those that it may read.
    [all, as('auditor'), '1 credentials'],
    // Values that were shown would be masked.
    [bikes, as('spy'), '1 credentials'],
  ];
  const streams = await Promise.all(
    open.map(async ([path, headers]) => {
      const { said } = await connect(server.url + path, 'ndjson', headers);
      let begun: () => void = () => undefined;
      const first = new Promise<void>((resolve) => (begun = resolve));
      async function* watched(): AsyncIterable<Said> {
        for await (const one of said) {
          if (one.id !== undefined) begun();
          yield one;
        }
      }
      return { first, whole: rest(watched()) };
    }),
  );
  await Promise.all(streams.map(({ first }) => first));
  await server.server.replacePolicy(next);
  await Promise.all(streams.flatMap(({ whole }, at) => (open[at]?.[2].endsWith('credentials') ? [whole] : [])));
  await server.append(1, 3);
  assert.equal(
    await Promise.all(streams.map(({ whole }) => whole)),
    open.map(([, , said]) => said),
  );
  await server.stop();
});

test('keys of signed tokens are read again with a policy, and stay if that fails', async () => {
  const pairs = { old: await generateKeyPair('ES256'), next: await generateKeyPair('ES256') };
  const [jwks, missing] = ['jwks.json', 'none.json'].map((name) => join(freshFolder(), name)) as [string, string];
  const write = async (kid: keyof typeof pairs): Promise<void> =>
    writeFile(jwks, JSON.stringify({ keys: [{ ...(await exportJWK(pairs[kid].publicKey)), kid }] }));
  const jwt = { jwks, issuer: 'us', audience: 'schemac', algorithms: ['ES256'], rolesClaim: 'roles' };
  const signed: AuthPolicy = { tokens: [], jwt, roles: { reader: ['read:Bike*'] } };
  await write('old');
  const server = await startSample({ settings: { auth: signed } });
  const statuses = async (): Promise<readonly number[]> =>
    Promise.all(
      (['old', 'next'] as const).map(async (kid) => {
        const claims = { iss: 'us', aud: 'schemac', exp: Math.floor(Date.now() / 1000) + 600, roles: ['reader'] };
        const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(pairs[kid].privateKey);
        return (await server.get('/api/aggregates/Bike/state', as(token))).status;
      }),
    );
  const seen = [await statuses()];
  await write('next');
  await server.server.replacePolicy(signed);
  seen.push(await statuses());
  await writeFile(jwks, '{');
  await server.server.replacePolicy({ ...signed, roles: {} });
  seen.push(await statuses());
  const refused = await server.server.replacePolicy({ ...signed, jwt: { ...jwt, jwks: missing } }).then(
    () => undefined,
    (error: unknown) => (error as NodeJS.ErrnoException).code,
  );
  seen.push(await statuses());
  await server.stop();
  assert.equal(
    [seen, refused],
    [
      [
        [200, 401],
        [401, 200],
        [401, 403],
        [401, 403],
      ],
      'ENOENT',
    ],
  );
});

test.run();
