/** The file of a database in memory, compared with one array of bytes, and with SQLite's own memory. `ROUNDS` tries more. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { createMemoryFile } from '../../runtime/store/tables/files/memory-file.ts';
import { createChance, parameter, seedOf } from '../crash/chance.ts';
import { loadSqlite } from '../../runtime/store/tables/core/sqlite.ts';

const chunk = 1024 * 1024;
const rounds = parameter('ROUNDS', 1);
const chance = createChance(seedOf('memory file'));
const bytesOf = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

test('reads, writes, gaps and truncations give the same bytes as in one array', () => {
  for (let round = 0; round < 2 * rounds; round++) {
    const given = bytesOf(chance.below(2 * chunk), 1);
    let expected = Buffer.from(given);
    const { files, path } = createMemoryFile(given);
    const file = files.open(path);
    const resize = (length: number): void => {
      expected = Buffer.concat([expected.subarray(0, length), Buffer.alloc(Math.max(0, length - expected.length))]);
    };
    for (let step = 0; step < 50; step++) {
      const position = chance.pick([
        chance.below(3 * chunk),
        Math.max(0, chance.below(4) * chunk + chance.below(9) - 4), // about the end of a chunk
      ]);
      const length = chance.pick([chance.below(9), 4096, 1 + chance.below(chunk + 10)]);
      const what = chance.pick(['read', 'write', 'write', 'truncate']);
      if (what === 'truncate') {
        file.truncate(position);
        resize(position);
      } else if (what === 'write') {
        if (length > 0) {
          if (position + length > expected.length) resize(position + length);
          expected.fill(step, position, position + length);
        }
        file.write(bytesOf(length, step), position);
      } else {
        const read = bytesOf(length, 255);
        const wanted = expected.subarray(position, position + length);
        assert.is(file.read(read, position), wanted.length);
        assert.is(Buffer.compare(read.subarray(0, wanted.length), wanted), 0, `${length} bytes at ${position}`);
        assert.ok(read.subarray(wanted.length).every((byte) => byte === 255));
      }
      assert.is(file.size(), expected.length);
    }
    const all = bytesOf(expected.length, 255);
    file.read(all, 0);
    assert.is(Buffer.compare(all, expected), 0);
    assert.ok(
      given.every((byte) => byte === 1),
      'the image stays as it was',
    );
  }
});

/** Statements for the database `d`, with a number that chance gives. */
const statements: readonly [(d: string, n: number) => string, ...((d: string, n: number) => string)[]] = [
  (d, n) =>
    `INSERT OR REPLACE INTO ${d}.t WITH RECURSIVE i (v) AS (SELECT ${n} UNION ALL SELECT v + 1 FROM i WHERE v < ${n + 400})
    SELECT v, HEX(ZEROBLOB(${n} % 900)), v * ${n} % 997 FROM i`,
  (d, n) => `DELETE FROM ${d}.t WHERE a BETWEEN ${n} AND ${2 * n}`,
  (d, n) => `UPDATE ${d}.t SET b = b || 'x', c = c + 1 WHERE a % ${2 + (n % 40)} = 0`,
  (d, n) => `CREATE TABLE ${d}.u${n % 3} AS SELECT * FROM ${d}.t WHERE a % 7 = 0`,
  (d, n) => `DROP TABLE ${d}.u${n % 3}`,
  (d) => `VACUUM ${d}`,
];

test('statements give the same rows and refusals as in SQLite’s own memory, also when they are taken back', async () => {
  const engine = await loadSqlite();
  for (let round = 0; round < rounds; round++) {
    const database = engine();
    const both = ['main', 'own'] as const;
    const told = (sql: string): string => {
      try {
        database.run(sql);
        return 'done';
      } catch (error) {
        return String(error).replaceAll(/main|own/g, '');
      }
    };
    const sums = (d: string) => database.rows(`SELECT COUNT(*), SUM(a), SUM(LENGTH(b)), SUM(c) FROM ${d}.t`)[0];
    database.run(`ATTACH ':memory:' AS own`);
    for (const d of both) database.run(`CREATE TABLE ${d}.t (a INTEGER PRIMARY KEY, b TEXT, c)`);
    for (const d of both) database.run(`CREATE INDEX ${d}.i ON t (c)`);
    for (let step = 0; step < 40; step++) {
      if (chance.below(3) === 0) told(chance.pick(['BEGIN', 'COMMIT', 'ROLLBACK']));
      const statement = chance.pick(statements);
      const n = chance.below(4_000);
      const [ours, expected] = both.map((d) => [told(statement(d, n)), sums(d)]);
      assert.equal(ours, expected, statement('d', n));
    }
    told('COMMIT');
    assert.equal(database.rows('PRAGMA main.integrity_check'), [['ok']]);
    const copy = engine({ in: 'memory', image: database.image() });
    assert.equal(copy.rows('SELECT * FROM t ORDER BY a'), database.rows('SELECT * FROM own.t ORDER BY a'));
    copy.close();
    database.close();
  }
});

test('a database of several chunks has the same rows in its image, and in a database that begins with that', async () => {
  const engine = await loadSqlite();
  const sum = 'SELECT COUNT(*), SUM(LENGTH(b)), SUM(a) FROM t';
  const first = engine();
  first.run('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)');
  first.run(
    'INSERT INTO t SELECT value, HEX(ZEROBLOB(500)) FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 4000) SELECT value FROM n)',
  );
  const rows = first.rows(sum);
  const second = engine({ in: 'memory', image: first.image() });
  second.run('DELETE FROM t WHERE a > 10');
  assert.equal([first.rows(sum), second.rows(sum)], [rows, [[10n, 10_000n, 55n]]]);
  assert.ok(first.bytes() > 3 * chunk);
  first.close();
  second.close();
});

/** Runs the work while the platform gives no memory for a chunk; says how it ended. */
function short(work: () => void): string {
  const usual = globalThis.Uint8Array;
  globalThis.Uint8Array = new Proxy(usual, {
    construct: (of, given: unknown[], as) => {
      if (given[0] === chunk) throw new RangeError('Array buffer allocation failed');
      return Reflect.construct(of, given, as) as object;
    },
  });
  try {
    work();
    return 'done';
  } catch (error) {
    return error instanceof Failure ? `${error.code} ${error.message}` : String(error);
  } finally {
    globalThis.Uint8Array = usual;
  }
}

test('too little memory for a chunk is said as such, and nothing is lost', async () => {
  const engine = await loadSqlite();
  const noMemory = 'R0301 the query exceeded its memory budget of what one value or the read model may take';
  const rowsOf = (many: number): string =>
    `WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < ${many}) SELECT HEX(ZEROBLOB(4000)) FROM n`;
  const database = engine();
  database.run('CREATE TABLE t (b TEXT)');
  const insert = (many: number): void => database.run(`INSERT INTO t ${rowsOf(many)}`);
  insert(100);
  const sum = (): unknown => database.rows('SELECT COUNT(*), SUM(LENGTH(b)) FROM t')[0];
  const inTransaction = (): void => {
    database.begin();
    insert(50);
    database.commit();
  };
  for (const [name, work] of [
    ['when a transaction ends', inTransaction],
    ['during a statement that its cache cannot hold', () => insert(1000)],
    ['in what is taken back anyway', () => database.undone(() => insert(1000))],
  ] as const) {
    assert.is(short(work), noMemory, name);
    database.rollback();
    assert.equal([sum(), database.rows('PRAGMA integrity_check')], [[100n, 800_000n], [['ok']]], name);
  }
  assert.is(
    short(() => void engine({ in: 'memory', image: database.image() })),
    noMemory,
  );
  insert(1000);
  assert.equal(sum(), [1100n, 8_800_000n]);
  database.close();
});

test.run();
