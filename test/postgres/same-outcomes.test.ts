import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startDatabase } from '../kit/database.ts';
import { root } from '../kit/tool.ts';
import { compareOutcomes } from './same-outcomes.ts';

const database = await startDatabase();
const schema = readFileSync(`${root}test/http/bike.schema`, 'utf8');
const script = `${schema}
EXECUTE RegisterBike(bike_id := 'B-1', model := 'city', price := 3.50, code := 'x');
EXECUTE RegisterBike(bike_id := 'B-1', model := 'city', price := 3.50, code := 'x');
EXECUTE RentBike(bike_id := 'B-1', rider := 'Ada') WITH (command_id = 'once');
EXECUTE RentBike(bike_id := 'B-1', rider := 'Ada') WITH (command_id = 'once');
EXECUTE RentBike(bike_id := 'B-2', rider := 'Ada');
EXECUTE Nothing();
SELECT * FROM Reg."Bike$Events" ORDER BY global_position;
SELECT * FROM Reg."Bike$Agg" ORDER BY 1;
VALIDATE REGISTRY;
EXPORT REGISTRY;
`;

if ('missing' in database)
  test.skip(`a script has the same outcomes in PostgreSQL: ${database.missing}`, () => undefined);
else
  test('a script has the same outcomes in PostgreSQL as in memory', async () => {
    const compared = await compareOutcomes({ name: 'script', text: script }, database.url, `same_${process.pid}`);
    assert.equal(compared.differing, []);
    assert.ok(compared.events >= 2 && compared.statements > 10, JSON.stringify(compared));
  });

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
