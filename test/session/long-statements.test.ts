/**
 * Long statements: inspections report their progress, a projection is rebuilt from its events, and a statement can be
 * stopped.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import initSqlJs from 'sql.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import type { RunOptions, Session } from '../../server/session/session.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n BIGINT);
CREATE EVENT Added (n BIGINT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0;
CREATE PROJECTION Sums AS SELECT stream_id AS box, SUM(data.n) AS total FROM Reg."Box$Events" GROUP BY stream_id;
CREATE PROJECTION Large AS SELECT box FROM Reg."Sums" WHERE total > 10;`;
const numbers = (count: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT`;

async function outcomes(session: Session, text: string, options: RunOptions = {}): Promise<readonly unknown[]> {
  const said: unknown[] = [];
  for await (const outcome of session.run({ name: 'input', text }, options)) {
    const { statement_line, kind, ...rest } = JSON.parse(outcomeJson(outcome)) as Record<string, unknown>;
    assert.type(statement_line, 'number');
    said.push(kind === 'error' ? rest['code'] : (rest['rows'] ?? kind));
  }
  return said;
}

async function inMemory(work: (session: OpenSession) => Promise<void>): Promise<void> {
  const store = await openMemoryStore({ readModel: 'worker' });
  const session = await openSession({ store, version: '0.0.0', readModel: 'worker' });
  try {
    await outcomes(session, schema);
    await work(session);
  } finally {
    await session.close();
  }
}

async function onDisk(directory: string, work: (session: OpenSession) => Promise<void>): Promise<void> {
  const store = await openEmbeddedStore({ directory, readModel: 'inline', snapshotEntries: 1 });
  const session = await openSession({ store, version: '0.0.0' });
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

/** Makes the sums of the read model differ from the log: `s1` of the table that they share with the state of the boxes. */
async function falsify(directory: string): Promise<void> {
  const name = readdirSync(directory).find((each) => each.endsWith('.db')) ?? '';
  const { Database } = await initSqlJs();
  const database = new Database(readFileSync(join(directory, name)));
  const tables =
    database.exec(`SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE "f$%s1_1%'`)[0]?.values ?? [];
  for (const [table] of tables) database.run(`UPDATE "${String(table)}" SET s1_1 = s1_1 + 1000`);
  const image = database.export();
  database.close();
  writeFileSync(join(directory, name), image);
  const checksum = crc32(image).toString(16).padStart(8, '0');
  renameSync(join(directory, name), join(directory, name.replace(/[0-9a-f]{8}\.db$/, `${checksum}.db`)));
}

const sums = 'SELECT box, total FROM Reg."Sums" ORDER BY box;';
for (const [rebuilt, kept] of [
  ['Sums', '2 of 2 rows kept'],
  ['Large', '1 of 1 rows kept'],
] as const) {
  test(`INTO Reg."${rebuilt}" builds its stored rows again from the events`, () =>
    withTempFolder(async (directory) => {
      await onDisk(directory, async (session) => {
        await outcomes(session, `${schema} EXECUTE Put(box_id := 'A', n := 5); EXECUTE Put(box_id := 'B', n := 20);`);
        assert.equal(await outcomes(session, sums), [
          [
            ['A', 5],
            ['B', 20],
          ],
        ]);
      });
      await falsify(directory);
      await onDisk(directory, async (session) => {
        assert.equal(
          await outcomes(session, sums),
          [
            [
              ['A', 1005],
              ['B', 1020],
            ],
          ],
          'the image is what is read',
        );
        const told: string[] = [];
        const statement = `INSPECT PROJECTION ${rebuilt} FROM Reg."Box$Events" INTO Reg."${rebuilt}" WHERE data.n > 7;`;
        await outcomes(session, statement, { onProgress: (said) => told.push(said) });
        assert.equal(told, [`2 of 2 events of ${rebuilt}`, kept]);
        assert.equal(await outcomes(session, sums), [
          [
            ['A', 5],
            ['B', 20],
          ],
        ]);
        await outcomes(session, `EXECUTE Put(box_id := 'A', n := 1);`);
        assert.equal(await outcomes(session, `${sums} SELECT box FROM Reg."Large";`), [
          [
            ['A', 6],
            ['B', 20],
          ],
          [['B']],
        ]);
      });
    }));
}

test('a long inspection reports its progress and total', () =>
  inMemory(async (session) => {
    const told: string[] = [];
    await outcomes(
      session,
      `CREATE TABLE wanted AS ${numbers(1200)} 'B' || i AS box_id, i AS n FROM n;
      INSPECT DECISION PutIn FROM wanted INTO would;
      INSPECT PROJECTION Sums FROM would INTO sums_then;`,
      { onProgress: (said) => told.push(said) },
    );
    assert.equal(told, [
      '500 of 1,200 rows inspected',
      '1,000 of 1,200 rows inspected',
      '1,200 of 1,200 rows inspected',
      '1,200 of 1,200 rows kept',
    ]);
  }));

test('a statement can be stopped, and the session continues', () =>
  inMemory(async (session) => {
    for (const endless of [
      `${numbers(1e5)} COUNT(*) AS c FROM n AS a CROSS JOIN n AS b CROSS JOIN n AS c;`,
      `CREATE TABLE t AS ${numbers(1e5)} COUNT(*) AS c FROM n AS a CROSS JOIN n AS b CROSS JOIN n AS c;`,
    ]) {
      const stopping = new AbortController();
      setTimeout(() => stopping.abort(), 100);
      const { signal } = stopping;
      assert.equal(await outcomes(session, `${endless} SELECT 2 AS two;`, { signal, keepGoing: true }), ['R0303']);
      assert.equal(await outcomes(session, 'SELECT COUNT(*) AS c FROM Reg."Box$Events";'), [[[0]]]);
    }
  }));

test('an inspection can be stopped between its pages, and leaves nothing', () =>
  inMemory(async (session) => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const onProgress = (): void => stopping.abort();
    await outcomes(session, `CREATE TABLE wanted AS ${numbers(1200)} 'B' || i AS box_id, i AS n FROM n;`);
    const stopped = await outcomes(session, 'INSPECT DECISION PutIn FROM wanted INTO would;', { signal, onProgress });
    assert.equal(stopped, ['R0303']);
    assert.equal(await outcomes(session, 'SELECT * FROM would;'), ['E0206']);
  }));

test.run();
