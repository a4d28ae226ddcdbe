/**
 * Errors that only follow from another block's are not reported: each block of a domain is damaged at each of its words, and if it has an error
 * of its own, no other block has one.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles } from '../../compiler/compile.ts';

/** Every kind of block, each named by blocks of every kind that can name it. */
const blocks: Readonly<Record<string, string>> = {
  'enum Hue': "CREATE ENUM Hue AS ('red', 'blue');",
  'function doubled':
    "CREATE FUNCTION doubled (litres INT, hue Hue) RETURNS INT AS CASE WHEN hue = 'red' THEN litres * 2 ELSE litres END;",
  'function tripled': "CREATE FUNCTION tripled (litres INT) RETURNS INT AS doubled(litres, 'red') + litres;",
  'aggregate Tank': `CREATE AGGREGATE Tank (tank_id STRING KEY, hue Hue DEFAULT 'red' AS LAST(data.hue), litres INT DEFAULT 0 AS SUM(tripled(data.litres)));`,
  'aggregate Well': 'CREATE AGGREGATE Well;',
  'command Fill':
    "CREATE COMMAND Fill (tank_id STRING, litres INT CHECK (tripled(litres) > 0), hue Hue NULL CHECK (hue <> 'blue'));",
  'command Drain': "CREATE COMMAND Drain (well_id STRING, litres INT DEFAULT 1, hue Hue DEFAULT 'red');",
  'event Filled':
    "CREATE EVENT Filled (litres INT, hue Hue, doubled INT) UPCAST FROM (amount INT, hue Hue) AS (litres := tripled(amount), hue := 'red', doubled := doubled(amount, hue));",
  'event Drained':
    'CREATE EVENT Drained (litres INT, hue Hue) UPCAST FROM EVENT Emptied (litres INT, hue STRING) AS (hue := CAST(hue AS Hue));',
  'decision Pour': `CREATE DECISION Pour FOR Tank ON COMMAND Fill STATE AS SELECT litres, hue FROM Reg."Tank$Agg" WHERE tank_id = :tank_id
    EMIT AS BRANCH Full SELECT EVENT Filled (litres := tripled(:litres), hue := COALESCE(:hue, hue)) WHERE litres < 10
    UNION ALL BRANCH Over SELECT EVENT Drained (litres := 1) TO Well('w') WHERE litres >= 10;`,
  'decision Sink':
    'CREATE DECISION Sink FOR Well ON COMMAND Drain EMIT AS SELECT EVENT Drained (litres := :litres, hue := :hue);',
  'projection Levels':
    'CREATE PROJECTION Levels AS SELECT tank_id, hue, tripled(litres) AS litres FROM Reg."Tank$Agg" ORDER BY tank_id;',
  'projection Sums':
    'CREATE PROJECTION Sums AS SELECT l.hue, SUM(l.litres) AS litres, COUNT(e.data.litres) AS n FROM Reg."Levels" l JOIN Reg."Tank$Events" e ON e.stream_id = l.tank_id WHERE e.data.hue = \'red\' GROUP BY l.hue;',
  'subscription Feed':
    'CREATE SUBSCRIPTION Feed AS SELECT stream_id AS tank, data.litres, tripled(data.litres) AS more, data.hue FROM Reg."Tank$Events" WHERE data.hue = \'red\' UNION ALL SELECT stream_id, data.litres, data.litres, data.hue FROM Reg."Well$Events" KEY tank;',
  'reaction Again': `CREATE REACTION Again FROM START ON EVENT Filled OF Tank STATE AS SELECT litres FROM Reg."Levels" WHERE tank_id = :stream_id
    BRANCH Now EXECUTE Drain (well_id := :stream_id, litres := tripled(:litres) + litres, hue := :hue) AFTER 2 SECONDS UNLESS EVENT Filled;`,
  'template Counter': `CREATE TEMPLATE Counter (Entity) AS (CREATE PROJECTION {{Entity}}Count AS SELECT COUNT(*) AS n, MAX(data.litres) AS most FROM Reg."{{Entity}}$Events";);`,
  'its application': `APPLY TEMPLATE Counter WITH (Entity = 'Tank');`,
  'projection Most': 'CREATE PROJECTION Most AS SELECT n + most AS n FROM Reg."TankCount";',
};

const errorsOf = (texts: Readonly<Record<string, string>>): readonly string[] =>
  compileFiles(Object.entries(texts).map(([name, text]) => ({ name, text })))
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ span, code, message }) => `${span.file.name}: ${code} ${message}`);

test('the domain has no errors', () => {
  assert.equal(errorsOf(blocks), []);
});

for (const [name, text] of Object.entries(blocks))
  test(`an error of ${name} is told alone`, () => {
    const words: readonly string[] = text.match(/'[^']*'|"[^"]*"|[A-Za-z_$][\w$]*|\d+|\s+|./g) ?? [];
    // Behind the three words that say which block it is: with another name it is another block.
    const [, , nameAt = -1] = words.flatMap((word, at) => (word.trim() === '' ? [] : [at]));
    const followed: string[] = [];
    for (const [at, word] of words.entries()) {
      if (at <= nameAt || word.trim() === '') continue;
      for (const instead of ['', 'nonsense', `${word} ${word}`]) {
        const damaged = words.with(at, instead).join('');
        const errors = errorsOf({ ...blocks, [name]: damaged });
        const own = errors.filter((error) => error.startsWith(`${name}: `));
        const others = errors.filter((error) => !error.startsWith(`${name}: `));
        if (own.length > 0 && others.length > 0) followed.push(damaged, ...own, ...others.map((error) => `  ${error}`));
      }
    }
    assert.equal(followed, []);
  });

test.run();
