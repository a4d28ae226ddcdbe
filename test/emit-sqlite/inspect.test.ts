/** INSPECT PROJECTION: a recorded table replaces the projection's events (docs/language.md#inspections). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Column } from '../../language/contract/query.ts';
import type { Value } from '../../language/values/type.ts';
import { BIGINT, decimal, STRING, TIMESTAMP } from './bound.ts';
import { openLanguage, type SessionTableRows } from './language.ts';

const loans = openLanguage(
  `
  CREATE AGGREGATE Loan;
  CREATE COMMAND Grant_ (loan_id STRING, who STRING, sum DECIMAL(10,2));
  CREATE EVENT Granted (who STRING, sum DECIMAL(10,2));
  CREATE EVENT Repaid (sum DECIMAL(10,2));
  CREATE DECISION GrantLoan FOR Loan ON COMMAND Grant_
    EMIT AS SELECT EVENT Granted (who := :who, sum := :sum), SELECT EVENT Repaid (sum := 0) WHERE :sum > 0;
  CREATE PROJECTION OpenLoans AS
    SELECT stream_id AS loan, SUM(CASE event_type WHEN 'Granted' THEN data.sum ELSE -data.sum END) AS open_sum, LAST(data.who) AS who
    FROM Reg."Loan$Events" GROUP BY stream_id;
  CREATE PROJECTION States AS SELECT aggregate_id, who FROM Reg."Loan$Agg";
  CREATE PROJECTION Both AS SELECT o.loan, s.who FROM Reg."OpenLoans" o JOIN Reg."States" s ON s.aggregate_id = o.loan;
  `,
  { Loan: [{ type: 'Granted', stream: 'L9', data: { who: 'Di', sum: '80.00' } }] },
);

function column(name: string, type: Column['type']): Column {
  return { name, type, nullable: true, sensitive: false };
}
const data = {
  kind: 'STRUCT',
  fields: [
    { name: 'who', type: STRING },
    { name: 'sum', type: decimal(10, 2) },
  ],
} as const;
const columns = [
  column('event_id', STRING),
  column('stream_type', STRING),
  column('stream_id', STRING),
  column('seq', BIGINT),
  column('event_type', STRING),
  column('occurred_at', TIMESTAMP),
  column('data', data),
  column('rejection', STRING),
  column('global_position', BIGINT),
];
function granted(position: bigint, stream: string, who: string, sum: bigint): readonly Value[] {
  const payload = new Map<string, Value>([
    ['who', who],
    ['sum', sum],
  ]);
  return ['id', 'Loan', stream, 1n, 'Granted', 0n, payload, null, position];
}
const rejected: readonly Value[] = ['id', 'Loan', 'L0', null, '__REJECTED__', 0n, null, '{}', 2n];
const recorded: SessionTableRows = {
  columns,
  rows: [granted(1n, 'L1', 'Zoe', 10000n), rejected, granted(3n, 'L3', 'Cy', 25050n), granted(4n, 'L1', 'Ada', 50n)],
};
const tables = { would_grant: recorded };

const examples: readonly (readonly [string, string])[] = [
  ['INSPECT PROJECTION OpenLoans FROM would_grant INTO x;', '[["L1",100.50,"Ada"],["L3",250.50,"Cy"]]'],
  [
    "INSPECT PROJECTION OpenLoans FROM would_grant INTO x WHERE data.who <> 'Ada';",
    '[["L1",100.00,"Zoe"],["L3",250.50,"Cy"]]',
  ],
  ['INSPECT PROJECTION OpenLoans FROM would_grant INTO x LIMIT 1;', '[["L1",100.00,"Zoe"]]'],
  ['INSPECT PROJECTION OpenLoans FROM would_grant INTO x OFFSET 1;', '[["L1",0.50,"Ada"],["L3",250.50,"Cy"]]'],
  ['INSPECT PROJECTION States FROM would_grant INTO x;', '[["L1","Ada"],["L3","Cy"]]'],
  ['INSPECT PROJECTION Both FROM would_grant INTO x;', '[["L1","Ada"],["L3","Cy"]]'],
  ['INSPECT PROJECTION OpenLoans FROM Reg."Loan$Events" INTO x;', '[["L9",80.00,"Di"]]'],
  ['INSPECT PROJECTION OpenLoans FROM Reg."Loan$Events" INTO Reg."OpenLoans";', '[["L9",80.00,"Di"]]'],
];
for (const [statement, rows] of examples)
  test(statement, () => assert.equal(loans.inspect(statement, { tables }), rows));

test('fields of a recorded table', () => {
  assert.equal(
    loans.answer("SELECT stream_id, data.sum AS sum FROM would_grant WHERE event_type = 'Granted' ORDER BY sum", {
      tables,
    }),
    '[["L1",0.50],["L1",100.00],["L3",250.50]]',
  );
  assert.equal(
    loans.answer('SELECT SUM(g.data.sum) AS s, LAST(g.data.who) AS who FROM would_grant g', { tables }),
    '[[351.00,"Ada"]]',
  );
});

test.run();
