/** SET CALLER: a session shows the rows that the caller would see, now and as of a moment, of every relation and to every statement that reads. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { callers, callerNames, schema, sees, setCaller, type CallerName, type Everything, type Row } from './clinic.ts';

const test = suite('rows of the caller of a session');
let session: OpenSession;

/** The rows of the last SELECT of a text. */
async function rowsOf(text: string): Promise<readonly Row[]> {
  let last: readonly Row[] = [];
  for await (const outcome of session.run({ name: 'session', text })) {
    if (outcome.kind === 'error') throw new Error(outcome.problems.map(({ message }) => message).join('; '));
    if (outcome.kind !== 'select') continue;
    const { columns, rows } = outcome.table;
    last = rows.map((row) =>
      Object.fromEntries(columns.map(({ name }, at) => [name, plain(row[at])])),
    ) as readonly Row[];
  }
  return last;
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

const book = (id: string, patient: string, doctor: string, team: string, n: number): string =>
  `EXECUTE Book(booking_id := '${id}', patient := '${patient}', doctor := '${doctor}', team := '${team}', n := ${n}, email := 'e');`;

const commands = `
EXECUTE Enlist(membership_id := 'm1', member := 'mel', team := 'red');
${book('B1', 'p1', 'ada', 'red', 1)}
${book('B2', 'p2', 'bob', 'blue', 0)}
${book('B3', 'p2', 'ada', 'none', 4)}
EXECUTE Furnish(room_id := 'r1', beds := 2);
${book('B1', 'p2', 'bob', 'green', 2)}
${book('B4', 'p1', 'bob', 'green', -1)}
EXECUTE Open(ward_id := 'w1', floor := 1);
EXECUTE Open(ward_id := 'w2', floor := 2);
EXECUTE Enlist(membership_id := 'm2', member := 'mel', team := 'green');`;

let all: Everything & { readonly Booking: readonly Row[] };
test.before(async () => {
  session = await openSession({ store: await openMemoryStore(), version: '0.1.0' });
  await rowsOf(schema + commands);
  all = {
    memberships: await rowsOf('SELECT * FROM Reg."Membership$Agg";'),
    Booking: await rowsOf('SELECT * FROM Reg."Booking$Agg";'),
  };
});
test.after(() => session.close());

/** A query, the relation that rules its rows, and the column of the stream if an aggregate does. */
const queries: readonly (readonly [sql: string, relation: string, stream?: string])[] = [
  ['SELECT * FROM Reg."Booking$Agg" ORDER BY aggregate_id;', 'Booking', 'aggregate_id'],
  ['SELECT stream_id, seq FROM Reg."Booking$Events" ORDER BY global_position;', 'Booking', 'stream_id'],
  ['SELECT entry, stream_id FROM Reg."Booking$Commands" ORDER BY entry;', 'Booking', 'stream_id'],
  ['SELECT * FROM Reg."Ward$Agg" ORDER BY aggregate_id;', 'Ward'],
  ['SELECT * FROM Reg.Invoices ORDER BY booking_id;', 'Invoices'],
  ['SELECT * FROM Reg.Shift;', 'Shift'],
  ['SELECT * FROM Reg."Booking$Agg" ORDER BY aggregate_id AS OF POSITION 4;', 'Booking', 'aggregate_id'],
  [`SELECT * FROM Reg."Booking$Agg" WHERE aggregate_id = 'B1' AS OF POSITION 2;`, 'Booking', 'aggregate_id'],
  [`SELECT stream_id, seq FROM Reg."Booking$Events" WHERE stream_id = 'B1' AS OF POSITION 2;`, 'Booking', 'stream_id'],
  ['SELECT stream_id, seq FROM Reg."Booking$Events" ORDER BY seq, 1 AS OF POSITION 5;', 'Booking', 'stream_id'],
  ['SELECT entry, stream_id FROM Reg."Booking$Commands" ORDER BY entry AS OF POSITION 4;', 'Booking', 'stream_id'],
  ['SELECT * FROM Reg.Invoices ORDER BY booking_id AS OF POSITION 4;', 'Invoices'],
  ['SELECT * FROM Reg.Shift AS OF POSITION 5;', 'Shift'],
  [
    'CREATE TABLE kept AS SELECT * FROM Reg."Booking$Agg"; SELECT * FROM kept ORDER BY aggregate_id; DROP TABLE kept;',
    'Booking',
    'aggregate_id',
  ],
];

function isSeen(who: CallerName, [, relation, stream]: (typeof queries)[number]): (row: Row) => boolean {
  if (stream === undefined) return (row) => sees(who, relation, row, all);
  const ids = new Set(all.Booking.filter((row) => sees(who, 'Booking', row, all)).map((row) => row['aggregate_id']));
  return (row) => ids.has(row[stream]);
}

for (const who of callerNames.filter(
  (name) => !(callers[name].roles as readonly string[]).some((role) => role === 'whole' || role === 'admin'),
))
  test(who, async () => {
    for (const query of queries) {
      const everything = await rowsOf(`RESET CALLER; ${query[0]}`);
      const seen = await rowsOf(`${setCaller(who)} ${query[0]}`);
      assert.equal(seen, everything.filter(isSeen(who, query)), query[0]);
    }
  });

test('a subquery of a clause has 10,000 values at most', async () => {
  const ten = Array.from({ length: 10 }, (_, at) => `EXECUTE Add(ten_id := 't${at}');`).join('\n');
  await rowsOf(`RESET CALLER;
CREATE AGGREGATE Ten;
CREATE COMMAND Add (ten_id STRING);
CREATE EVENT Added ();
CREATE DECISION Adding FOR Ten ON COMMAND Add EMIT AS SELECT EVENT Added ();
CREATE PROJECTION Crowd VISIBLE WHERE id IN (SELECT a.aggregate_id FROM Reg."Ten$Agg" a, Reg."Ten$Agg" b, Reg."Ten$Agg" c, Reg."Ten$Agg" d)
  AS SELECT aggregate_id AS id FROM Reg."Ten$Agg";
${ten}`);
  const asked = "SET CALLER 'ada'; SELECT COUNT(*) AS n FROM Reg.Crowd";
  const [last] = await rowsOf('SELECT MAX(global_position) AS n FROM Reg."Ten$Events";');
  const then = Number(last?.['n']);
  assert.equal(await rowsOf(`${asked};`), [{ n: 10 }]);
  assert.equal(await rowsOf(`${asked} AS OF POSITION ${then};`), [{ n: 10 }]);
  await rowsOf("RESET CALLER; EXECUTE Add(ten_id := 't10');");
  for (const text of [`${asked};`, `${asked} AS OF POSITION ${then};`])
    assert.match(String(await rowsOf(text).catch((error: unknown) => error)), /exceeded its rows budget of 10000/);
});

test.run();
