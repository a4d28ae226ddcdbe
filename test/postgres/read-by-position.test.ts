/**
 * Readers of a log by position, while two servers append to it: none sees a gap, or an event before an earlier one, since the row of a later
 * entry can only be read once all earlier ones can.
 */
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startDatabase } from '../kit/database.ts';
import { until } from '../kit/until.ts';
import { openServer, shops, type OpenedServer } from './opened-server.ts';

const database = await startDatabase();
const [sales, writers, page] = [12, 3, 5];

/** Positions after this one, at most a page. */
type Read = (after: number) => Promise<readonly number[]>;

const overHttp =
  ({ url }: OpenedServer, path: string): Read =>
  async (after) => {
    const answer = await fetch(`${url}/api/${path}?after=${after}&limit=${page}`, {
      headers: { Accept: 'application/json' },
    });
    const rows = (await answer.json()) as readonly { readonly global_position: number }[];
    assert.is(answer.status, 200, JSON.stringify(rows));
    return rows.map(({ global_position }) => global_position);
  };

/** Reads to `end`, page by page, and gives what it saw. */
async function readAll(read: Read, end: number): Promise<readonly number[]> {
  const seen: number[] = [];
  while ((seen.at(-1) ?? 0) < end) {
    seen.push(...(await read(seen.at(-1) ?? 0)));
    await new Promise((next) => setImmediate(next));
  }
  return seen;
}

if ('missing' in database) test.skip(database.missing, () => undefined);
else
  test('tables, relations and consumers show each event once, in order, and without gaps', async () => {
    const namespace = `positions_${process.pid}`;
    const [one, other] = [await openServer(database.url, namespace), await openServer(database.url, namespace)];
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const inTable = (table: string, column: string): Read => {
      const text = `SELECT ${column}::int AS n FROM "${namespace}".${table} WHERE ${column} > $1 ORDER BY 1 LIMIT ${page}`;
      return async (after) => (await client.query<{ n: number }>(text, [after])).rows.map(({ n }) => n);
    };
    try {
      await one.create(`${shops}
CREATE SUBSCRIPTION Sales AS SELECT seq AS n FROM Reg."Shop$Events" WITH (lease_seconds = 600);`);
      await until(async () => (await fetch(`${other.url}/api/events?limit=1`)).ok);
      const events = 2 * writers * sales;
      const handed: number[] = [];
      const consume = async ({ ask }: OpenedServer): Promise<void> => {
        while (handed.length < events) {
          const { body } = await ask('subscriptions/Sales/next', { wait_seconds: 0, max: page });
          const rows = body['rows'] as readonly { readonly position: number }[];
          handed.push(...rows.map(({ position }) => position));
          if (rows.length > 0) await ask('subscriptions/Sales/ack', { lease: body['lease'] });
        }
      };
      const readers = [
        readAll(inTable('event', 'global_position'), events),
        // The first entry is the schema.
        readAll(inTable('entry', 'entry'), events + 1),
        ...[one, other].flatMap((server) => [
          readAll(overHttp(server, 'events'), events),
          readAll(overHttp(server, 'aggregates/Shop/events'), events),
        ]),
      ];
      const writing = [one, other].flatMap((server, at) =>
        Array.from({ length: writers }, (_, shop) => server.sell(`${at}-${shop}`, sales)),
      );
      const [[inEvent, inEntry, ...inRelations]] = await Promise.all([
        Promise.all(readers),
        Promise.all([consume(one), consume(other)]),
        Promise.all(writing),
      ]);
      const positions = Array.from({ length: events }, (_, at) => at + 1);
      assert.equal(inEvent, positions);
      assert.equal(inEntry, [...positions, events + 1]);
      for (const seen of inRelations) assert.equal(seen, positions);
      assert.equal(
        handed.toSorted((a, b) => a - b),
        positions,
      );
    } finally {
      await client.end();
      await Promise.all([one.stop(), other.stop()]);
    }
  });

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
