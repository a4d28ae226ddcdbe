/** A load of POSTs by autocannon: `node load.js <json>`, see `bench/load.ts`. Prints successful requests per second. */
import autocannon from 'autocannon';

const { url, connections, seconds, seed } = JSON.parse(process.argv[2]);
let number = 0;
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/vnd.apache.arrow.stream' },
  requests: [
    {
      setupRequest: (request) => ({
        ...request,
        body: JSON.stringify({ bike_id: `${seed}-${number++}`, model: 'Gazelle', station: 'North' }),
      }),
    },
  ],
});
const failed = result.non2xx + result.errors + result.timeouts;
if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests failed`);
process.stdout.write(String(result['2xx'] / result.duration));
