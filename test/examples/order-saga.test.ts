/** The order saga with its payment provider behind a webhook, over simulated weeks. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';
import { sampleOver } from '../http/sample-engine.ts';
import { startSample } from '../http/sample-server.ts';
import { readTree } from '../kit/cases.ts';
import { root } from '../kit/tool.ts';
import { until } from '../kit/until.ts';
import { firstRow } from '../kit/first-row.ts';

const home = join(root, 'examples/order-saga');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Provider {
  readonly url: string;
  readonly requests: ReadonlyMap<string, { readonly id: string; readonly state: string }>;
  readonly pay: (order: string) => Promise<string>;
  readonly setDown: (down: boolean) => void;
  readonly stop: () => Promise<void>;
}
const { startProvider } = (await import(pathToFileURL(join(home, 'provider/provider.mjs')).href)) as {
  readonly startProvider: (options: { port: number; secret: string; shop: () => string }) => Promise<Provider>;
};

/** A shop in memory whose clock the test moves, and its provider. */
async function open() {
  const session = await openSession({ store: await openMemoryStore(), version: '0.1.0' });
  const run = async (text: string): Promise<void> => {
    for await (const outcome of session.run({ name: 'test', text }))
      if (outcome.kind === 'error') throw new Error(outcome.problems.map(({ message }) => message).join('; '));
  };
  const rows = async (text: string): Promise<readonly unknown[]> => {
    for await (const outcome of session.run({ name: 'test', text }))
      if (outcome.kind === 'select') return outcome.table.rows;
    throw new Error(`no rows: ${text}`);
  };
  const services = createRegistryServices(session.engine, {
    version: '0.1.0',
    modules: undefined,
    warn: () => undefined,
  });
  const provider = await startProvider({ port: 0, secret, shop: () => server.url });
  const server = await startSample({
    settings: { push: { allowedHosts: [new URL(provider.url).host], allowedAddresses: [] } },
    push: { environment: { PAYMENT_SECRET: secret, PAYMENT_URL: `${provider.url}/requests` } },
    again: sampleOver(session.engine, services, session.close),
  });
  await run(Object.values(readTree(join(home, 'schema'))).join('\n'));
  return { run, rows, provider, server };
}

test('orders are paid at once, after a reminder, after an outage of the provider, or too late', async () => {
  const { run, rows, provider, server } = await open();
  try {
    const asked = (order: string): Promise<void> => until(() => provider.requests.has(order));
    const place = (order: string): Promise<void> =>
      run(`EXECUTE PlaceOrder(order_id := '${order}', item := 'lamp', quantity := 2);`);
    await run("EXECUTE StockItems(item := 'lamp', quantity := 10);");
    await place('at-once');
    await asked('at-once');
    assert.is(await provider.pay('at-once'), 'paid');

    await place('reminded');
    await asked('reminded');
    await run('ADVANCE CLOCK 1 DAY;');
    assert.is(await provider.pay('reminded'), 'paid');

    provider.setDown(true);
    await place('outage');
    await run('ADVANCE CLOCK 2 DAYS;');
    assert.is(await provider.pay('outage'), 'unknown');
    provider.setDown(false);
    await asked('outage');
    assert.is(await provider.pay('outage'), 'paid');

    await place('never');
    await asked('never');
    await run('ADVANCE CLOCK 4 WEEKS;');
    assert.is(await provider.pay('never'), 'refunded');
    // Reported twice, and asked for again: nothing changes.
    assert.is(await provider.pay('at-once'), 'paid');
    const ids = [...provider.requests.values()].map(({ id }) => id);
    const events = server.engine.store.turns.position().event;
    assert.is((await server.post('/api/subscriptions/ToCollect/reset', { position: 0 })).status, 200);
    await until(async () => (await firstRow(`${server.url}/api/subscriptions/ToCollect`))['lag_rows'] === 0);
    assert.equal(
      [[...provider.requests.values()].map(({ id }) => id), server.engine.store.turns.position().event],
      [ids, events],
    );

    assert.equal(await rows('SELECT order_id, status FROM Reg."SalesOrder$Agg" ORDER BY order_id;'), [
      ['at-once', 'shipped'],
      ['never', 'cancelled'],
      ['outage', 'shipped'],
      ['reminded', 'shipped'],
    ]);
    assert.equal(
      await rows(
        'SELECT stream_id, event_type FROM Reg."Payment$Events" WHERE event_type <> \'PaymentRequested\' ORDER BY stream_id, seq;',
      ),
      [
        ['at-once', 'PaymentReceived'],
        ['never', 'PayerReminded'],
        ['never', 'PaymentExpired'],
        ['outage', 'PayerReminded'],
        ['outage', 'PaymentReceived'],
        ['reminded', 'PayerReminded'],
        ['reminded', 'PaymentReceived'],
      ],
    );
    assert.equal(await rows('SELECT available FROM Reg."Item$Agg";'), [[4]]);
  } finally {
    await server.stop();
    await provider.stop();
  }
});

test('the provider refuses what is not signed', async () => {
  const provider = await startProvider({ port: 0, secret, shop: () => 'http://127.0.0.1:1' });
  try {
    const sent = await fetch(provider.url, {
      method: 'POST',
      headers: {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,x',
      },
      body: '{"id":"evt_1","data":{"order_id":"forged"}}',
    });
    assert.is(sent.status, 401);
    assert.is(provider.requests.size, 0);
  } finally {
    await provider.stop();
  }
});

test.run();
