/** The keys of tokens, from a server that answers, stalls and pours (docs/http.md#who-may-do-what). */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createKeySet } from '../../server/http/auth/key-set.ts';
import { until } from '../kit/until.ts';
import { collectGarbage } from './collect-garbage.ts';

const test = suite('keys of a URL');
const { publicKey, privateKey } = await generateKeyPair('ES256');
const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'one' }] });
const signed = (kid: string): Promise<string> =>
  new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

let answer = (response: ServerResponse): void => void response.end(jwks);
const asked: ServerResponse[] = [];
const server = createServer((_, response) => {
  asked.push(response);
  answer(response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo; // it listens on a port
const stopCollecting = collectGarbage();
test.after(() => {
  stopCollecting();
  server.closeAllConnections();
  server.close();
});

test('a server of keys that stalls holds up no token whose key is known', async () => {
  let clock = 1_000_000;
  const warnings: string[] = [];
  const url = `http://127.0.0.1:${port}/keys`;
  const keys = await createKeySet(url, { now: () => clock, warn: (message) => void warnings.push(message) });
  const find = async (kid: string): Promise<string> => {
    const [head = '', payload = '', signature = ''] = (await signed(kid)).split('.');
    const header = { alg: 'ES256', kid };
    return Promise.resolve(keys.find(header, { protected: head, payload, signature })).then(() => 'found', messageOf);
  };
  const unknown = 'no applicable key found in the JSON Web Key Set';
  assert.equal([asked.length, await Promise.all([find('one'), find('one')]), asked.length], [0, ['found', 'found'], 1]);
  // Soon after a read, an unknown key asks for none.
  assert.equal([await find('two'), asked.length], [unknown, 1]);
  answer = () => undefined;
  clock += 300_001;
  assert.equal(await Promise.all([find('one'), find('one')]), ['found', 'found']);
  await until(() => asked.length === 2);
  await until(() => warnings.length === 1);
  const kept = 'the keys that verify tokens could not be read again, so the previous keys stay in use: ';
  assert.equal(warnings, [`${kept}Error: http://127.0.0.1:${port} did not answer within 5 s`]);
  assert.is(await find('one'), 'found');
  // An answer without an end is refused by its size, a redirect is not followed.
  answer = (response) => {
    const pour = (): void => {
      while (response.writable && response.write('x'.repeat(64 * 1024)));
      response.once('drain', pour);
    };
    response.on('error', () => undefined);
    pour();
  };
  clock += 30_001;
  assert.is(await find('two'), unknown);
  answer = (response) => void response.writeHead(302, { location: `http://127.0.0.1:${port}/other` }).end();
  clock += 30_001;
  assert.is(await find('two'), unknown);
  assert.equal(warnings.slice(1), [
    `${kept}Error: the answer has more than 1048576 bytes`,
    `${kept}Error: http://127.0.0.1:${port} answered 302`,
  ]);
  assert.is(asked.length, 4);
});

test('without any keys the failure is that of the read', async () => {
  const keys = await createKeySet('http://127.0.0.1:1/keys', { now: () => 0, warn: () => undefined });
  const found = await Promise.resolve(keys.find({ alg: 'ES256' }, { payload: '', signature: '' })).catch(messageOf);
  assert.is(found, 'connect ECONNREFUSED 127.0.0.1:1');
});

test.run();
