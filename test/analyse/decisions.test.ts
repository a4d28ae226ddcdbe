import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DecisionBlock } from '../../language/catalog/block.ts';
import { findBlock } from '../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { typeName } from '../../language/values/type.ts';
import { compile, showColumn } from './language.ts';

const base = `
CREATE AGGREGATE Wallet (wallet_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0 AS LAST(data.balance_after), status STRING);
CREATE COMMAND Withdraw (wallet_id STRING, amount DECIMAL(12,2), target UUID NULL, n INT DEFAULT 1);
CREATE EVENT Withdrawn (amount DECIMAL(12,2), balance_after DECIMAL(12,2), note VARCHAR(10), small INT, status STRING);
`;

function decision(rest: string): DecisionBlock {
  const { catalog } = compile(`${base}CREATE DECISION Take FOR Wallet ON COMMAND Withdraw ${rest};`);
  const found = findBlock(catalog, 'decision', 'Take');
  if (found === undefined) throw new Error('no decision');
  return found;
}

/** An expression in short: casts with their mode, calls by name. */
function show(expression: TypedExpression): string {
  switch (expression.kind) {
    case 'literal':
      return `${typeName(expression.type)} ${String(expression.value)}`;
    case 'argument':
      return `:${expression.name}`;
    case 'state':
      return expression.name;
    case 'call':
      return `${expression.function}(${expression.arguments.map(show).join(', ')})`;
    case 'cast':
      return `${expression.mode}(${show(expression.operand)} ${typeName(expression.type)})`;
    default:
      return expression.kind;
  }
}

test('each field of the event takes a value of its type', () => {
  const { branches } = decision(
    `STATE AS SELECT balance FROM Reg."Wallet$Agg" WHERE aggregate_id = :wallet_id EMIT AS SELECT EVENT Withdrawn (amount := 5, balance_after := balance - :amount, note := :target, small := :amount) WHERE balance >= :amount`,
  );
  assert.equal(
    branches[0]?.emits[0]?.fields.map(({ name, value }) => `${name}: ${show(value)}`),
    [
      'amount: DECIMAL(12,2) 5.00',
      'balance_after: assign(subtract(balance, :amount) DECIMAL(12,2))',
      'note: assign(:target VARCHAR(10))',
      'small: assign(:amount INT)',
      'status: STRING null',
    ],
  );
});

test('TO sends an event to another stream', () => {
  const { branches } = decision(
    `EMIT AS SELECT EVENT Withdrawn (amount := :amount), SELECT EVENT Withdrawn () TO wallet(:target), SELECT EVENT Withdrawn () TO Wallet(:n)`,
  );
  assert.equal(
    branches[0]?.emits.map(({ aggregate, stream }) => [aggregate, stream === undefined ? '' : show(stream)]),
    [
      ['Wallet', ''],
      ['Wallet', 'explicit(:target STRING)'],
      ['Wallet', 'explicit(:n STRING)'],
    ],
  );
});

// A plain lookup of $Agg, for which a stream without events gives the DEFAULTs
for (const [state, key] of [
  ['SELECT balance FROM Reg."Wallet$Agg" WHERE aggregate_id = :wallet_id', ':wallet_id'],
  ['SELECT w.balance AS b, w.status FROM Reg."Wallet$Agg" w WHERE :wallet_id = w.wallet_id', ':wallet_id'],
  ['SELECT * FROM Reg."Wallet$Agg" WHERE aggregate_id = UPPER(:wallet_id)', 'UPPER(:wallet_id)'],
  ['SELECT balance FROM Reg."Wallet$Agg" WHERE aggregate_id = :target', ':target'],
  ['SELECT balance + 1 AS b FROM Reg."Wallet$Agg" WHERE aggregate_id = :wallet_id', undefined],
  ['SELECT balance FROM Reg."Wallet$Agg" WHERE aggregate_id = :wallet_id AND balance > 1', undefined],
  ['SELECT balance FROM Reg."Wallet$Agg" WHERE status = :wallet_id', undefined],
  ['SELECT balance FROM Reg."Wallet$Agg" WHERE aggregate_id = wallet_id', undefined],
  ['SELECT MAX(balance) AS b FROM Reg."Wallet$Agg" WHERE aggregate_id = :wallet_id', undefined],
  ['SELECT balance FROM Reg."Wallet$Agg" WHERE aggregate_id = :wallet_id LIMIT 1', undefined],
  ['SELECT balance FROM Reg."Wallet$Agg"', undefined],
] as const) {
  test(state, () => {
    const { stateDefaults } = decision(`STATE AS ${state} EMIT AS SELECT EVENT Withdrawn (amount := :amount)`);
    assert.is(stateDefaults === undefined ? undefined : show(stateDefaults.key), key);
  });
}

test('columns of STATE are NOT NULL only when there is always a row', () => {
  const nullable = (state: string): unknown => {
    const { branches } = decision(`STATE AS ${state} EMIT AS SELECT EVENT Withdrawn () WHERE n IS NOT DISTINCT FROM n`);
    const guard = branches[0]?.guard;
    return guard?.kind === 'call' ? guard.arguments[0]?.nullable : undefined;
  };
  assert.is(nullable('SELECT COUNT(*) AS n FROM Reg."Wallet$Events"'), false);
  assert.is(nullable('SELECT SUM(seq) AS n FROM Reg."Wallet$Events"'), true);
  assert.is(nullable('SELECT COUNT(*) AS n FROM Reg."Wallet$Events" GROUP BY stream_id'), true);
  assert.is(nullable('SELECT COUNT(*) AS n FROM Reg."Wallet$Events" HAVING COUNT(*) > 1'), true);
  assert.is(nullable('SELECT COUNT(*) AS n FROM Reg."Wallet$Events" LIMIT 0'), true);
  assert.is(nullable('SELECT seq AS n FROM Reg."Wallet$Events"'), true);
  assert.is(nullable('SELECT balance AS n FROM Reg."Wallet$Agg" WHERE aggregate_id = :wallet_id'), false);
  assert.is(nullable('SELECT balance AS n FROM Reg."Wallet$Agg" WHERE aggregate_id = :wallet_id LIMIT 1'), true);
  assert.is(nullable('SELECT status AS n FROM Reg."Wallet$Agg" WHERE aggregate_id = :wallet_id'), true);
  assert.is(nullable('SELECT wallet_id AS n FROM Reg."Wallet$Agg" WHERE aggregate_id = :wallet_id'), true);
  assert.is(nullable('SELECT 1 AS n'), false);
  assert.is(nullable('SELECT 1 AS n WHERE FALSE'), true);
});

test('the state that the catalog keeps has the columns of its query', () => {
  const { state, stateText } = decision(
    'state as select  Status, balance from reg.wallet$agg where aggregate_id=:wallet_id EMIT AS SELECT EVENT Withdrawn ()',
  );
  assert.equal(state?.columns.map(showColumn), ['Status STRING?', 'balance DECIMAL(12,2)']);
  assert.match(stateText ?? '', /^SELECT Status, balance FROM /);
});

test('a branch id is stable, and changes with any part of the branch', () => {
  const id = (rest: string): string => decision(`EMIT AS ${rest}`).branches.at(-1)?.id ?? '';
  const one = id('BRANCH A SELECT EVENT Withdrawn (amount := 1) WHERE :n > 1');
  assert.match(one, /^b_[0-9a-f]{16}$/);
  assert.is(one, id('branch A select event Withdrawn ( amount := 1 ) -- the same\n where :n > 1'));
  const others = [
    id('BRANCH B SELECT EVENT Withdrawn (amount := 1) WHERE :n > 1'),
    id('SELECT EVENT Withdrawn (amount := 1) WHERE :n > 1'),
    id('BRANCH A SELECT EVENT Withdrawn (amount := 1) WHERE :n > 2'),
    id('BRANCH A SELECT EVENT Withdrawn (amount := 1)'),
    id('BRANCH A SELECT EVENT Withdrawn (small := 1) WHERE :n > 1'),
    id('BRANCH A SELECT EVENT Withdrawn (amount := 1), SELECT EVENT Withdrawn () WHERE :n > 1'),
    id(
      'BRANCH A SELECT EVENT Withdrawn (amount := 1) WHERE :n > 1 UNION ALL BRANCH A SELECT EVENT Withdrawn (amount := 1) WHERE :n > 1',
    ),
  ];
  assert.is(new Set([one, ...others]).size, others.length + 1);
});

test('a numeric stream id is compared as text', () => {
  const { catalog } = compile(`
CREATE AGGREGATE A;
CREATE COMMAND C (id BIGINT, other INT);
CREATE EVENT E ();
CREATE DECISION D FOR A ON COMMAND C STATE AS SELECT COUNT(*) AS n FROM Reg."A$Events" WHERE stream_id = :id EMIT AS SELECT EVENT E ();`);
  const body = findBlock(catalog, 'decision', 'D')?.state?.body;
  assert.is(
    body?.kind === 'select' && body.where !== undefined ? show(body.where) : '',
    'equal(column, explicit(:id STRING))',
  );
});

test('the state of an aggregate', () => {
  const { catalog } = compile(
    `${base}CREATE DECISION Take FOR Wallet ON COMMAND Withdraw EMIT AS SELECT EVENT Withdrawn (amount := :amount);`,
  );
  const wallet = findBlock(catalog, 'aggregate', 'Wallet');
  assert.equal(wallet?.state.columns.map(showColumn), [
    'aggregate_id STRING',
    'wallet_id STRING',
    'balance DECIMAL(12,2)',
    'status STRING?',
  ]);
  assert.equal([wallet?.initial, wallet?.keyField], [[{ column: 'balance', value: '0.00' }], 'wallet_id']);
});

test.run();
