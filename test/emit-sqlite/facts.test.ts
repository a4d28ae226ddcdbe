/** Facts about compiled queries and views, so that no code searches their text. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import { openLanguage } from './language.ts';

const { registry, bind } = openLanguage(`
  CREATE AGGREGATE Bike (docked STRING DEFAULT 'p$Late' AS LAST(data.place));
  CREATE AGGREGATE Ride (open BOOLEAN AS MAX(data.at) > NOW());
  CREATE EVENT Docked (place STRING, at TIMESTAMP);
  CREATE COMMAND Dock (bike STRING);
  CREATE DECISION DoDock FOR Bike ON COMMAND Dock
    EMIT AS SELECT EVENT Docked (place := 'x'), SELECT EVENT Docked () TO Ride(:bike);
  CREATE PROJECTION Fleet AS SELECT aggregate_id, 'schemac_now() and "p$Late"' AS note FROM Reg."Bike$Agg";
  CREATE PROJECTION Late AS SELECT aggregate_id FROM Reg.Fleet WHERE CURRENT_DATE > DATE '2020-01-01';
  CREATE PROJECTION Riders AS SELECT l.aggregate_id FROM Reg.Late AS l JOIN Reg."Ride$Agg" AS r ON r.aggregate_id = l.aggregate_id;
  CREATE PROJECTION Docks AS SELECT data.place AS place, COUNT(*) AS n FROM Reg."Bike$Events" GROUP BY data.place;
`);

const queries: readonly (readonly [query: string, reads: string, usesTime: boolean])[] = [
  ['SELECT 1 AS a', '', false],
  ['SELECT NOW() AS a', '', true],
  [`SELECT 'schemac_now(' AS a`, '', false],
  ['SELECT stream_id FROM Reg."Bike$Events" WHERE timestamp < CURRENT_TIMESTAMP', 'Bike$Events', true],
  ['SELECT stream_id FROM Reg."Bike$Events" ORDER BY CURRENT_DATE, seq', 'Bike$Events', true],
  ['SELECT * FROM Reg."Bike$Agg"', 'Bike$Agg', false],
  ['SELECT * FROM Reg."Ride$Agg"', 'Ride$Agg', true],
  ['SELECT * FROM Reg."Ride$Events"', 'Ride$Events', false],
  ['SELECT * FROM Reg.Fleet', 'Fleet', false],
  ['SELECT * FROM Reg.Late', 'Late', true],
  ['SELECT * FROM Reg.Riders', 'Riders', true],
  ['SELECT * FROM Reg.Docks', 'Docks', false],
  ['SELECT * FROM Reg.meta_commands', 'meta_commands', false],
  ['WITH t AS (SELECT (SELECT MAX(r.aggregate_id) FROM Reg.Riders r) AS x) SELECT x FROM t', 'Riders', true],
  ['SELECT 1 AS a WHERE EXISTS (SELECT 1 AS b FROM Reg.Docks, Reg.Fleet)', 'Docks, Fleet', false],
];

for (const [text, reads, usesTime] of queries)
  test(text, () => {
    const query = compileQuery(bind(text), registry.catalog);
    assert.equal([query.reads.join(', '), query.usesTime === true], [reads, usesTime]);
  });

test('a view depends on the views that it reads, not on every name in its text', () => {
  const { views, folds = [] } = createReadModelDefinition(registry.catalog).sqlite;
  const folded = new Map(
    folds.flatMap(({ readings, aggregate }) => readings.map(({ name }) => [name, `fold of ${aggregate}`])),
  );
  const shown = (name: string): string => folded.get(name) ?? name;
  assert.equal(
    views.flatMap(({ name, reads = [] }) => (folded.has(name) ? [] : [[name, reads.map(shown)]])),
    [
      ['a$Bike', ['fold of Bike']],
      ['a$Ride', []],
      ['p$Docks', ['fold of Bike']],
      ['p$Fleet', ['a$Bike']],
      ['p$Late', ['p$Fleet']],
      ['p$Riders', ['p$Late', 'a$Ride']],
    ],
  );
});

test.run();
