/** The file of a database in memory, compared with one array of bytes. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryFile } from '../../runtime/store/read-model/core/files/memory-file.ts';
import { loadSqlite } from '../../runtime/store/read-model/core/sqlite.ts';

const chunk = 1024 * 1024;
const bytesOf = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

test('writes over the ends of chunks, gaps and truncations leave the same bytes as in one array', () => {
  const given = bytesOf(chunk + 10, 1);
  const { files, path } = createMemoryFile(given);
  const file = files.open(path);
  let expected = [...given];
  const write = (position: number, length: number, value: number): void => {
    file.write(bytesOf(length, value), position);
    while (expected.length < position + length) expected.push(0);
    expected.fill(value, position, position + length);
  };
  const truncate = (length: number): void => {
    file.truncate(length);
    expected = [...expected.slice(0, length), ...Array<number>(Math.max(0, length - expected.length)).fill(0)];
  };
  const steps: readonly (() => void)[] = [
    () => write(0, 4096, 2),
    () => write(chunk - 3, 6, 3),
    () => write(2 * chunk + 5, 7, 4),
    () => truncate(chunk + 1),
    () => write(chunk + 9, 2, 5),
    () => truncate(chunk),
    () => truncate(chunk + 4),
    () => truncate(0),
    () => write(3, 2, 6),
  ];
  for (const [index, step] of steps.entries()) {
    step();
    const read = bytesOf(expected.length + 5, 0);
    assert.is(file.read(read, 0), expected.length, `step ${index}`);
    assert.is(Buffer.compare(read.subarray(0, expected.length), Buffer.from(expected)), 0, `step ${index}`);
    assert.is(file.size(), expected.length, `step ${index}`);
  }
  assert.is(given[0], 1, 'the image stays as it was');
  assert.is(file.read(bytesOf(4, 0), 100), 0);
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

test.run();
