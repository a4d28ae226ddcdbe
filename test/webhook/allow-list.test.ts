/** Which addresses webhooks reach (docs/operation.md#webhooks). */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAllowList, pushProblems } from '../../runtime/delivery/webhook/allow-list.ts';
import { isNearbyAddress, isPublicAddress } from '../../runtime/delivery/webhook/address.ts';
import { createSend } from '../../runtime/delivery/webhook/send.ts';

const addresses: readonly (readonly [address: string, isPublic: boolean])[] = [
  ['93.184.215.14', true],
  ['9.255.255.255', true],
  ['11.0.0.0', true],
  ['100.63.255.255', true],
  ['100.128.0.0', true],
  ['172.15.255.255', true],
  ['172.32.0.0', true],
  ['223.255.255.255', true],
  ['0.0.0.0', false],
  ['0.1.2.3', false],
  ['10.0.0.1', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['127.255.255.255', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.0.0.192', false],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['198.51.100.7', false],
  ['203.0.113.9', false],
  ['224.0.0.1', false],
  ['240.0.0.1', false],
  ['255.255.255.255', false],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ['2a00:1450:4001:800::200e', true],
  ['::', false],
  ['::1', false],
  ['::127.0.0.1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:a9fe:a9fe', false],
  ['::ffff:93.184.215.14', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b:1::1', false],
  ['100::1', false],
  ['2001::1', false],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', false],
  ['2001:db8::1', false],
  ['2002:7f00:1::', false],
  ['3fff::1', false],
  ['fc00::1', false],
  ['fd00:ec2::254', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['2a00:1450:4001:800::200e%eth0', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['localhost', false],
  ['', false],
];

for (const [address, expected] of addresses)
  test(`${address} is ${expected ? '' : 'not '}public`, () => assert.is(isPublicAddress(address), expected));

test('private nets and the loopback are nearby', () => {
  const nearby = ['127.0.0.1', '10.9.9.9', '172.20.0.1', '192.168.0.1', '::1', 'fd00::1'];
  assert.equal(nearby.filter(isNearbyAddress), nearby);
  assert.equal(['169.254.169.254', 'fe80::1', '8.8.8.8', '100.64.0.1', '::2'].filter(isNearbyAddress), []);
});

const allow = createAllowList({
  allowedHosts: [
    'a.example',
    'B.example:8443',
    '*.c.example',
    '192.168.7.7:9000',
    '[fd00::7]',
    'bücher.example',
    'near.example:80',
  ],
  allowedAddresses: ['10.1.0.0/16', 'fd01::/16', '169.254.0.0/16'],
});

/** `ok`, or the refusal of the URL or of one of the addresses of its name. */
function outcome(text: string, address: string): string {
  const url = new URL(text);
  return allow.refusesUrl(url) ?? allow.refusesAddress(url, address) ?? 'ok';
}

const notListed = (host: string): string => `${host} is not in push.allowedHosts of the configuration`;
const notPublic = (host: string, address: string): string =>
  `${host} has the address ${address}, which is not public and not in push.allowedAddresses`;
const notNear = (host: string): string =>
  `${host} is called with http, which only reaches addresses of push.allowedAddresses in private nets`;

const requests: readonly (readonly [url: string, address: string, outcome: string])[] = [
  ['https://a.example/x', '93.184.215.14', 'ok'],
  ['https://a.example:443/x', '2a00:1450::1', 'ok'],
  ['https://A.EXAMPLE/x', '93.184.215.14', 'ok'],
  ['https://a.example:444/x', '93.184.215.14', notListed('a.example:444')],
  ['https://a.example./x', '93.184.215.14', notListed('a.example.')],
  ['https://xa.example/x', '93.184.215.14', notListed('xa.example')],
  ['https://a.example.evil.example/x', '93.184.215.14', notListed('a.example.evil.example')],
  ['https://b.example:8443/x', '93.184.215.14', 'ok'],
  ['https://b.example/x', '93.184.215.14', notListed('b.example')],
  ['https://d.c.example/x', '93.184.215.14', 'ok'],
  ['https://e.d.c.example/x', '93.184.215.14', 'ok'],
  ['https://c.example/x', '93.184.215.14', notListed('c.example')],
  ['https://xn--bcher-kva.example/x', '93.184.215.14', 'ok'],
  // Whatever a name says, its addresses decide.
  ['https://a.example/x', '127.0.0.1', notPublic('a.example', '127.0.0.1')],
  ['https://a.example/x', '::ffff:127.0.0.1', notPublic('a.example', '::ffff:127.0.0.1')],
  ['https://a.example/x', '10.2.0.1', notPublic('a.example', '10.2.0.1')],
  ['https://a.example/x', '10.1.2.3', 'ok'],
  ['https://a.example/x', 'fd01::9', 'ok'],
  // A literal in the list of hosts is also an allowed address.
  ['https://192.168.7.7:9000/x', '192.168.7.7', 'ok'],
  ['https://[fd00::7]/x', 'fd00::7', 'ok'],
  ['https://0xc0a80707:9000/x', '192.168.7.7', 'ok'],
  ['https://192.168.7.8:9000/x', '192.168.7.8', notListed('192.168.7.8:9000')],
  ['https://[::ffff:127.0.0.1]/x', '::ffff:7f00:1', notListed('[::ffff:7f00:1]')],
  ['https://169.254.169.254/latest', '169.254.169.254', notListed('169.254.169.254')],
  // Without encryption only listed addresses nearby.
  ['http://near.example/x', '10.1.2.3', 'ok'],
  ['http://near.example/x', '93.184.215.14', notNear('near.example')],
  ['http://near.example/x', '169.254.1.1', notNear('near.example')],
  ['http://near.example/x', '192.168.1.1', notPublic('near.example', '192.168.1.1')],
  ['http://a.example/x', '10.1.2.3', notListed('a.example')],
];

for (const [url, address, expected] of requests)
  test(`${url} at ${address}`, () => assert.is(outcome(url, address), expected));

test('dev reaches any port of this computer, and nothing else', () => {
  const dev = createAllowList({ allowedHosts: [], allowedAddresses: [], loopback: true });
  const refusals = ['http://localhost:1/', 'http://127.0.0.1:2/', 'https://[::1]:3/', 'https://a.example/'].map(
    (text) => dev.refusesUrl(new URL(text)),
  );
  assert.equal(refusals, [undefined, undefined, undefined, notListed('a.example')]);
  assert.is(dev.refusesAddress(new URL('http://localhost:1/'), '127.0.0.1'), undefined);
  assert.is(dev.refusesAddress(new URL('http://localhost:1/'), '10.0.0.1'), notPublic('localhost:1', '10.0.0.1'));
});

test('each part of the configuration is checked', () => {
  const allowedHosts = ['a.example', 'https://a.example', 'a.example/x', '*', 'a:70000', '*.b:1', 'u@a', ''];
  const allowedAddresses = [
    '10.0.0.0/8',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.1',
    'a.example',
    '1.2.3.4/',
    '::1%lo/128',
  ];
  const wrongHost = (text: string): string => `'push.allowedHosts' takes host, host:port or *.host, not '${text}'`;
  const wrongAddress = (text: string): string =>
    `'push.allowedAddresses' takes addresses such as 10.1.0.0/16, not '${text}'`;
  assert.equal(pushProblems({ allowedHosts, allowedAddresses }), [
    ...['https://a.example', 'a.example/x', '*', 'a:70000', 'u@a', ''].map(wrongHost),
    ...['10.0.0.0/33', 'fd00::/129', 'a.example', '1.2.3.4/', '::1%lo/128'].map(wrongAddress),
  ]);
});

test('a name is refused if any of its addresses is, and nothing is connected to', async () => {
  const answers: Readonly<Record<string, readonly string[]>> = {
    'mixed.example': ['93.184.215.14', '169.254.169.254'],
    'none.example': [],
  };
  const list = createAllowList({ allowedHosts: ['mixed.example', 'none.example'], allowedAddresses: [] });
  const send = createSend(list, (host) => Promise.resolve(answers[host] ?? []));
  const post = (url: string) =>
    send({
      url: new URL(url),
      headers: {},
      body: Buffer.from('{}'),
      timeoutSeconds: 5,
      signals: [],
    });
  assert.equal(await post('https://mixed.example/'), {
    is: 'refused',
    reason: notPublic('mixed.example', '169.254.169.254'),
  });
  assert.equal(await post('https://none.example/'), { is: 'failed', reason: 'none.example has no address' });
});

/** Made for this test, and trusted by no program. */
const ownKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtrxgMuyc1bsmeJoc
GJvL66J36VhSRDQynakDNeRIv4OhRANCAAQpo6UkzGK/xW5sq+Yo+W47khUac4Qo
EzpSInyRaV271+2oErr/i3toyBJfloBXrBeIx3LFE6IxQLOgWyXU+GsG
-----END PRIVATE KEY-----`;
const ownCertificate = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUZ5RYc4P0aKoikW+X2F7zkJBsoVgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzA5NDQwN1oYDzIxMjYxMDMw
MDk0NDA3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQpo6UkzGK/xW5sq+Yo+W47khUac4QoEzpSInyRaV271+2oErr/i3to
yBJfloBXrBeIx3LFE6IxQLOgWyXU+GsGo1MwUTAdBgNVHQ4EFgQUeHQ32kiSypYQ
E/o3iloJqm+h1CQwHwYDVR0jBBgwFoAUeHQ32kiSypYQE/o3iloJqm+h1CQwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBDh7+oCfog3oPJdMP3S+rj
dGOqbvTEFQ+J6/IxLrsvGAIgV4b5f0OFytpoT+T9/CbmFL4969Js5tbCMLb5JOIo
yvY=
-----END CERTIFICATE-----`;

test('a certificate of no authority is no answer', async () => {
  const server = createServer({ key: ownKey, cert: ownCertificate }, (_, response) => void response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  try {
    const send = createSend(createAllowList({ allowedHosts: [], allowedAddresses: [], loopback: true }), () =>
      Promise.resolve(['127.0.0.1']),
    );
    const sent = await send({
      url: new URL(`https://localhost:${port}/`),
      headers: {},
      body: Buffer.from('{}'),
      timeoutSeconds: 5,
      signals: [],
    });
    assert.equal(sent, { is: 'failed', reason: 'self-signed certificate' });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test.run();
