/** Meaning of an answer: whose failure it is, and for how long nothing is sent. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SubscriptionOptions } from '../../language/contract/subscription.ts';
import { createEndpoint } from '../../runtime/delivery/webhook/endpoint.ts';
import type { Sent } from '../../runtime/delivery/webhook/send.ts';
import { readSecret } from '../../runtime/delivery/webhook/signature.ts';
import { verdictOf } from '../../runtime/delivery/webhook/verdict.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const verdicts: readonly (readonly [answer: number | Sent, retryAfter: string | undefined, verdict: string])[] = [
  [200, undefined, 'delivered'],
  [204, undefined, 'delivered'],
  [299, undefined, 'delivered'],
  [301, undefined, 'row'],
  [308, undefined, 'row'],
  [400, undefined, 'row'],
  [404, undefined, 'row'],
  [408, undefined, 'endpoint'],
  [410, undefined, 'gone'],
  [429, undefined, 'wait'],
  [429, '7', 'wait 7000'],
  [429, '0', 'wait 1000'],
  [503, '9999999999', 'wait 86400000'],
  [503, 'Sun, 01 Mar 2026 00:01:00 GMT', 'wait 60000'],
  [503, 'Sat, 28 Feb 2026 00:00:00 GMT', 'wait 1000'],
  [503, 'soon', 'endpoint'],
  [503, undefined, 'endpoint'],
  [500, '7', 'endpoint'],
  [599, undefined, 'endpoint'],
  [{ is: 'failed', reason: 'reset' }, undefined, 'endpoint'],
  [{ is: 'refused', reason: 'not listed' }, undefined, 'wait'],
];
for (const [answer, retryAfter, expected] of verdicts) {
  const sent: Sent =
    typeof answer === 'number'
      ? { is: 'answered', status: answer, ...(retryAfter === undefined ? {} : { retryAfter }) }
      : answer;
  test(`${JSON.stringify(sent)} is ${expected}`, () => {
    const verdict = verdictOf(sent, now);
    const wait = verdict.is === 'wait' && verdict.milliseconds !== undefined ? ` ${verdict.milliseconds}` : '';
    assert.is(verdict.is + wait, expected);
  });
}

const options: SubscriptionOptions = {
  ...{
    attempts: 20,
    onFailure: 'park',
    leaseSeconds: 30,
    maxOut: 100,
    firstDelaySeconds: 1,
    longestDelaySeconds: 3600,
  },
  keysAtOnce: 8,
  timeoutSeconds: 15,
  giveUpHours: 72,
};
const fails = { is: 'endpoint', reason: 'down' } as const;
const a = { position: 1, key: 'a' };
const a2 = { position: 2, key: 'a' };
const b = { position: 3, key: 'b' };
const none = { position: 4, key: null };

test('waits grow up to the longest, each by chance up to its bound', () => {
  let clock = 0;
  const endpoint = createEndpoint(
    () => clock,
    () => 0.5,
  );
  const waits: number[] = [];
  for (let failure = 0; failure < 14; failure++) {
    assert.is(endpoint.failed(a, fails, clock, options), 'endpoint');
    waits.push((endpoint.until() - clock) / 1000);
    clock = endpoint.until();
  }
  assert.equal(waits, [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800]);
  endpoint.succeeded(a);
  assert.equal([endpoint.isFailing(), endpoint.until(), endpoint.lastError()], [false, 0, undefined]);
});

test('rows that were under way together fail once', () => {
  let clock = 1000;
  const endpoint = createEndpoint(
    () => clock,
    () => 1,
  );
  endpoint.failed(a, fails, 900, options);
  clock = 1100;
  endpoint.failed(b, fails, 950, options);
  assert.is(endpoint.until(), 2000);
  clock = 2000;
  endpoint.failed(a, fails, 2000, options);
  assert.is(endpoint.until(), 4000);
});

test('a time that the endpoint asked for holds whatever comes back from requests that were under way', () => {
  let clock = 1000;
  const endpoint = createEndpoint(
    () => clock,
    () => 1,
  );
  const asks = { is: 'wait', reason: '429', milliseconds: 5000 } as const;
  assert.is(endpoint.failed(a, asks, 900, options), 'endpoint');
  clock = 1200;
  endpoint.succeeded(b);
  assert.equal([endpoint.until(), endpoint.isFailing()], [6000, false]);
  endpoint.failed(a2, { ...asks, milliseconds: 2000 }, 900, options);
  endpoint.failed(none, fails, 900, options);
  endpoint.renew();
  assert.equal([endpoint.until(), endpoint.isFailing()], [6000, false]);
  // An operator who starts the subscription knows better.
  endpoint.reset();
  assert.is(endpoint.until(), 0);
});

test('a request that stalled before a failure does not make the next failure a part of it', () => {
  let clock = 1000;
  const endpoint = createEndpoint(
    () => clock,
    () => 1,
  );
  endpoint.failed(a, fails, 900, options);
  assert.is(endpoint.until(), 2000);
  clock = 2100;
  endpoint.failed(none, fails, 900, options);
  assert.is(endpoint.until(), 2000);
  endpoint.failed(b, fails, 2050, options);
  assert.is(endpoint.until(), 4100);
});

test('a failure is the row of its own once a row of another key was delivered after it', () => {
  const endpoint = createEndpoint(
    () => 0,
    () => 0,
  );
  assert.is(endpoint.failed(a, fails, 0, options), 'endpoint');
  endpoint.succeeded(a2);
  assert.is(endpoint.failed(a, fails, 0, options), 'endpoint');
  endpoint.succeeded(b);
  assert.is(endpoint.failed(a, fails, 0, options), 'row');
  assert.is(endpoint.isFailing(), false);
  assert.is(endpoint.failed(b, fails, 0, options), 'endpoint');
  // Being asked to wait never counts for a row.
  assert.is(endpoint.failed(a, { is: 'wait', reason: '429' }, 0, options), 'endpoint');
});

test('a probe is of a key that has not failed, if there is one', () => {
  const endpoint = createEndpoint(
    () => 0,
    () => 0,
  );
  endpoint.failed(a, fails, 0, options);
  endpoint.failed(none, fails, 0, options);
  assert.is(endpoint.probe([a, a2, none, b]), b);
  assert.is(endpoint.probe([a, a2, none]), a);
  assert.equal([endpoint.probe<typeof b>([])], [undefined]);
});

test('it gives up after its hours, and begins anew when it is resumed', () => {
  let clock = 0;
  const endpoint = createEndpoint(
    () => clock,
    () => 1,
  );
  assert.is(endpoint.failed(a, fails, clock, options), 'endpoint');
  clock = 72 * 3_600_000 - 1;
  assert.is(endpoint.failed(a, fails, clock, options), 'endpoint');
  clock += 1;
  assert.is(endpoint.failed(a, fails, clock, options), 'over');
  endpoint.reset();
  assert.equal([endpoint.isFailing(), endpoint.until()], [false, 0]);
  assert.is(endpoint.failed(a, fails, clock, options), 'endpoint');
});

test('a secret is whsec_ and base64 of 24 to 64 bytes', () => {
  const of = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
  const texts = [of(24), of(32), of(64), of(23), of(65), of(32).slice(6), 'whsec_', `${of(24)}!`, 'whsec_AAA=BBB', ''];
  assert.equal(
    texts.map((text) => readSecret(text)?.byteLength),
    [24, 32, 64, undefined, undefined, undefined, undefined, undefined, undefined, undefined],
  );
});

test.run();
