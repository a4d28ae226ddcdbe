/** Consumers that compete, crash, refuse rows and are late: every row is done, and in order within its key. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';
import { firstRow } from '../kit/first-row.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
const rows = Number(process.env['ROWS'] ?? 500);
const streams = 10;

const test = suite('competing consumers');
let clock = Date.parse('2026-03-01T00:00:00Z');
const server = await startSample({ services: true, now: () => clock });
test.after(() => server.stop());

interface Handed {
  readonly lease: string | null;
  readonly rows: readonly { readonly position: number; readonly stream: string; readonly n: number }[];
}

function chance(state: number): () => number {
  let at = state;
  return () => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return at / 2 ** 32;
  };
}

const ask = async (action: string, body: object): Promise<{ readonly status: number; readonly body: unknown }> => {
  const answer = await server.post(`/api/subscriptions/Rides/${action}`, body);
  return { status: answer.status, body: await answer.json() };
};

test(`${rows} rows, SEED=${seed}`, async () => {
  const lang =
    'CREATE SUBSCRIPTION Rides AS SELECT stream_id AS stream, seq AS n FROM Reg."Bike$Events" WITH (attempts = 1000, first_delay_seconds = 0, lease_seconds = 2);';
  assert.is((await server.post('/api/lang/create', { lang })).status, 201);
  // An entry of all events would be longer than any in operation.
  for (let left = rows; left > 0; left -= 5_000) await server.append(Math.min(left, 5_000), 10, streams);
  const random = chance(seed);
  const done = new Set<number>();
  /** The last row of each stream that some consumer has asked to acknowledge. */
  const claimed = new Map<string, number>();
  const consume = async (): Promise<void> => {
    while (done.size < rows) {
      const handed = (await ask('next', { max: 1 + Math.floor(random() * 40), wait_seconds: 0 })).body as Handed;
      if (handed.lease === null) {
        clock += 500;
        continue;
      }
      const { lease } = handed;
      for (const { stream, n } of handed.rows) {
        const before = handed.rows.filter((row) => row.stream === stream && row.n < n);
        assert.ok(n - 1 - before.length <= (claimed.get(stream) ?? 0), `row ${n} of ${stream} passed over one`);
      }
      const fate = random();
      if (fate < 0.1) {
        // The consumer crashed: the lease runs out.
        clock += 2500;
        continue;
      }
      const upTo = fate < 0.4 ? Math.floor(random() * handed.rows.length) : handed.rows.length;
      const taken = handed.rows.slice(0, upTo);
      for (const { stream, n } of taken) claimed.set(stream, Math.max(n, claimed.get(stream) ?? 0));
      const positions = taken.map(({ position }) => position);
      const { status, body } =
        positions.length === 0 ? { status: 200, body: {} } : await ask('ack', { lease, positions });
      const { lost = [] } = body as { readonly lost?: readonly number[] };
      assert.ok(status === 200 || lost.length > 0, JSON.stringify(body));
      for (const { position } of taken) {
        if (lost.includes(position)) continue;
        assert.not(done.has(position), `row ${position} was acknowledged twice`);
        done.add(position);
      }
      if (upTo < handed.rows.length)
        await ask('nack', { lease, reason: 'not now', delay_seconds: random() < 0.5 ? 0 : 1 });
    }
  };
  await Promise.all(Array.from({ length: 8 }, consume));
  assert.is(done.size, rows);
  const standing = await firstRow(`${server.url}/api/subscriptions/Rides`);
  assert.equal([standing['lag_rows'], standing['out'], standing['parked']], [0, 0, 0]);
});

test.run();
