/* global baseUrl -- the test puts it in */
// A page that uses a generated client; the test bundles this file with the client, and receives the result.
import { ClientError, createClient } from './client.js';

async function failureOf(call) {
  try {
    await call;
  } catch (error) {
    return error instanceof ClientError ? `${error.kind} ${error.status ?? ''}`.trim() : error.name;
  }
  return 'no failure';
}

async function visit(format) {
  const client = createClient({ baseUrl, format, token: 'secret' });
  const command = {
    purse_id: format,
    amount: '0.10',
    ref: 2n ** 63n - 1n,
    at: '2026-01-31T08:00:00.123456Z',
    doc: { a: [1] },
  };
  const first = await client.commands.Pay(command, { idempotencyKey: format, expectedSeq: 0 });
  const second = await client.commands.Pay(command, { idempotencyKey: format });
  const seen = [];
  for await (const event of client.events.Purse({ pageSize: 1, where: { stream_id: format } })) seen.push(event.data);
  return {
    first: first.events,
    replayed: second.replayed,
    seen,
    state: await client.state.Purse({ where: { purse_id: format } }),
    lost: await failureOf(client.commands.Pay(command, { expectedSeq: 9 })),
    refused: await failureOf(client.commands.Pay({ purse_id: format })),
    foreign: await failureOf(createClient({ baseUrl, format }).state.Purse()),
    aborted: await failureOf(createClient({ baseUrl, format }).state.Purse({ signal: AbortSignal.abort() })),
    gone: await failureOf(createClient({ baseUrl: 'http://127.0.0.1:9', attempts: 1 }).state.Purse()),
  };
}

async function report() {
  try {
    return { arrow: await visit('arrow'), json: await visit('json') };
  } catch (error) {
    return { failed: String(error.stack) };
  }
}

const body = JSON.stringify(await report(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
await fetch('/done', { method: 'POST', body });
