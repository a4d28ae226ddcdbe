/** `Reg.meta_*` (docs/language.md#meta-relations) over a small registry, in full. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { metaRelations } from '../../language/contract/meta-relations.ts';
import { standingColumns } from '../../language/contract/standing.ts';
import { openLanguage } from './language.ts';

const registry = openLanguage(`
  --- An account,
  --- and its balance.
  CREATE AGGREGATE Account (
    --- Its number.
    account_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0 AS LAST(data.balance_after));
  CREATE AGGREGATE Audit VISIBLE WHERE HAS_ROLE('auditor') CLEAR WHERE aggregate_id = CLAIM(account);
  --- Account of the caller.
  CREATE CLAIM account STRING SENSITIVE FROM 'bank', 'account';
  CREATE CLAIM branches STRING[];
  CREATE COMMAND Deposit (account_id STRING KEY, amount DECIMAL(12,2), note VARCHAR(20) NULL, secret STRING SENSITIVE);
  CREATE COMMAND Forgotten (id INT) ALLOW WHERE HAS_ROLE('clerk') MESSAGE 'clerks only';
  CREATE EVENT Deposited (amount DECIMAL(12,2), balance_after DECIMAL(12,2), note STRING TAG, secret STRING SENSITIVE, once STRING VOLATILE);
  CREATE EVENT Refused (reason STRING VOLATILE);
  CREATE EVENT Unused () UPCAST FROM EVENT Spilt (reason STRING) AS ();
  CREATE DECISION DepositIt FOR Account ON COMMAND Deposit
    STATE AS SELECT balance FROM Reg."Account$Agg" WHERE aggregate_id = :account_id
    EMIT AS
      BRANCH Good SELECT EVENT Deposited (amount := :amount, balance_after := balance + :amount), SELECT EVENT Refused () TO Audit(:account_id) WHERE :amount > 0
      UNION ALL
      BRANCH Bad SELECT EVENT Refused (reason := 'no') WHERE :amount <= 0;
  CREATE PROJECTION Deposits AS SELECT stream_id AS id, SUM(data.amount) AS total FROM Reg."Account$Events" WHERE event_type = 'Deposited' GROUP BY stream_id;
  CREATE PROJECTION Large AS SELECT id FROM Reg."Deposits" WHERE total > 100;
  CREATE PROJECTION Everything AS SELECT d.id FROM Reg."Deposits" d JOIN Reg."Account$Agg" a ON a.aggregate_id = d.id;
  CREATE PROJECTION Refusals VISIBLE TO ALL AS SELECT stream_id FROM Reg."Audit$Events" WHERE event_type IN ('Refused', 'Deposited');
  CREATE PROJECTION Nothing AS SELECT 1 AS one;
  CREATE SUBSCRIPTION Feed AS SELECT data.amount AS amount FROM Reg."Account$Events";
  CREATE REACTION Answer ON EVENT Deposited EXECUTE Forgotten(id := 1) AFTER 2 DAYS WHERE :amount > 5;
  CREATE TEMPLATE Pair (Name STRING, Level) AS (CREATE EVENT {{Name}} (););
  CREATE EVENTSTORE here WITH (durable.type = 'memory');
  CREATE EVENTSTORE there WITH (wal.fsync = true);
`);

const tables: readonly (readonly [string, string])[] = [
  [
    'meta_aggregates',
    String.raw`[["Account",null,"An account,\nand its balance.",null,null],["Audit",null,null,"HAS_ROLE('auditor')","aggregate_id = CLAIM(account)"]]`,
  ],
  [
    'meta_aggregate_fields',
    '[["Account","account_id","STRING",true,0,"Its number."],["Account","balance","DECIMAL(12,2)",false,1,null]]',
  ],
  ['meta_commands', `[["Deposit",4,"Account",null,null,null],["Forgotten",1,null,null,null,"HAS_ROLE('clerk')"]]`],
  [
    'meta_command_fields',
    '[["Deposit","account_id","STRING",true,0,null],["Deposit","amount","DECIMAL(12,2)",false,1,null],["Deposit","note","VARCHAR(20)",false,2,null],["Deposit","secret","STRING",false,3,null],["Forgotten","id","INT",false,0,null]]',
  ],
  ['meta_events', '[["Deposited",5,"Account",null],["Refused",1,"Account, Audit",null],["Unused",0,null,null]]'],
  [
    'meta_event_fields',
    '[["Deposited","amount","DECIMAL(12,2)",false,0,null,null],["Deposited","balance_after","DECIMAL(12,2)",false,1,null,null],["Deposited","note","STRING",false,2,"TAG",null],["Deposited","secret","STRING",false,3,"SENSITIVE",null],["Deposited","once","STRING",false,4,"VOLATILE",null],["Refused","reason","STRING",false,0,"VOLATILE",null]]',
  ],
  ['meta_event_upcasts', '[["Unused","Spilt","reason STRING",null,0]]'],
  ['meta_decision_emits', '[["DepositIt","Deposited"],["DepositIt","Refused"]]'],
  [
    'meta_projections',
    JSON.stringify([
      [
        'Deposits',
        `SELECT stream_id AS id, SUM(data.amount) AS total FROM Reg."Account$Events" WHERE event_type = 'Deposited' GROUP BY stream_id`,
        'Deposited',
        ...[null, null, null, null],
      ],
      [
        'Everything',
        'SELECT d.id FROM Reg.Deposits AS d JOIN Reg."Account$Agg" AS a ON a.aggregate_id = d.id',
        'Deposited, Refused',
        ...[null, null, null, null],
      ],
      ['Large', 'SELECT id FROM Reg.Deposits WHERE total > 100', 'Deposited', null, null, null, null],
      ['Nothing', 'SELECT 1 AS one', null, null, null, null, null],
      [
        'Refusals',
        `SELECT stream_id FROM Reg."Audit$Events" WHERE event_type IN ('Refused', 'Deposited')`,
        'Refused',
        ...[null, null, 'TO ALL', null],
      ],
    ]),
  ],
  [
    'meta_claims',
    '[["account","STRING",true,"bank, account","Account of the caller."],["branches","STRING[]",false,"branches",null]]',
  ],
  ['meta_enums', '[]'],
  ['meta_enum_values', '[]'],
  ['meta_functions', '[]'],
  ['meta_function_params', '[]'],
  ['meta_templates', '[["Pair",2,null]]'],
  ['meta_template_params', '[["Pair","Name","STRING",0],["Pair","Level",null,1]]'],
  ['meta_template_instances', '[]'],
  [
    'meta_subscriptions',
    JSON.stringify([
      [
        ...['Feed', 'SELECT data.amount AS amount FROM Reg."Account$Events"', null, null, null, null],
        ...standingColumns.meta_subscriptions.map(() => null),
      ],
    ]),
  ],
  [
    'meta_reactions',
    JSON.stringify([
      [
        'Answer',
        'Deposited',
        null,
        'Forgotten',
        null,
        'CREATE REACTION Answer ON EVENT Deposited\nEXECUTE Forgotten (id := 1)\nAFTER 2 DAYS\nWHERE :amount > 5;',
        null,
        null,
        ...standingColumns.meta_reactions.map(() => null),
      ],
    ]),
  ],
  ['meta_reaction_branches', '[["Answer","1","Forgotten","AFTER 2 DAYS",null,":amount > 5",0]]'],
  ['meta_eventstores', '[["here","memory",null],["there","embedded",null]]'],
  ['meta_inspections', '[]'],
];
for (const [name, rows] of tables) test(name, () => assert.equal(registry.answer(`SELECT * FROM Reg.${name}`), rows));

test('meta_decisions', () => {
  const short = 'name, aggregate, command, has_guard, emitted_events, guard_sql, state_as_sql, waits_for';
  assert.equal(
    registry.answer(`SELECT ${short} FROM Reg.meta_decisions`),
    JSON.stringify([
      [
        'DepositIt',
        'Account',
        'Deposit',
        true,
        'Deposited, Refused',
        null,
        'SELECT balance FROM Reg."Account$Agg" WHERE aggregate_id = :account_id',
        null,
      ],
    ]),
  );
  const text = registry.registry.catalog.blocks.decision[0]?.text;
  assert.equal(registry.answer('SELECT full_sql FROM Reg.meta_decisions'), JSON.stringify([[text]]));
});

test('guard_sql of a decision with one branch', () => {
  const single = openLanguage(`
    CREATE AGGREGATE A; CREATE COMMAND C (id STRING, n INT); CREATE EVENT E ();
    CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E () WHERE :n > 0 AND :n < 9;
  `);
  assert.equal(
    single.answer('SELECT has_guard, guard_sql, state_as_sql FROM Reg.meta_decisions'),
    '[[true,":n > 0 AND :n < 9",null]]',
  );
});

test('every meta relation has a test above', () => {
  const held = [...tables.map(([name]) => name), 'meta_decisions'].sort();
  assert.equal(held, metaRelations.map(({ name }) => name).sort());
});

test.run();
