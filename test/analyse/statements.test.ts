import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  bindExecute,
  bindInspectDecision,
  bindInspectProjection,
  bindTable,
} from '../../compiler/analyse/bind-statement.ts';
import { eventColumns } from '../../compiler/analyse/query/event-columns.ts';
import type { BindScope, Bound } from '../../compiler/analyse/environment/registry.ts';
import { findBlock } from '../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Type } from '../../language/values/type.ts';
import { assertDiagnostics } from '../kit/diagnostics.ts';
import { marked } from '../kit/marked.ts';
import { caller, compile, messagesOf, showColumn, statementsOf } from './language.ts';

const registry = compile(`
CREATE AGGREGATE Loan (loan_id STRING KEY, open_sum DECIMAL(10,2) AS SUM(data.sum));
CREATE AGGREGATE Other;
CREATE COMMAND Grant_ (loan_id STRING, who STRING, sum DECIMAL(10,2));
CREATE COMMAND Repay (loan_id STRING, sum DECIMAL(10,2), at TIMESTAMP NULL, note STRING DEFAULT 'none', pin STRING SENSITIVE NULL);
CREATE COMMAND Idle (id STRING);
CREATE EVENT Granted (who STRING, sum DECIMAL(10,2));
CREATE EVENT Repaid (sum DECIMAL(10,2), pin STRING SENSITIVE);
CREATE DECISION GrantLoan FOR Loan ON COMMAND Grant_ EMIT AS SELECT EVENT Granted (who := :who, sum := :sum) WHERE :sum > 0;
CREATE DECISION RepayLoan FOR Loan ON COMMAND Repay EMIT AS SELECT EVENT Repaid (sum := :sum, pin := :pin), SELECT EVENT Repaid () TO Other('x');
CREATE PROJECTION OpenLoans AS SELECT stream_id AS loan, SUM(CASE event_type WHEN 'Granted' THEN data.sum ELSE -data.sum END) AS open_sum FROM Reg."Loan$Events" GROUP BY stream_id;
CREATE PROJECTION States AS SELECT * FROM Reg."Loan$Agg";
CREATE PROJECTION Large AS SELECT loan FROM Reg.OpenLoans WHERE open_sum > 100;
CREATE PROJECTION Both AS SELECT l.seq FROM Reg."Loan$Events" l CROSS JOIN Reg."Other$Events" o;
CREATE PROJECTION Pins AS SELECT LAST(data.pin) AS pin FROM Reg."Loan$Events";
CREATE EVENTSTORE prod WITH (durable.type = 'memory');
`);

function column(name: string, type: Type, sensitive = false): Column {
  return { name, type, nullable: true, sensitive };
}
const text: Type = { kind: 'STRING' };
const loan = findBlock(registry.catalog, 'aggregate', 'Loan');
const scope: BindScope = {
  cleared: false,
  tables: [
    {
      name: 'wanted',
      columns: [
        column('column1', text),
        column('column2', text),
        column('column3', { kind: 'DECIMAL', precision: 5, scale: 2 }),
      ],
    },
    {
      name: 'odd t',
      columns: [
        column('column1', text),
        column('column2', text),
        column('column3', { kind: 'DECIMAL', precision: 5, scale: 2 }),
      ],
    },
    { name: 'repayments', columns: [column('SUM', { kind: 'INT' }), column('loan_id', text)] },
    { name: 'narrow', columns: [column('a', text), column('b', text)] },
    { name: 'unlike', columns: [column('loan_id', text), column('a', text), column('sum', text)] },
    { name: 'swapped', columns: [column('who', text), column('loan_id', text), column('a', text)] },
    { name: 'wrong', columns: [column('loan_id', text), column('who', { kind: 'BOOLEAN' }), column('sum', text)] },
    { name: 'secret', columns: [column('loan_id', text), column('who', text, true), column('sum', text)] },
    { name: 'granted', columns: [...eventColumns(loan?.payload ?? []), column('rejection', text)] },
  ],
};

/** A value in short. */
function show(value: TypedExpression): string {
  return value.kind === 'literal' ? `${value.type.kind} ${String(value.value)}` : value.kind;
}

function execute(source: string, ...expected: readonly string[]): void {
  test(source, () => {
    const source_ = marked(source);
    const [statement] = statementsOf(source_.file);
    assert.ok(statement?.kind === 'Execute');
    const bound = bindExecute(registry, statement, caller);
    if (bound.value === undefined) {
      assertDiagnostics(bound.diagnostics, source_, expected);
      return;
    }
    const { command, decision, arguments: given, options } = bound.value;
    assert.equal(
      [
        `${command} ${decision}`,
        ...given.map(({ field, value }) => `${field}: ${show(value)}`),
        ...options.map(({ name, value }) => `${name} = ${show(value)}`),
      ],
      expected,
    );
  });
}

execute(
  "EXECUTE Grant_(loan_id := 'L', who := 'A' || 'b', sum := 12.5);",
  'Grant_ GrantLoan',
  'loan_id: STRING L',
  'who: call',
  'sum: DECIMAL 12.50',
);
execute(
  "EXECUTE repay(LOAN_ID := 'L', sum := '-0.01', at := '2026-01-01', pin := NULL) WITH (command_id = 'c', expected_seq = 0);",
  'Repay RepayLoan',
  'loan_id: STRING L',
  'sum: DECIMAL -0.01',
  'at: TIMESTAMP 2026-01-01T00:00:00.000000Z',
  'pin: STRING null',
  'command_id = STRING c',
  'expected_seq = INT 0',
);
execute("EXECUTE «Grnt_»(loan_id := 'L');", "E0201 there is no command 'Grnt_'; did you mean 'Grant_'?");
execute("EXECUTE «Idle»(id := 'x');", 'E0906');
execute("EXECUTE «Grant_»(loan_id := 'L', sum := 1);", "E0902 command 'Grant_' needs 'who', which takes STRING");
execute("EXECUTE Grant_(loan_id := 'L', «whom» := 'A', sum := 1);", 'E0901');
execute(
  "EXECUTE Grant_(loan_id := 'L', who := 'A', sum := «1.005»);",
  "E0907 'sum' of command 'Grant_' takes DECIMAL(10,2), not 1.005",
);
execute(
  "EXECUTE Grant_(loan_id := «''», who := «5», sum := «'ten'»);",
  'E0907',
  "E0907 'who' of command 'Grant_' takes STRING, not 5",
  "E0907 'sum' of command 'Grant_' takes DECIMAL(10,2), not 'ten'",
);
execute(
  "EXECUTE Repay(loan_id := 'L', sum := «NULL», note := «NULL», pin := «5», at := «TRUE»);",
  "E0911 'sum' of command 'Repay' may not be NULL",
  "E0911 'note' of command 'Repay' may not be NULL",
  "E0907 'pin' of command 'Repay' takes STRING, not this value",
  "E0907 'at' of command 'Repay' takes TIMESTAMP (as 2026-01-31T08:00:00Z), not TRUE",
);
execute(
  "EXECUTE Grant_(loan_id := 'L', who := 'A', sum := 1, «sum» := 2) WITH («colour» = 'red', command_id = «''», expected_seq = «-1», correlation_id = «5»);",
  "E0413 'sum' is assigned twice",
  'E0904',
  "E0905 option 'command_id' takes a text that is not empty",
  "E0905 option 'expected_seq' takes a whole number from 0",
  "E0905 option 'correlation_id' takes a text that is not empty",
);

function showBound<T>(bound: Bound<T>, value: (bound: T) => readonly string[]): readonly string[] {
  return bound.value === undefined ? messagesOf(bound) : value(bound.value);
}

function table(source: string, ...expected: readonly string[]): void {
  test(source, () => {
    const [statement] = statementsOf(source);
    assert.ok(statement?.kind === 'CreateTable');
    assert.equal(
      showBound(bindTable(registry, statement, scope), ({ columns }) => columns.map(showColumn)),
      expected,
    );
  });
}

table(
  "CREATE TABLE t AS VALUES ('L1', 1, 100.00), ('L2', NULL, 2.5);",
  'column1 STRING',
  'column2 INT?',
  'column3 DECIMAL(5,2)',
);
table("CREATE TABLE t (a, b) AS VALUES (1, DATE '2026-01-01'), (3000000000, '2026-02-01');", 'a BIGINT', 'b DATE');
table(
  'CREATE TABLE t AS SELECT 1 + 1, loan, UPPER(loan) FROM Reg.OpenLoans;',
  'column1 INT',
  'loan STRING',
  'upper STRING',
);
table('CREATE TABLE t AS SELECT data.pin, column1 FROM Reg.Loan$Events, wanted;', 'pin STRING?!', 'column1 STRING?');
table('CREATE TABLE t AS VALUES (1, 2), (3);', 'E0614 row 2 of VALUES has 1 value, the first has 2');
table('CREATE TABLE t (a) AS VALUES (1, 2);', 'a INT', 'column2 INT');
table('CREATE TABLE t (column2) AS VALUES (1, 2);', "E0216 't' has two columns called 'column2'; give one an alias");
table('CREATE TABLE t (a, b, c) AS VALUES (1, 2);', "E0613 't' has 2 columns, and 3 are named");
table("CREATE TABLE t AS VALUES (1), ('x');", "E0303 'x' is not a valid INT");
table('CREATE TABLE t AS SELECT 1 AS a, 2 AS a;', "E0216 't' has two columns called 'a'; give one an alias");

function inspectDecision(source: string, ...expected: readonly string[]): void {
  test(source, () => {
    const [statement] = statementsOf(source);
    assert.ok(statement?.kind === 'InspectDecision');
    const shown = showBound(bindInspectDecision(registry, statement, scope), (bound) => [
      `${bound.decision} into ${bound.target}`,
      ...bound.source.columns.map((read, index) => {
        const item = bound.source.body.kind === 'select' ? bound.source.body.items[index] : undefined;
        return `${bound.fields[index] ?? ''} from ${item?.kind === 'column' ? item.column : ''} ${showColumn(read)}`;
      }),
    ]);
    assert.equal(shown, expected);
  });
}

inspectDecision(
  'INSPECT DECISION GrantLoan FROM wanted INTO t;',
  'GrantLoan into t',
  'loan_id from column1 loan_id STRING?',
  'who from column2 who STRING?',
  'sum from column3 sum DECIMAL(5,2)?',
);
inspectDecision(
  'INSPECT DECISION repayloan FROM repayments INTO t;',
  'RepayLoan into t',
  'loan_id from loan_id loan_id STRING?',
  'sum from SUM sum INT?',
);
inspectDecision(
  'INSPECT DECISION GrantLoan FROM narrow INTO t;',
  "E0908 INSPECT DECISION GrantLoan: the source has no column for 'sum' (it has 2)",
);
inspectDecision(
  'INSPECT DECISION GrantLoan FROM unlike INTO t;',
  "E0902 command 'Grant_' needs 'who', which takes STRING",
);
inspectDecision(
  'INSPECT DECISION GrantLoan FROM swapped INTO t;',
  "E0902 command 'Grant_' needs 'sum', which takes DECIMAL(10,2)",
);
inspectDecision(
  'INSPECT DECISION GrantLoan FROM wrong INTO t;',
  "E0907 'who' of command 'Grant_' takes STRING, not BOOLEAN",
);
inspectDecision(
  'INSPECT DECISION GrantLoan FROM secret INTO t;',
  "E0701 field 'who' is not SENSITIVE and cannot take a value that derives from who",
);
inspectDecision(
  'INSPECT DECISION GrantLoan FROM wanted INTO "odd t";',
  "E0210 'odd t' cannot name the target of an inspection: a letter or _, then at most 62 letters, digits or _",
);
inspectDecision(
  'INSPECT DECISION GrantLoan FROM "odd t" INTO t;',
  "E0210 'odd t' cannot name the table that an inspection reads: a letter or _, then at most 62 letters, digits or _",
);
inspectDecision(
  'INSPECT DECISION Nope FROM nowhere INTO t;',
  "E0201 there is no decision 'Nope'; there is GrantLoan, RepayLoan",
  "E0206 there is no relation 'nowhere'",
);
inspectDecision(
  'INSPECT DECISION GrantLoan FROM wanted INTO Reg."Loan$Events" USING EVENTSTORE prud;',
  "E0909 'Reg.Loan$Events' cannot be the target; INTO names a session table",
  "E0201 there is no event store 'prud'; did you mean 'prod'?",
);
inspectDecision(
  'INSPECT DECISION RepayLoan FROM Reg."Loan$Agg" INTO t;',
  "E0902 command 'Repay' needs 'sum', which takes DECIMAL(10,2)",
);

function inspectProjection(source: string, ...expected: readonly string[]): void {
  test(source, () => {
    const [statement] = statementsOf(source);
    assert.ok(statement?.kind === 'InspectProjection');
    const shown = showBound(bindInspectProjection(registry, statement, scope), (bound) => [
      `${bound.projection} into ${bound.target}${bound.rebuild ? ', rebuilt' : ''}`,
      ...bound.query.columns.map(showColumn),
    ]);
    assert.equal(shown, expected);
  });
}

inspectProjection(
  'INSPECT PROJECTION OpenLoans FROM granted INTO t;',
  'OpenLoans into t',
  'loan STRING',
  'open_sum DECIMAL(18,2)?',
);
inspectProjection(
  'INSPECT PROJECTION OpenLoans FROM Reg."Loan$Events" INTO t OFFSET 5 WHERE event_type = \'Granted\' AND data.sum > 1 LIMIT 10;',
  'OpenLoans into t',
  'loan STRING',
  'open_sum DECIMAL(18,2)?',
);
inspectProjection(
  'INSPECT PROJECTION OpenLoans FROM Reg."Loan$Events" INTO Reg."OpenLoans";',
  'OpenLoans into OpenLoans, rebuilt',
  'loan STRING',
  'open_sum DECIMAL(18,2)?',
);
inspectProjection(
  'INSPECT PROJECTION States FROM granted INTO t;',
  'States into t',
  'aggregate_id STRING',
  'loan_id STRING',
  'open_sum DECIMAL(10,2)?',
);
inspectProjection('INSPECT PROJECTION Large FROM granted INTO t;', 'Large into t', 'loan STRING');
inspectProjection('INSPECT PROJECTION Both FROM granted INTO t;', 'Both into t', 'seq BIGINT');
inspectProjection('INSPECT PROJECTION Pins FROM granted INTO t;', 'Pins into t', 'pin STRING?!');
inspectProjection(
  'INSPECT PROJECTION OpenLoans FROM wanted INTO t;',
  "E0910 INSPECT PROJECTION OpenLoans: 'wanted' holds no events",
);
inspectProjection(
  'INSPECT PROJECTION OpenLoans FROM Reg."Other$Events" INTO t;',
  "E0910 INSPECT PROJECTION OpenLoans: it does not read 'Other$Events'",
);
inspectProjection(
  'INSPECT PROJECTION OpenLoans FROM granted INTO Reg."Large";',
  "E0909 'Reg.Large' cannot be the target; INTO names a session table",
);
inspectProjection(
  "INSPECT PROJECTION OpenLoans FROM granted INTO t WHERE data.pin = 'x';",
  "E0702 'data.pin' is sensitive and not allowed in WHERE; it can only be selected, and is masked",
);

test.run();
