/** GET /api/aggregates/{agg}/commands: recorded commands of the log, filtered and paged (docs/http.md#recorded-commands). */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const test = suite('recorded commands');
const server = await startSample({});
test.after(() => server.stop());

const path = '/api/aggregates/Bike/commands';
const rows = async (query: string): Promise<unknown> => {
  const answer = await fetch(`${server.url}${path}?${query}`, { headers: { Accept: 'application/json' } });
  return answer.json();
};

test('rows by entry, filtered with the meaning of SQL', async () => {
  for (const [id, price] of [
    ['B-1', 1],
    ['B-2', 2],
  ] as const)
    await server.post(
      '/api/aggregates/Bike/execute/RegisterBike',
      { bike_id: id, model: 'R', price },
      { 'Idempotency-Key': `k-${id}` },
    );
  await server.post(
    '/api/aggregates/Bike/execute/RentBike',
    { bike_id: 'B-9', rider: 'ada' },
    { 'Idempotency-Key': 'k-back' },
  );
  const all = (await rows('select=entry,command,stream_id,outcome,command_id,events,data')) as readonly Record<
    string,
    unknown
  >[];
  const entries = all.map(({ entry }) => Number(entry));
  assert.equal(
    all.map(({ entry: _, ...row }) => row),
    [
      row('RegisterBike', 'B-1', 'emitted', 'k-B-1', [1]),
      row('RegisterBike', 'B-2', 'emitted', 'k-B-2', [2]),
      row('RentBike', 'B-9', 'rejected', 'k-back', []),
    ],
  );
  const ids = async (query: string): Promise<unknown> => {
    const found = await rows(`select=command_id&${query}`);
    return Array.isArray(found) ? (found as readonly { command_id: string }[]).map((one) => one.command_id) : found;
  };
  const cases: readonly (readonly [query: string, found: readonly string[]])[] = [
    ['outcome=rejected', ['k-back']],
    ['outcome[ne]=rejected&limit=1', ['k-B-1']],
    ['stream_id=B-2', ['k-B-2']],
    ['command_id[like]=k-B%25', ['k-B-1', 'k-B-2']],
    ['command[in]=RegisterBike,Other&offset=1', ['k-B-2']],
    ['rejection[null]=true', ['k-B-1', 'k-B-2']],
    ['subject[null]=true&limit=0', []],
    [`entry[gt]=${entries[0] ?? 0}`, ['k-B-2', 'k-back']],
    [`entry[gte]=${entries[1] ?? 0}&entry[lt]=${entries[2] ?? 0}`, ['k-B-2']],
    [`entry=${entries[2] ?? 0}`, ['k-back']],
    ['at[gt]=2000-01-01T00:00:00Z&at[lte]=2000-01-02T00:00:00Z', []],
  ];
  for (const [query, found] of cases) assert.equal([query, await ids(query)], [query, found]);
});

test('bad questions', async () => {
  const errors: readonly (readonly [path: string, status: number])[] = [
    [`${path}?order=entry`, 400],
    [`${path}?nothing=1`, 400],
    [`${path}?as_of=99`, 400],
    [`${path}?as_of=1`, 200],
    ['/api/aggregates/Boat/commands', 404],
  ];
  for (const [asked, status] of errors) {
    const answer = await fetch(server.url + asked);
    await answer.text();
    assert.equal([asked, answer.status], [asked, status]);
  }
});

function row(command: string, id: string, outcome: string, key: string, events: readonly number[]): unknown {
  return { command, stream_id: id, outcome, command_id: key, events, data: null };
}

test.run();
