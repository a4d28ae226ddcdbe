/** The words that end the query of a subscription are names everywhere else. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { printStatement } from '../../compiler/syntax/print.ts';

/** The statement in canonical print, or the codes of its errors. */
function printed(text: string): string {
  const { statements, diagnostics } = parseScript({ name: 'a.schema', text });
  const [first] = statements;
  if (diagnostics.length > 0 || first?.statement === undefined) return diagnostics.map(({ code }) => code).join(' ');
  return printStatement(first.statement).replaceAll(/\s+/g, ' ');
}

const cases: readonly (readonly [text: string, printed: string])[] = [
  [
    'create subscription S as select seq from Reg.A$Events key seq',
    'CREATE SUBSCRIPTION S AS SELECT seq FROM Reg."A$Events" KEY seq;',
  ],
  [
    'create or replace subscription key from position 12 as select seq AS key, deliver from Reg."A$Events" AS execute where execute.key > 1 key key || deliver',
    'CREATE OR REPLACE SUBSCRIPTION key FROM POSITION 12 AS SELECT seq AS key, deliver FROM Reg."A$Events" AS execute WHERE execute.key > 1 KEY key || deliver;',
  ],
  [
    "create subscription S from timestamp '2026-01-01' as select seq from Reg.A$Events union all select seq from Reg.B$Events b with (attempts = 3)",
    'CREATE SUBSCRIPTION S FROM TIMESTAMP \'2026-01-01\' AS SELECT seq FROM Reg."A$Events" UNION ALL SELECT seq FROM Reg."B$Events" AS b WITH (attempts = 3);',
  ],
  [
    "create subscription S from start as select seq from Reg.A$Events deliver to webhook env('U') secret env('A'), env('B') with ()",
    "CREATE SUBSCRIPTION S FROM START AS SELECT seq FROM Reg.\"A$Events\" DELIVER TO WEBHOOK ENV('U') SECRET ENV('A'), ENV('B');",
  ],
  ['create subscription S from now as select seq deliver from Reg.A$Events', 'E0101'],
  ['create subscription S from then as select seq from Reg.A$Events', 'E0101'],
  // In other statements, and inside parentheses, they are aliases without AS.
  [
    'select a.seq from Reg.A$Events key join Reg.A$Events deliver on true',
    'SELECT a.seq FROM Reg."A$Events" AS key JOIN Reg."A$Events" AS deliver ON TRUE;',
  ],
  [
    'select start, now, webhook, secret, deliver from Reg.A$Events execute',
    'SELECT start, now, webhook, secret, deliver FROM Reg."A$Events" AS execute;',
  ],
  [
    'create subscription S as select (select 1 from Reg.A$Events key) from Reg.A$Events',
    'CREATE SUBSCRIPTION S AS SELECT (SELECT 1 FROM Reg."A$Events" AS key) FROM Reg."A$Events";',
  ],
];

for (const [text, expected] of cases) test(text, () => assert.is(printed(text), expected));

test.run();
