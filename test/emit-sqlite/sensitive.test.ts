/** Masks (docs/language.md#sensitive-values) as SQLite computes them. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openLanguage } from './language.ts';

const login = openLanguage(
  `
  CREATE AGGREGATE Login;
  CREATE COMMAND Enrol (user_id STRING, password STRING SENSITIVE, level INT);
  CREATE COMMAND Leave (user_id STRING);
  CREATE EVENT Enrolled (hash STRING SENSITIVE, level INT SENSITIVE, plain STRING);
  CREATE EVENT Left (at STRING);
  CREATE DECISION EnrolUser FOR Login ON COMMAND Enrol
    EMIT AS SELECT EVENT Enrolled (hash := :password, level := :level, plain := 'p');
  CREATE DECISION LeaveUser FOR Login ON COMMAND Leave EMIT AS SELECT EVENT Left (at := 'now');
  CREATE PROJECTION Secrets AS
    SELECT stream_id AS who, LAST(data.hash) AS h, UPPER(LAST(data.hash)) AS p, COUNT(data.hash) AS n FROM Reg."Login$Events" GROUP BY stream_id;
  `,
  {
    Login: [
      { type: 'Enrolled', stream: 'u', data: { hash: 'hunter2', level: 3, plain: 'p' } },
      { type: 'Left', stream: 'u', data: { at: 'now' } },
      { type: 'Left', stream: 'v', data: { at: 'now' } },
    ],
  },
);

const masked: readonly (readonly [string, string])[] = [
  [
    `SELECT data.hash AS a, data.hash || '!' AS b, data.level AS c, data.plain AS d FROM Reg."Login$Events" WHERE event_type = 'Enrolled'`,
    '[["****","****",null,"p"]]',
  ],
  ['SELECT data.hash AS a FROM Reg."Login$Events" ORDER BY global_position', '[["****"],[null],[null]]'],
  [
    'SELECT data FROM Reg."Login$Events" ORDER BY global_position LIMIT 2',
    '[[{"hash":"****","level":null,"plain":"p"}],[{"at":"now"}]]',
  ],
  [
    `SELECT data->>'hash' AS h, data->>'plain' AS p FROM Reg."Login$Events" ORDER BY global_position`,
    '[["****","p"],[null,null],[null,null]]',
  ],
  [
    'SELECT x.data.hash AS h, x.data AS d FROM (SELECT data FROM Reg."Login$Events") x LIMIT 1',
    '[["****",{"hash":"****","level":null,"plain":"p"}]]',
  ],
  ['SELECT * FROM Reg."Secrets" ORDER BY who', '[["u","****","****",1],["v",null,null,0]]'],
  ['SELECT hash, plain FROM Reg."Login$Agg" ORDER BY aggregate_id', '[["****","p"],[null,null]]'],
  [
    'SELECT stream_id, LAST(data.hash) AS h, COUNT(data.hash) AS n, COUNT(*) AS c FROM Reg."Login$Events" GROUP BY stream_id ORDER BY 1',
    '[["u","****",1,2],["v",null,0,1]]',
  ],
];
for (const [query, rows] of masked) test(query, () => assert.equal(login.answer(query, { cleared: false }), rows));

test('a caller with the right sees sensitive values', () => {
  assert.equal(login.answer('SELECT h, p FROM Reg."Secrets" ORDER BY who'), '[["hunter2","HUNTER2"],[null,null]]');
  assert.equal(
    login.answer('SELECT data FROM Reg."Login$Events" LIMIT 1'),
    '[[{"hash":"hunter2","level":3,"plain":"p"}]]',
  );
});

test.run();
