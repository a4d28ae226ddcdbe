/** Compares the memory that a query may take in addition to the tables with its use. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { loadSqlite } from '../../runtime/store/tables/core/sqlite.ts';

const engine = await loadSqlite();
const megabyte = 1024 * 1024;

test('the memory budget of a query does not depend on the queries before it', () => {
  const database = engine();
  const take = (megabytes: number): string => {
    database.memoryBudget(64 * megabyte);
    try {
      database.rows(`SELECT LENGTH(HEX(ZEROBLOB(${(megabytes / 3) * megabyte})))`);
      return 'taken';
    } catch (error) {
      return error instanceof Failure ? error.message : String(error);
    } finally {
      database.memoryBudget(undefined);
    }
  };
  const refused = 'the query exceeded its memory budget of what one value or the read model may take';
  const outcomes = [50, 100, 50, 100, 150, 50].map((megabytes) => [megabytes, take(megabytes)]);
  assert.equal(outcomes, [
    [50, 'taken'],
    [100, refused],
    [50, 'taken'],
    [100, refused],
    [150, refused],
    [50, 'taken'],
  ]);
  database.close();
});

test('a function result that is too long for SQLite is refused', () => {
  const database = engine();
  const upper = (count: number): unknown => {
    try {
      return database.rows(`SELECT LENGTH(schemac_upper(HEX(ZEROBLOB(${count / 2}))))`)[0]?.[0];
    } catch (error) {
      return (error as Error).message;
    }
  };
  const most = 4 * megabyte;
  const tooLong = `UPPER: the result would be longer than ${most} bytes`;
  assert.equal([upper(most), upper(most + 2), upper(8 * megabyte), upper(10)], [BigInt(most), tooLong, tooLong, 10n]);
  database.close();
});

test.run();
