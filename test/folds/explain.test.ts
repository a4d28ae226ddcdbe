/** The text of EXPLAIN for each part, which matches the printed SQL. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { bindQuery } from '../../compiler/analyse/bind-statement.ts';
import { findBlock } from '../../language/catalog/catalog.ts';
import { explainBlock, explainQuery } from '../../compiler/describe/explain.ts';
import { parseQuery } from '../../compiler/syntax/parse-query.ts';
import { compileSchema } from '../emit-sqlite/language.ts';

const events = 'Reg."Bike$Events"';
const schema = (more = '', state = ''): string => `
  CREATE AGGREGATE Bike;
  CREATE EVENT Rented (rider STRING, price DECIMAL(10,2));
  CREATE COMMAND Rent (bike STRING, rider STRING, price DECIMAL(10,2));
  CREATE DECISION DoRent FOR Bike ON COMMAND Rent ${state}
    EMIT AS SELECT EVENT Rented (rider := :rider, price := :price);
  ${more}`;

const agg = ['Bike$Agg', 'fold', 'Bike$Events by stream_id: LAST STRING, LAST DECIMAL(10,2)'];

const projections: readonly (readonly [query: string, rows: readonly (readonly string[])[]])[] = [
  [
    `SELECT stream_id, SUM(data.price) AS total FROM ${events} GROUP BY stream_id HAVING COUNT(*) > 1`,
    [['P', 'fold', 'Bike$Events by stream_id: SUM DECIMAL(18,2), COUNT BIGINT']],
  ],
  [`SELECT COUNT(*) AS n FROM ${events}`, [['P', 'fold', 'Bike$Events in one row: COUNT BIGINT']]],
  [
    `SELECT UPPER(data.rider) AS r, COUNT(*) AS n FROM ${events} GROUP BY UPPER(data.rider)`,
    [['P', 'fold', 'Bike$Events by a value of data.rider: COUNT BIGINT']],
  ],
  [
    `WITH sale AS (SELECT stream_id AS b, COUNT(*) AS n FROM ${events} GROUP BY stream_id)
     SELECT s.b, s.n, a.rider FROM sale s LEFT JOIN Reg."Bike$Agg" a ON a.aggregate_id = s.b`,
    [['P: sale', 'fold', 'Bike$Events by stream_id: COUNT BIGINT'], agg],
  ],
  [
    `SELECT a.aggregate_id AS b, (SELECT COUNT(*) FROM ${events} e WHERE e.stream_id = a.aggregate_id) AS n FROM Reg."Bike$Agg" a`,
    [agg, ['P', 'fold', 'Bike$Events by stream_id: COUNT BIGINT']],
  ],
  [`SELECT stream_id, seq FROM ${events}`, [['P', 'scan', 'Bike$Events: it lists single events']]],
  [
    `SELECT COUNT(DISTINCT data.rider) AS n FROM ${events}`,
    [['P', 'scan', 'Bike$Events: COUNT(DISTINCT …) keeps every value']],
  ],
  [`SELECT ARRAY_AGG(data.rider) AS r FROM ${events}`, [['P', 'scan', 'Bike$Events: ARRAY_AGG keeps every value']]],
  [
    `SELECT COUNT(*) AS n FROM ${events} WHERE occurred_at < CURRENT_TIMESTAMP`,
    [['P', 'scan', 'Bike$Events: its WHERE: it calls CURRENT_TIMESTAMP']],
  ],
  [
    `SELECT a.stream_id, COUNT(*) AS n FROM ${events} a JOIN ${events} b ON a.stream_id = b.stream_id GROUP BY a.stream_id`,
    [['P', 'scan', 'Bike$Events, Bike$Events: it is not over exactly one event relation']],
  ],
  [`SELECT COUNT(*) AS n FROM Reg."Bike$Agg"`, [agg]],
  ['SELECT 1 AS one', [['query', 'nothing', 'it reads no events']]],
];

for (const [query, rows] of projections) {
  test(query, () => {
    const { catalog } = compileSchema(schema(`CREATE PROJECTION P AS ${query};`));
    const block = findBlock(catalog, 'projection', 'P');
    assert.equal(block && explainBlock(block, catalog).rows, rows);
  });
}

test('a query reads the folds of the blocks that it names, and scans the events that it names', () => {
  const registry = compileSchema(schema(`CREATE PROJECTION P AS SELECT COUNT(*) AS n FROM ${events};`));
  const parsed = parseQuery({
    name: 'query',
    text: `SELECT p.n, (SELECT COUNT(*) FROM ${events}) AS m FROM Reg.P p`,
  });
  const bound =
    parsed.outcome === 'query' ? bindQuery(registry, parsed.query, { tables: [], cleared: true }) : undefined;
  assert.equal(bound?.value && explainQuery(bound.value, registry.catalog).rows, [
    ['P', 'fold', 'Bike$Events in one row: COUNT BIGINT'],
    ['query', 'scan', 'Bike$Events: only $Agg and projections have their folds kept'],
  ]);
});

const writes = ['writes', 'Rented', 'stream of Bike'];
const decisions: readonly (readonly [state: string, rows: readonly (readonly string[])[]])[] = [
  ['', [['state', 'nothing', 'the decision has no STATE'], writes]],
  [
    `STATE AS SELECT COUNT(*) AS n FROM ${events} WHERE stream_id = :bike`,
    [['state', 'fold', 'Bike$Events by stream_id: COUNT BIGINT'], writes],
  ],
  [
    `STATE AS SELECT a.rider, (SELECT COUNT(*) FROM ${events} e WHERE e.data.price > a.price) AS n
     FROM Reg."Bike$Agg" a WHERE a.aggregate_id = :bike`,
    [
      ['state', 'scan', 'a subquery in it: its WHERE: it compares with price of another row by more than an equality'],
      agg,
      writes,
    ],
  ],
  [
    `STATE AS SELECT a.rider, (SELECT b.price FROM Reg."Bike$Agg" b WHERE b.aggregate_id = a.rider) AS price
     FROM Reg."Bike$Agg" a WHERE a.aggregate_id = :bike`,
    [
      ['state', 'fold', 'Bike$Events by stream_id: LAST STRING, LAST DECIMAL(10,2)'],
      ['state', 'fold', 'Bike$Events by stream_id: LAST STRING, LAST DECIMAL(10,2), COUNT BIGINT'],
      writes,
    ],
  ],
  [
    `STATE AS WITH one AS (SELECT data.rider AS r, COUNT(*) AS n FROM ${events} GROUP BY data.rider)
     SELECT one.n, EXISTS (SELECT 1 AS x FROM Reg."Bike$Agg" a WHERE a.aggregate_id = 'main') AS y FROM one WHERE one.r = :rider`,
    [
      ['state', 'fold', 'Bike$Events by data.rider: COUNT BIGINT'],
      ['state', 'fold', 'Bike$Events by stream_id: LAST STRING, LAST DECIMAL(10,2), COUNT BIGINT'],
      writes,
    ],
  ],
  [
    `STATE AS SELECT COUNT(*) AS n FROM Reg."Bike$Agg" WHERE rider = :rider`,
    [['state', 'scan', 'it is not over exactly one event relation'], agg, writes],
  ],
  [
    `STATE AS SELECT a.rider FROM Reg."Bike$Agg" a LEFT JOIN Reg."Bike$Agg" b ON b.rider = :rider WHERE a.aggregate_id = :bike`,
    [['state', 'scan', 'no equality gives the key of Bike$Agg'], agg, writes],
  ],
  [
    `STATE AS SELECT seq FROM ${events} WHERE stream_id = :bike ORDER BY seq DESC LIMIT 1`,
    [['state', 'scan', 'it reads Bike$Events row by row'], writes],
  ],
];

for (const [state, rows] of decisions) {
  test(state === '' ? 'no STATE' : state, () => {
    const { catalog } = compileSchema(schema('', state));
    const block = findBlock(catalog, 'decision', 'DoRent');
    assert.equal(block && explainBlock(block, catalog).rows, rows);
  });
}

test.run();
