/** Folds in generated code have descriptive names. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectOf } from './compiled.ts';

const blocks = `CREATE AGGREGATE Bike (bike_id STRING KEY, station STRING, total_km BIGINT DEFAULT 0 AS SUM(data.km));
  CREATE COMMAND Rent (bike_id STRING, other_id STRING, rider STRING); CREATE EVENT Rented (rider STRING, km INT, station STRING);`;

/** The folds of a STATE, `Name { properties }` each, and the key functions of its lookups. */
async function namesOf(state: string): Promise<readonly string[]> {
  const decision = `CREATE DECISION D FOR Bike ON COMMAND Rent STATE AS ${state} EMIT AS SELECT EVENT Rented ();`;
  const files = await projectOf(`${blocks} ${decision}`);
  const text = files.find(({ path }) => path === 'decisions/D.definition.ts')?.text ?? '';
  const folds = [...text.matchAll(/^interface (\w+Fold\w*) \{([^}]*)\}/gm)].map(
    ([, name, members = '']) => `${name} { ${[...members.matchAll(/^ *(\w+):/gm)].map(([, key]) => key).join(', ')} }`,
  );
  const lookups = [...text.matchAll(/^function (keyOf\w+)\(/gm)].map(([, name = '']) => name);
  return [...folds, ...lookups.filter((name) => !/Event\d*$/.test(name))];
}

const ofStream = 'FROM Reg."Bike$Events" WHERE stream_id = :bike_id';
const cases: readonly (readonly [what: string, state: string, names: readonly string[]])[] = [
  [
    'by the columns that the query gives',
    `SELECT LAST(event_type) AS last_event, COALESCE(SUM(data.km), 0) AS total_km ${ofStream}`,
    ['BikeFold { lastEvent, totalKm }', 'keyOfBike'],
  ],
  [
    'by the columns of $Agg, whatever the decision calls them',
    'SELECT station AS here FROM Reg."Bike$Agg" WHERE bike_id = :bike_id',
    ['BikeFold { station, totalKm }', 'keyOfBike'],
  ],
  [
    'by the column that a subquery is written in, and by another key',
    `SELECT (SELECT COUNT(*) ${ofStream}) AS known, (SELECT COUNT(*) FROM Reg."Bike$Events" WHERE data.rider = :rider) AS rentals`,
    ['BikeFold { known }', 'BikeByRiderFold { rentals }', 'keyOfBike', 'keyOfBikeByRider'],
  ],
  [
    'one fold that is looked up twice',
    'SELECT a.station AS here, b.station AS there FROM Reg."Bike$Agg" a JOIN Reg."Bike$Agg" b ON b.bike_id = :other_id WHERE a.bike_id = :bike_id',
    ['BikeFold { station, totalKm }', 'keyOfBikeByBikeId', 'keyOfBikeByOtherId'],
  ],
  [
    'two folds of one stream',
    `SELECT (SELECT COUNT(*) ${ofStream}) AS known, (SELECT SUM(data.km) ${ofStream}) AS km`,
    ['BikeFold { known }', 'BikeKmFold { km }', 'keyOfBike', 'keyOfBikeKm'],
  ],
  [
    'no column of one aggregate, and a mean with its count',
    `SELECT MAX(data.km) - MIN(data.km) AS spread, AVG(data.km) AS mean, COUNT(*) + COUNT(data.km) AS n ${ofStream}`,
    ['BikeFold { greatestKm, leastKm, mean, meanCount, events, countKm }', 'keyOfBike'],
  ],
  [
    'columns that clash, or have no name to use',
    `SELECT LAST(data.km) AS a_b, FIRST(data.km) AS "aB", LAST(data.rider) AS "two words", LAST(data.station) AS "__proto__", COUNT(*) AS constructor ${ofStream}`,
    ['BikeFold { aB, aB2, lastRider, proto, constructor_ }', 'keyOfBike'],
  ],
  [
    'all streams',
    `SELECT COUNT(*) AS n FROM Reg."Bike$Events" WHERE event_type = 'Rented'`,
    ['AllBikeFold { n }', 'keyOfAllBike'],
  ],
];
for (const [what, state, names] of cases)
  test(`folds are named: ${what}`, async () => assert.equal(await namesOf(state), names));

test.run();
