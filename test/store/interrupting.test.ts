/** Statements that are ended while they run, and what is left of the transaction around them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GivenBack } from '../../runtime/store/query.ts';
import type { Database } from '../../runtime/store/tables/core/engine.ts';
import { createQueryRunner } from '../../runtime/store/tables/core/query-runner.ts';
import { loadSqlite } from '../../runtime/store/tables/core/sqlite.ts';

const test = suite('interrupting');
const engine = await loadSqlite();

/** Counts without end and without giving a row. */
const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n';

function until(calls: number): () => void {
  let left = calls;
  return () => {
    left -= 1;
    if (left === 0) throw new Error('that is enough');
  };
}

function told(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof GivenBack ? 'given back' : (error as Error).message;
  }
}

function interrupted(database: Database, sql: string, steps: number): unknown {
  return told(() => database.interrupting(until(1_000), steps, () => database.rows(sql)));
}

test('a statement ends by what is thrown between two of its steps, and others then run', () => {
  const [database, other] = [engine(), engine()];
  const few = endless.replace('FROM n)', 'FROM n WHERE i < 10)');
  assert.equal(
    [interrupted(database, endless, 1_000), interrupted(other, endless, 16), interrupted(database, few, 1)],
    ['that is enough', 'that is enough', [[10n]]],
  );
  assert.equal(
    told(() => database.interrupting(until(1), 1, () => other.rows(few))),
    [[10n]],
    'another connection',
  );
  assert.equal(database.rows(few), [[10n]]);
  database.close();
  other.close();
});

test('a transaction stays as it was around a query that ends', () => {
  const database = engine();
  database.run('CREATE TABLE t (a)');
  database.begin();
  database.run('INSERT INTO t VALUES (1)');
  assert.is(interrupted(database, endless, 16), 'that is enough');
  database.run('INSERT INTO t VALUES (2)');
  database.commit();
  assert.equal(database.rows('SELECT a FROM t'), [[1n], [2n]]);
  database.close();
});

test('a query without a row ends at its time, with its patience, and when it is to stop; rows and columns alike', () => {
  const database = engine();
  const queries = createQueryRunner(database, () => undefined);
  const query = {
    sql: `SELECT c0 FROM (${endless.replace('COUNT(*)', 'COUNT(*) AS c0')})`,
    parameters: [],
    columns: [{ type: { kind: 'BIGINT' } }],
  } as const;
  const outcomes = [{ milliseconds: 5 }, { milliseconds: 500, patience: 5 }, { milliseconds: 500 }].flatMap(
    (limits, at) => {
      const isStopped = (): boolean => at === 2;
      return [
        told(() => queries.run(query, [], limits, isStopped, () => undefined)),
        told(() => queries.columns(query, [], { ...limits, rows: 1 }, isStopped)),
      ];
    },
  );
  const late = 'the query exceeded its time budget of 5 ms';
  assert.equal(outcomes, [
    late,
    late,
    'given back',
    'given back',
    'the statement was stopped',
    'the statement was stopped',
  ]);
  database.close();
});

test.run();
