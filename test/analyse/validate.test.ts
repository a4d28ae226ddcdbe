import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { atOnce } from '../../language/source/steps.ts';
import { validateInSteps } from '../../compiler/analyse/validate/validate-registry.ts';
import { compile } from './language.ts';

function findings(text: string): readonly string[] {
  return atOnce(validateInSteps(compile(text).catalog)).map(
    ({ severity, code, message }) => `${severity} ${code} ${message}`,
  );
}

test('unused and unreachable blocks are warned about', () => {
  assert.equal(
    findings(`
CREATE AGGREGATE Tank;
CREATE AGGREGATE Idle;
CREATE COMMAND Fill (tank_id STRING, litres INT);
CREATE COMMAND Forgotten (tank_id STRING);
CREATE EVENT Filled (litres INT);
CREATE EVENT Never ();
CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);
CREATE PROJECTION Silence AS SELECT COUNT(*) AS n FROM Reg."Idle$Events";
CREATE PROJECTION Typo AS SELECT SUM(CASE event_type WHEN 'Fileld' THEN 1 WHEN 'Filled' THEN 2 END) AS n FROM Reg."Tank$Events" WHERE event_type IN ('Filled', 'Never');`),
    [
      "warning E1001 no decision decides command 'Forgotten'",
      "warning E1002 no decision emits event 'Never'",
      "warning E1003 no decision writes to aggregate 'Idle'",
      "warning E1004 projection 'Silence' reads aggregate 'Idle', which no event reaches",
      "warning E1009 projection 'Typo' compares event_type with 'Fileld', which never occurs in the relation it reads; did you mean 'Filled'?",
      "warning E1009 projection 'Typo' compares event_type with 'Never', which never occurs in the relation it reads",
    ],
  );
});

/** Guards of one decision's branches, over a command (n INT, m INT NULL, s STRING) and a state column (status STRING). */
function guards(name: string, branches: readonly string[], ...expected: readonly string[]): void {
  test(name, () => {
    const emits = branches.map((guard, index) => `BRANCH B${index + 1} SELECT EVENT Done () WHERE ${guard}`);
    const text = `CREATE AGGREGATE A; CREATE EVENT Done ();
CREATE COMMAND Do_ (id STRING, n INT, m INT NULL, s STRING, price DECIMAL(8,2));
CREATE DECISION D FOR A ON COMMAND Do_ STATE AS SELECT LAST(event_type) AS status FROM Reg."A$Events" EMIT AS ${emits.join(' UNION ALL ')};`;
    assert.equal(findings(text), expected);
  });
}

guards('a guard that can be', [':n > 0 AND :m < 5']);
guards('an empty range', [':n > 5 AND :n < 5'], "warning E1005 decision 'D': the guard of BRANCH B1 can never be true");
guards(
  'an empty range behind others',
  [":m = 1 AND :n > 5.0 AND :s = 'x' AND :n <= 5"],
  "warning E1005 decision 'D': the guard of BRANCH B1 can never be true",
);
guards(
  'two texts at once',
  ["status = 'a' AND status = 'b'"],
  "warning E1005 decision 'D': the guard of BRANCH B1 can never be true",
);
guards('compared with NULL', ['status = NULL'], "warning E1005 decision 'D': the guard of BRANCH B1 can never be true");
guards('FALSE', ['FALSE OR :n = NULL'], "warning E1005 decision 'D': the guard of BRANCH B1 can never be true");
guards(
  'two that exclude each other',
  [':n > :m AND :m >= :n'],
  "warning E1005 decision 'D': the guard of BRANCH B1 can never be true",
);
guards('literals', ['1 = 1.00'], "info E1006 decision 'D': the guard of BRANCH B1 is always true");
guards('literals that differ', ["'a' = 'b'"], "warning E1005 decision 'D': the guard of BRANCH B1 can never be true");
guards('TRUE', ['TRUE'], "info E1006 decision 'D': the guard of BRANCH B1 is always true");
guards(
  'everything, of what is never NULL',
  [':n > 1 OR :n <= 1'],
  "info E1006 decision 'D': the guard of BRANCH B1 is always true",
);
guards('everything, of what may be NULL', [':m > 1 OR :m <= 1']);
guards('branches that are whole', [':n > 0', ':n <= 0']);
guards('a gap at one number', [':n > 0', ':n < 0'], "info E1008 decision 'D': no branch covers :n = 0");
guards(
  'an overlap and a gap',
  [':n >= 0', ':n BETWEEN 0 AND 9', ':n < -5'],
  "info E1007 decision 'D': BRANCH B1 and BRANCH B2 can emit together",
  "info E1008 decision 'D': no branch covers :n = -5, -5 < :n < 0",
);
guards('decimals are compared as they are', [':price <= 1.10', ':price > 1.1']);
guards(
  'texts and the rest',
  ["status = 'open'", "status IN ('closed', 'gone')"],
  "info E1008 decision 'D': no branch covers status other than 'closed', 'gone', 'open'",
);
guards('texts and all the rest', ["status = 'open'", "NOT (status = 'open')"]);
guards('two things against each other', [':n > :m', ':m > :n'], "info E1008 decision 'D': no branch covers :m = :n");
guards('several things are not decided', [':n > 0', ":s = 'x'"]);
guards('computed things are not decided', [':n + 1 > 0', ':n + 1 < 5']);

test.run();
