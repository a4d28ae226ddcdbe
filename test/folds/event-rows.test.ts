/** Events that come together are in the table as if they had come one by one, whatever their types and sizes. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openTestedStore } from '../kit/tested-engine.ts';
import { appendEvents, type Happened } from './append-events.ts';
import { ask, schemaOf } from './fold-store.ts';

const schema = schemaOf(`
  CREATE AGGREGATE Bike;
  CREATE EVENT Painted (colour STRING, coats INT);
  CREATE EVENT Rented (rider STRING TAG, price DECIMAL(10,2));
  CREATE COMMAND Paint (bike STRING, colour STRING, coats INT);
  CREATE COMMAND Rent (bike STRING, rider STRING, price DECIMAL(10,2));
  CREATE DECISION DoPaint FOR Bike ON COMMAND Paint EMIT AS SELECT EVENT Painted (colour := :colour, coats := :coats);
  CREATE DECISION DoRent FOR Bike ON COMMAND Rent EMIT AS SELECT EVENT Rented (rider := :rider, price := :price);`);

const columns = 'global_position, stream_id, seq, event_type, tags, data';
const large = 'ä'.repeat(30_000);

/** More than one statement inserts, with every kind of row in each place. */
const history = Array.from({ length: 150 }, (_, index): Happened => {
  const stream = `b${index % 7}`;
  if (index % 5 === 0) return { type: 'Scrapped', stream, data: { why: 'rust' } }; // no definition
  if (index % 3 === 0) return { type: 'Rented', stream, data: { rider: `R${index}`, price: '2.50' } };
  return { type: 'Painted', stream, data: { colour: index % 40 === 1 ? large : '', coats: index } };
});

async function rowsAfter(batch: number): Promise<string> {
  const store = await openTestedStore();
  try {
    await store.tables.adopt(schema.definition);
    for (let at = 0; at < history.length; at += batch) {
      await appendEvents(store, 'Bike', history.slice(at, at + batch));
      await ask(store, schema, 'SELECT COUNT(*) FROM Reg."Bike$Events"'); // whatever came is in the table now
    }
    return await ask(store, schema, `SELECT ${columns} FROM Reg."Bike$Events" ORDER BY global_position`);
  } finally {
    await store.close();
  }
}

test('events that come together are rows like those that come alone', async () => {
  const alone = await rowsAfter(1);
  assert.is(alone.split('"Painted"').length - 1, 80);
  for (const batch of [7, 33, 150]) assert.is(await rowsAfter(batch), alone, `${batch} at once`);
});

test.run();
