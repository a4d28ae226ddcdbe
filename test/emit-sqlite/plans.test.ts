/** Query plans of SQLite: lookups by stream and by tag use their indexes, in every form of query. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findBlock } from '../../language/catalog/catalog.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileAggregateQueries, compileProjectionQuery } from '../../compiler/emit/standard-queries.ts';
import { openReadModel, type History } from './database.ts';
import { openLanguage, stateRows } from './language.ts';

const history: History = {
  User: [
    { type: 'Joined', stream: 's1', data: { username: 'Ann', n: 1 } },
    { type: 'Joined', stream: 's2', data: { username: 'Bo', n: 2 } },
    { type: 'Joined', stream: 's1', data: { username: 'ANN', n: 3 } },
  ],
};
const users = openLanguage(
  `
  CREATE AGGREGATE User (user_id STRING KEY, username STRING, n INT DEFAULT 7, sum BIGINT DEFAULT 0 AS SUM(data.n));
  CREATE COMMAND SignUp (user_id STRING KEY, username STRING);
  CREATE COMMAND Idle (user_id STRING, least INT);
  CREATE EVENT Joined (username STRING TAG, n INT);
  CREATE DECISION SignUpUser FOR User ON COMMAND SignUp
    STATE AS SELECT COUNT(*) AS taken FROM Reg."User$Events" WHERE 'username:' || LOWER(:username) = ANY(tags)
    EMIT AS SELECT EVENT Joined (username := :username) WHERE taken = 0;
  CREATE DECISION IdleUser FOR User ON COMMAND Idle
    STATE AS SELECT u.sum AS sum, u.n AS n, e.events AS events
      FROM Reg."User$Agg" u
      LEFT JOIN (SELECT stream_id, COUNT(*) AS events FROM Reg."User$Events" WHERE data.n >= :least GROUP BY stream_id) e ON e.stream_id = u.aggregate_id
      WHERE u.user_id = :user_id
    EMIT AS SELECT EVENT Joined () WHERE sum > 0;
  CREATE PROJECTION Sums AS SELECT aggregate_id AS id, sum FROM Reg."User$Agg" ORDER BY n;
  `,
  history,
);

const searched: readonly (readonly [string, RegExp, string])[] = [
  [
    'SELECT COUNT(*) AS c FROM Reg."User$Events" WHERE stream_id = \'s1\'',
    /SEARCH r\d+ USING (COVERING )?INDEX e\$User\$stream/,
    '[[2]]',
  ],
  [
    'SELECT n, sum FROM Reg."User$Agg" WHERE aggregate_id = \'s1\'',
    /SEARCH r\d+ USING INDEX e\$User\$stream/,
    '[[3,4]]',
  ],
  ['SELECT n, sum FROM Reg."User$Agg" WHERE user_id = \'s1\'', /SEARCH r\d+ USING INDEX e\$User\$stream/, '[[3,4]]'],
  ['SELECT sum FROM Reg."Sums" WHERE id = \'s2\'', /SEARCH r\d+ USING INDEX e\$User\$stream/, '[[2]]'],
  [
    'SELECT (SELECT sum FROM Reg."User$Agg" WHERE aggregate_id = \'s1\') AS s',
    /SEARCH r\d+ USING INDEX e\$User\$stream/,
    '[[4]]',
  ],
  [
    'SELECT seq FROM Reg."User$Events" WHERE \'username:ann\' = ANY(tags) AND seq > 1',
    /SEARCH t USING PRIMARY KEY \(tag=\?\)/,
    '[[2]]',
  ],
  ['SELECT data.n FROM Reg."User$Events" WHERE global_position = 2', /SEARCH r\d+ USING INTEGER PRIMARY KEY/, '[[2]]'],
];
for (const [query, step, rows] of searched) {
  test(query, () => {
    assert.match(users.plan(query), step);
    assert.equal(users.answer(query), rows);
  });
}

const tagged: readonly (readonly [string, string])[] = [
  [
    `SELECT 'username:ann' = ANY(tags) AS t, tags FROM Reg."User$Events" ORDER BY seq, stream_id`,
    '[[true,["username:ann"]],[false,["username:bo"]],[true,["username:ann"]]]',
  ],
  [`SELECT COUNT(*) AS c FROM Reg."User$Events" WHERE NOT 'username:ann' = ANY(tags)`, '[[1]]'],
  [
    `SELECT COUNT(*) AS c FROM Reg."User$Events" WHERE 'username:ann' = ANY(tags) OR 'username:bo' = ANY(tags)`,
    '[[3]]',
  ],
  ['SELECT COUNT(*) AS c FROM Reg."User$Events" WHERE NULL = ANY(tags)', '[[0]]'],
  ['SELECT COUNT(*) AS c FROM Reg."User$Events" WHERE (NULL = ANY(tags)) IS NULL', '[[3]]'],
  [`SELECT COUNT(*) FILTER (WHERE 'username:bo' = ANY(tags)) AS c FROM Reg."User$Events"`, '[[1]]'],
  [`SELECT COUNT(*) AS c FROM Reg."User$Events" a JOIN Reg."User$Events" b ON 'username:bo' = ANY(b.tags)`, '[[3]]'],
];
for (const [query, rows] of tagged) test(query, () => assert.equal(users.answer(query), rows));

test('STATE with the fields of a command', () => {
  assert.equal(stateRows(users.registry, 'SignUpUser', history, { user_id: 'x', username: 'aNN' }), '[[2]]');
  assert.equal(stateRows(users.registry, 'SignUpUser', history, { user_id: 'x', username: 'an' }), '[[0]]');
  assert.equal(stateRows(users.registry, 'IdleUser', history, { user_id: 's1', least: 2 }), '[[4,3,1]]');
  assert.equal(stateRows(users.registry, 'IdleUser', history, { user_id: 'nobody', least: 2 }), '[]');
});

test('the queries of an aggregate and of a projection', () => {
  const { catalog } = users.registry;
  const aggregate = findBlock(catalog, 'aggregate', 'User');
  const projection = findBlock(catalog, 'projection', 'Sums');
  if (aggregate === undefined || projection === undefined) throw new Error('the schema above has both');
  const { all, one } = compileAggregateQueries(catalog, aggregate);
  const sums = compileProjectionQuery(catalog, projection);
  const model = openReadModel(createReadModelDefinition(catalog), history);
  assert.equal(model.run(all), [
    ['s1', 's1', 'ANN', 3, 4n],
    ['s2', 's2', 'Bo', 2, 2n],
  ]);
  assert.equal(model.run(one, { aggregate_id: 's2' }), [['s2', 's2', 'Bo', 2, 2n]]);
  assert.equal(model.run(one, { aggregate_id: 'nobody' }), []);
  assert.equal(model.run(sums), [
    ['s2', 2n],
    ['s1', 4n],
  ]);
  assert.equal(
    [all, one, sums].map(({ columns, parameters, reads }) => [
      columns.map(({ name }) => name),
      parameters.map(({ name }) => name),
      reads,
    ]),
    [
      [['aggregate_id', 'user_id', 'username', 'n', 'sum'], [], ['User$Agg']],
      [['aggregate_id', 'user_id', 'username', 'n', 'sum'], ['aggregate_id'], ['User$Agg']],
      [['id', 'sum'], [], ['Sums']],
    ],
  );
  model.close();
});

test('a STATE over columns with the same name', () => {
  const scores = openLanguage(`
    CREATE AGGREGATE Score;
    CREATE COMMAND Note (score_id STRING, x INT);
    CREATE EVENT Noted (x INT, y INT);
    CREATE DECISION NoteIt FOR Score ON COMMAND Note
      STATE AS SELECT s.low, s.high FROM (SELECT * FROM (SELECT SUM(data.x), SUM(data.y) FROM Reg."Score$Events") t) AS s(low, high)
      EMIT AS SELECT EVENT Noted (x := :x, y := high::INT);
  `);
  const noted = [{ type: 'Noted', stream: 's', data: { x: 1, y: 101 } }];
  assert.equal(stateRows(scores.registry, 'NoteIt', { Score: noted }, { score_id: 's', x: 7 }), '[[1,101]]');
});

test.run();
