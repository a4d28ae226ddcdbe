import { test } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { bindExecute, bindQuery, bindTable } from '../../compiler/analyse/bind-statement.ts';
import { changeRegistry } from '../../compiler/analyse/incremental/change-registry.ts';
import { faultyType } from '../../compiler/analyse/typed/typed.ts';
import { emptyRegistry } from '../../compiler/analyse/incremental/open-registry.ts';
import { noHistory, type Bound, type Registry } from '../../compiler/analyse/environment/registry.ts';
import { isBlockStatement, type Statement } from '../../compiler/syntax/ast.ts';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { slipsOf } from '../kit/slips.ts';
import { caller } from './language.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
const numRuns = Number(process.env['SCHEMAC_SLIP_RUNS'] ?? 150);

const script = `
CREATE AGGREGATE Purse (purse_id STRING KEY, balance DECIMAL(16,2) DEFAULT 0 AS SUM(CASE event_type WHEN 'Credited' THEN data.amount WHEN 'Charged' THEN -data.amount END));
CREATE COMMAND Credit (purse_id STRING, amount DECIMAL(14,2), pin STRING SENSITIVE NULL);
CREATE COMMAND Charge (purse_id STRING, amount DECIMAL(14,2) DEFAULT 1);
CREATE EVENT Credited (amount DECIMAL(14,2), pin STRING SENSITIVE);
CREATE EVENT Charged (amount DECIMAL(14,2), note STRING TAG);
CREATE DECISION CreditIt FOR Purse ON COMMAND Credit EMIT AS SELECT EVENT Credited (amount := :amount, pin := :pin) WHERE :amount > 0;
CREATE DECISION ChargeIt FOR Purse ON COMMAND Charge STATE AS SELECT balance FROM Reg."Purse$Agg" WHERE aggregate_id = :purse_id
EMIT AS BRANCH A SELECT EVENT Charged (amount := :amount, note := 'x') WHERE balance >= :amount UNION ALL BRANCH B SELECT EVENT Charged (amount := 0) TO Purse('other') WHERE NOT (balance > 1);
CREATE PROJECTION Sums AS SELECT stream_id AS purse, SUM(data.amount) AS total, LAST(data.note) AS note FROM Reg."Purse$Events" WHERE event_type IN ('Credited', 'Charged') GROUP BY stream_id ORDER BY total DESC;
CREATE PROJECTION Rich AS SELECT s.purse, p.balance FROM Reg."Sums" s LEFT JOIN Reg."Purse$Agg" p ON p.purse_id = s.purse WHERE s.total > 10.5;
EXECUTE Credit(purse_id := 'p', amount := 5 + 1, pin := 'x') WITH (command_id = 'c');
CREATE TABLE t (a, b) AS VALUES (1, 'x'), (2.5, NULL);
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT COUNT(*) FILTER (WHERE n > 1) AS c, SUM(n) FROM r;
SELECT DISTINCT purse, CASE WHEN total > 1 THEN 'a' ELSE note END AS v, (SELECT MAX(seq) FROM Reg.Purse$Events e WHERE e.stream_id = purse) FROM Reg.Sums ORDER BY purse LIMIT 5;
SELECT data->>'note', UPPER(data.pin), ROW_NUMBER() OVER (PARTITION BY stream_id ORDER BY seq) FROM Reg.Purse$Events WHERE 'note:x' = ANY(tags) AND seq BETWEEN 1 AND 5;
SELECT 1 AS a UNION SELECT total FROM Reg.Sums EXCEPT SELECT NULL ORDER BY a;
`;

const { slip, withSlips } = slipsOf(script);

/** Whether a result holds a part that could not be bound. */
function holdsFaulty(value: unknown): boolean {
  if (value === faultyType) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsFaulty);
}

function bindAny(registry: Registry, statement: Statement): Bound<unknown> | undefined {
  if (statement.kind === 'QueryStatement') return bindQuery(registry, statement.query, caller);
  if (statement.kind === 'CreateTable') return bindTable(registry, statement, caller);
  return statement.kind === 'Execute' ? bindExecute(registry, statement, caller) : undefined;
}

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === 'error';
}

test(`each statement of a damaged script either reports an error or compiles whole (seed ${seed})`, () => {
  const property = fc.property(fc.array(slip, { minLength: 0, maxLength: 6 }), (slips) => {
    const parsed = parseScript({ name: 'slips.schema', text: withSlips(slips) });
    const statements = parsed.statements.flatMap(({ statement }) => statement ?? []);
    let registry = emptyRegistry;
    for (const [index, statement] of statements.entries()) {
      if (isBlockStatement(statement)) {
        const forward = statements.slice(index + 1).filter(isBlockStatement);
        const change = { put: [statement], drop: [], mode: 'script', forward, history: noHistory } as const;
        const result = changeRegistry(registry, change);
        const failed = result.diagnostics.some(isError);
        assert.is(result.changes.length, failed ? 0 : 1);
        if (failed) assert.is(result.registry, registry);
        registry = result.registry;
        assert.not(holdsFaulty(registry.catalog));
        continue;
      }
      const bound = bindAny(registry, statement);
      if (bound === undefined) continue;
      assert.is(bound.value === undefined, bound.diagnostics.some(isError));
      assert.not(holdsFaulty(bound.value));
    }
  });
  fc.assert(property, { seed, numRuns });
});

test.run();
