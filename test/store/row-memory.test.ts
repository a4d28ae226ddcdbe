/** Cells read out of SQLite's memory, against what SQLite gives when it is asked for them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Cell, Database } from '../../runtime/store/tables/core/engine.ts';
import { loadSqlite } from '../../runtime/store/tables/core/sqlite.ts';
import type { RowReader } from '../../runtime/store/tables/core/row-memory.ts';

const test = suite('row memory');
const engine = await loadSqlite();

const texts = ['', 'a', 'abcd', 'Zoë €', '😀', 'x'.repeat(63), 'x'.repeat(64), 'ü'.repeat(40), 'long '.repeat(5_000)];
const integers = [
  '0',
  '-1',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
];
const numbers = ['0.5', '-2.25', '1e300', '-0.0', '9.0'];

function cellAt(cells: RowReader, at: number, as: 'text' | 'integer' | 'number'): Cell {
  if (cells.isNull(at)) return null;
  if (as === 'number') return cells.number(at) + 0;
  if (as === 'integer') return (BigInt(cells.high(at)) << 32n) | BigInt(cells.low(at) >>> 0);
  const bytes = new Uint8Array(3 + cells.text(at));
  cells.copyText(new DataView(bytes.buffer, 3), 0);
  return Buffer.from(bytes.subarray(3)).toString();
}

/** The first row of a query as it is in memory. */
function row(database: Database, sql: string, ...as: Parameters<typeof cellAt>[2][]): readonly Cell[] {
  const statement = database.prepare(sql);
  try {
    statement.bind([]);
    statement.step();
    const cells = statement.cells();
    cells.look();
    return as.map((kind, at) => cellAt(cells, at, kind));
  } finally {
    statement.free();
  }
}

test('literals, columns and computed values are read exactly', () => {
  const database = engine();
  database.run('CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, i INTEGER, n REAL) STRICT');
  const count = Math.max(texts.length, integers.length, numbers.length);
  for (let at = 0; at < count; at++) {
    const [s = null, i, n] = [texts[at], integers[at] ?? 'NULL', numbers[at] ?? 'NULL'];
    database.run(`INSERT INTO t VALUES (${at}, ?1, ${i}, ${n})`, [s]);
    const expected = [
      BigInt(at),
      s,
      i === 'NULL' ? null : BigInt(i),
      n === 'NULL' ? null : Number(n) + 0,
      s === null ? null : `${s}!`,
    ];
    const sql = `SELECT id, s, i, n, s || '!' FROM t WHERE id = ${at}`;
    assert.equal(row(database, sql, 'integer', 'text', 'integer', 'number', 'text'), expected);
  }
  database.close();
});

test('integers and whole numbers of a REAL column are read as numbers', () => {
  const database = engine();
  database.run('CREATE TABLE t (n REAL)');
  database.run('INSERT INTO t VALUES (7)');
  const read = row(database, 'SELECT n, n + 0.0, 8, -4294967297 FROM t', 'number', 'number', 'number', 'number');
  assert.equal(read, [7, 7, 8, -4294967297]);
  database.close();
});

test('rows of recursive and compound queries are read', () => {
  const database = engine();
  const sql = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
    SELECT i, 'a' FROM n UNION ALL SELECT -i, 'b' FROM n ORDER BY 1`;
  const statement = database.prepare(sql);
  statement.bind([]);
  const cells = statement.cells();
  const read: Cell[][] = [];
  while (statement.step()) {
    cells.look();
    read.push([cellAt(cells, 0, 'integer'), cellAt(cells, 1, 'text')]);
  }
  statement.free();
  assert.equal(read, [[-3n, 'b'], [-2n, 'b'], [-1n, 'b'], [1n, 'a'], [2n, 'a'], [3n, 'a']]); // oxfmt-ignore
  database.close();
});

test('rows are read correctly when memory grows between them', () => {
  const database = engine();
  const sql = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
    SELECT i, CASE WHEN i = 2 THEN replace(hex(zeroblob(16000000)), '0', 'z') ELSE 'short' END FROM n`;
  const statement = database.prepare(sql);
  statement.bind([]);
  const cells = statement.cells();
  const read: Cell[] = [];
  while (statement.step()) {
    cells.look();
    const text = cellAt(cells, 1, 'text') as string;
    read.push(cellAt(cells, 0, 'integer'), text.length, text.slice(-5));
  }
  statement.free();
  assert.equal(read, [1n, 5, 'short', 2n, 32_000_000, 'zzzzz', 3n, 5, 'short']);
  database.close();
});

test('a storage class other than the expected one is an error', () => {
  const database = engine();
  const cases = [
    ["'1'", 'integer'],
    ["'1'", 'number'],
    ['1.5', 'integer'],
    ['1', 'text'],
    ['1.5', 'text'],
    ["x'00'", 'text'],
  ] as const;
  for (const [value, as] of cases)
    assert.throws(() => row(database, `SELECT ${value}`, as), /holds column 0 in the wrong storage class/, value);
  database.close();
});

test.run();
