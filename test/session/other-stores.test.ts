import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { locateStore } from '../../server/start/locate-store.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put
STATE AS SELECT SUM(data.n) AS total FROM Reg."Box$Events" WHERE stream_id = :box_id
EMIT AS SELECT EVENT Added (n := :n) WHERE COALESCE(total, 0) + :n <= 10;
CREATE PROJECTION Totals AS SELECT stream_id, SUM(data.n) AS total FROM Reg."Box$Events" GROUP BY stream_id;`;
const named = `CREATE EVENTSTORE prod WITH (durable.path = 'prod');`;

/** The store of another process, in the folder `prod`. */
async function openOwner(folder: string): Promise<OpenSession> {
  const store = await openEmbeddedStore({ directory: join(folder, 'prod'), readModel: 'inline' });
  return openSession({ store, version: '0.0.0', modules: join(folder, 'prod', 'modules') });
}
async function openTool(folder: string): Promise<OpenSession> {
  return openSession({
    store: await openMemoryStore(),
    version: '0.0.0',
    lenientPayload: true,
    locate: (stores, name) => locateStore(stores, name, { base: folder, environment: {} }),
  });
}

/** The last outcome of a text: its rows if it has any, else its result. */
async function last(session: OpenSession, text: string): Promise<unknown> {
  let said = '';
  for await (const outcome of session.run({ name: 'input', text }, { adoptAtEnd: true })) said = outcomeJson(outcome);
  const { kind, rows, code, message, change, rejected } = JSON.parse(said) as Record<string, string | undefined>;
  if (kind === 'inspect') return { rows, rejected };
  return rows ?? (code === undefined ? (change ?? kind) : `${code} ${message}`);
}

/** Names, sizes, contents and times of everything in a folder. */
function bytesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const { size, mtimeNs, mode } = lstatSync(path, { bigint: true });
      const content = lstatSync(path).isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
      return [name, size, mtimeNs, mode, content].join(' ');
    });
}

test('a store in use is read as it is, with the blocks of the session or its own, and not one byte of it changes', () =>
  withTempFolder(async (folder) => {
    const owner = await openOwner(folder);
    const tool = await openTool(folder);
    try {
      await last(owner, `${schema} EXECUTE Put(box_id := 'a', n := 3); EXECUTE Put(box_id := 'b', n := 9);`);
      const before = bytesOf(join(folder, 'prod'));
      const read: readonly (readonly [text: string, outcome: unknown])[] = [
        [named, 'created'],
        // Blocks of that store, when the session has none of that name.
        [
          'SELECT stream_id, data.n FROM prod."Box$Events"',
          [
            ['a', 3],
            ['b', 9],
          ],
        ],
        [
          'SELECT * FROM prod."Totals" ORDER BY stream_id',
          [
            ['a', 3],
            ['b', 9],
          ],
        ],
        ['SELECT name FROM prod.meta_commands', [['Put']]],
        ['SELECT name FROM Reg.meta_commands', []],
        ['SELECT * FROM Reg."Totals"', `E0206 there is no relation 'Totals'`],
        // Together with the session's own store and tables.
        [`${schema} EXECUTE Put(box_id := 'a', n := 1)`, 'execute'],
        [
          'SELECT p.stream_id, p.total, t.total FROM prod."Totals" p LEFT JOIN Reg."Totals" t USING (stream_id) ORDER BY 1',
          [
            ['a', 3, 1],
            ['b', 9, null],
          ],
        ],
        [
          'SELECT p.data.n, e.data.n FROM prod."Box$Events" p, Reg."Box$Events" e WHERE p.stream_id = e.stream_id',
          [[3, 1]],
        ],
        [
          'SELECT x FROM prod.meta_events',
          `E0203 there is no column 'x' here; there is name, field_count, aggregate, doc`,
        ],
        [`CREATE TABLE wanted AS VALUES ('a', 7), ('b', 2), ('c', 10)`, 'created'],
        ['SELECT COUNT(*) FROM wanted w JOIN prod."Totals" t ON t.stream_id = w.column1', [[2]]],
        // Simulated in that store, stored in this session.
        ['INSPECT DECISION PutIn FROM wanted INTO here', { rows: 3, rejected: 0 }],
        ['INSPECT DECISION PutIn FROM wanted INTO there USING EVENTSTORE prod', { rows: 3, rejected: 1 }],
        [
          'SELECT stream_id, event_type FROM there',
          [
            ['a', 'Added'],
            ['b', '__REJECTED__'],
            ['c', 'Added'],
          ],
        ],
        ['INSPECT PROJECTION Totals FROM Reg."Box$Events" INTO sums USING EVENTSTORE prod', { rows: 2, rejected: 0 }],
        [
          'SELECT * FROM sums ORDER BY stream_id',
          [
            ['a', 3],
            ['b', 9],
          ],
        ],
        ['INSPECT PROJECTION Totals FROM prod."Box$Events" INTO sums OFFSET 1', { rows: 1, rejected: 0 }],
        ['SELECT name FROM Reg.meta_inspections ORDER BY name', [['here'], ['sums'], ['there']]],
        [
          'INSPECT DECISION PutIn FROM wanted INTO there USING EVENTSTORE nope',
          `E0201 there is no event store 'nope'; there is prod`,
        ],
      ];
      for (const [text, outcome] of read) assert.equal(await last(tool, text), outcome, text);
      assert.equal(bytesOf(join(folder, 'prod')), before);

      // Entries written meanwhile are seen by the next statement.
      await last(owner, `EXECUTE Put(box_id := 'c', n := 4);`);
      assert.equal(await last(tool, 'SELECT COUNT(*) FROM prod."Box$Events"'), [[3]]);
    } finally {
      await tool.close();
      await owner.close();
    }
  }));

test('a store selected as Reg is read, and never written', () =>
  withTempFolder(async (folder) => {
    const owner = await openOwner(folder);
    await last(owner, `${schema} EXECUTE Put(box_id := 'a', n := 3);`);
    await owner.close();
    const before = bytesOf(join(folder, 'prod'));
    const tool = await openTool(folder);
    try {
      await last(
        tool,
        `${named} CREATE EVENTSTORE cache WITH (durable.type = 'memory');
        CREATE EVENTSTORE gone WITH (durable.path = 'nowhere');`,
      );
      const prod = join(folder, 'prod');
      assert.equal(await tool.useStore('prod'), { name: 'prod', own: false, location: prod, event: 1 });
      assert.equal(await last(tool, 'SELECT COUNT(*) FROM Reg."Box$Events"'), [[1]]);
      const closed = `R0402 the store is read-only: prod (${prod}) is opened read-only`;
      for (const text of [`EXECUTE Put(box_id := 'a', n := 3)`, 'CREATE AGGREGATE Other', 'DROP PROJECTION Totals'])
        assert.equal(await last(tool, text), closed, text);
      await last(tool, `CREATE TABLE wanted AS VALUES ('a', 8)`);
      assert.equal(await last(tool, 'INSPECT DECISION PutIn FROM wanted INTO w'), { rows: 1, rejected: 1 });
      assert.equal(await tool.stores(), [
        { name: 'Reg', used: false },
        { name: 'cache', used: false },
        { name: 'gone', used: false },
        { name: 'prod', used: true },
      ]);
      for (const [name, problem] of [
        ['cache', 'it is in the memory of its own process, which no other process can read'],
        ['gone', `there is no directory ${join(folder, 'nowhere')}`],
        ['nope', 'there are Reg, cache, gone, prod'],
      ] as const) {
        const message = await tool.useStore(name).catch((error: unknown) => (error as Error).message);
        assert.is(message, `event store ${name}: ${problem}`);
      }
      assert.is((await tool.useStore('reg')).own, true);
      assert.match(String(await last(tool, 'SELECT COUNT(*) FROM Reg."Box$Events"')), 'E0206');
    } finally {
      await tool.close();
    }
    assert.equal(bytesOf(join(folder, 'prod')), before);
  }));

test('a store whose events the blocks of the session cannot read is refused with the reason', () =>
  withTempFolder(async (folder) => {
    const owner = await openOwner(folder);
    await last(owner, `${schema} EXECUTE Put(box_id := 'a', n := 3);`);
    await owner.close();
    const tool = await openTool(folder);
    try {
      await last(tool, `${named} ${schema.replaceAll('n INT', 'n BOOLEAN').replace(/CREATE DECISION[^;]*;/, '')}`);
      assert.match(
        String(await last(tool, 'SELECT COUNT(*) FROM prod."Box$Events"')),
        /^R0501 event store prod: it cannot be read with the blocks of this session: .*BOOLEAN/,
      );
    } finally {
      await tool.close();
    }
  }));

test.run();
