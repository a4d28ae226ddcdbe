/** A load of requests by autocannon: `node load.js <json>`, see `bench/load.ts`. Prints what was answered as JSON. */
import autocannon from 'autocannon';

const { url, connections, seconds, send } = JSON.parse(process.argv[2]);
let number = 0;
const command = () =>
  'deposits' in send
    ? { id: `A-${number++ % send.deposits}`, amount: 5, teller: 'Ada' }
    : { bike_id: `${send.registerBikes}-${number++}`, model: 'Gazelle', station: 'North' };
const commands = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/vnd.apache.arrow.stream' },
  requests: [{ setupRequest: (request) => ({ ...request, body: JSON.stringify(command()) }) }],
};
const { pathname, search } = new URL(url);
const inTurn = {
  requests: [{ setupRequest: (request) => ({ ...request, path: `${pathname}${search}${number++ % send.getInTurn}` }) }],
};
const asked = send === 'get' ? {} : 'getInTurn' in send ? inTurn : commands;
const result = await autocannon({ url, connections, duration: seconds, ...asked });
const failed = result.non2xx + result.errors + result.timeouts;
if (failed > 0)
  throw new Error(`${failed} of ${result.requests.total} requests failed: ${JSON.stringify(result.statusCodeStats)}`);
const { p50, p99 } = result.latency;
process.stdout.write(JSON.stringify({ answers: result['2xx'], perSecond: result['2xx'] / result.duration, p50, p99 }));
