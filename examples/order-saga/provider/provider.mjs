/**
 * A small payment provider. It takes requests for payments as webhooks, lets a customer pay, and reports the payment as a command. Node alone is
 * enough: a receiver needs an HMAC and a list of the ids that it has seen.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

/** Seconds by which the clocks of sender and receiver may differ. */
const tolerance = 300;
const mostBytes = 512 * 1024;

/** Whether the signature of the Standard Webhooks specification fits: one of several may, while a secret is replaced. */
function isSigned(headers, body, secret) {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= tolerance)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

async function bodyOf(request) {
  const parts = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Error('the request is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** `shop` gives the address of the server; `port` 0 takes a free one. */
export async function startProvider({ port, secret, shop }) {
  /** Requests by order. A real provider keeps id and payment in one transaction. */
  const requests = new Map();
  let isDown = false;

  /** The id of the webhook is the key of the command: reported twice, a payment has one effect. */
  const pay = async (order) => {
    const request = requests.get(order);
    if (request === undefined) return 'unknown';
    const answer = await fetch(`${shop()}/api/aggregates/Payment/execute/ReceivePayment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'idempotency-key': request.id },
      body: JSON.stringify({ order_id: order }),
    });
    if (!answer.ok) throw new Error(`the shop answered ${answer.status}; the payment is reported again`);
    const [{ status }] = await answer.json();
    // Too late: the shop has given the items back.
    request.state = status === 'rejected' ? 'refunded' : 'paid';
    return request.state;
  };
  const receive = (headers, body) => {
    if (isDown) return 503;
    if (!isSigned(headers, body, secret)) return 401;
    const { id, data } = JSON.parse(body.toString());
    // Webhooks come at least once.
    if (requests.get(data.order_id)?.id !== id) requests.set(data.order_id, { id, ...data, state: 'open' });
    return 204;
  };
  const server = createServer(async (request, response) => {
    try {
      const body = await bodyOf(request);
      const [, order] = /^\/pay\/([^/]+)$/.exec(request.url) ?? [];
      if (order === undefined) response.writeHead(receive(request.headers, body)).end();
      else response.end(`${await pay(decodeURIComponent(order))}\n`);
    } catch (error) {
      response.writeHead(500).end(`${error.message}\n`);
    }
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    pay,
    /** Refuses everything for a while. */
    setDown: (down) => {
      isDown = down;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { PAYMENT_SECRET: secret, SHOP_URL = 'http://127.0.0.1:8080' } = process.env;
  if (secret === undefined) throw new Error('PAYMENT_SECRET has the secret that signs the webhooks');
  const { url } = await startProvider({ port: 8090, secret, shop: () => SHOP_URL });
  console.log(`payments are taken on ${url}`);
}
