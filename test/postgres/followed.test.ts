/** Streams of a server that follow what another server of a log in PostgreSQL appends (docs/http.md#following-events). */
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { storm } from '../http/follow-storm.ts';
import { startDatabase } from '../kit/database.ts';
import { until } from '../kit/until.ts';
import { openServer } from './opened-server.ts';

/** Cuts of the long run; the usual run has a few for three followers. */
const longCuts = Number(process.env['SCHEMAC_FOLLOW_CUTS'] ?? 0);
const database = await startDatabase();
const bikes = `CREATE AGGREGATE Bike;
CREATE COMMAND RentBike (bike STRING, rider STRING);
CREATE EVENT BikeRented (rider STRING);
CREATE DECISION Rents FOR Bike ON COMMAND RentBike EMIT AS SELECT EVENT BikeRented (rider := :rider);`;

if ('missing' in database) test.skip(database.missing, () => undefined);
else
  test('cut at random, followers of another server get each event once', async () => {
    const namespace = `followed_${process.pid}_${randomUUID().slice(0, 8)}`;
    const writing = await openServer(database.url, namespace);
    const followed = await openServer(database.url, namespace);
    try {
      await writing.create(bikes);
      await until(async () => (await fetch(`${followed.url}/api/aggregates/Bike/events?limit=1`)).ok);
      const { lists, log } = await storm(
        {
          url: followed.url,
          // A field that once was SENSITIVE in a stored event stays so, and here commands store events.
          create: (lang) => writing.create(lang.replace(' SENSITIVE', '')),
          append: async (count) => {
            for (let n = 0; n < count; n += 1)
              await writing.ask('aggregates/Bike/execute/RentBike', { bike: `S-${n % 10}`, rider: 'r' });
          },
          store: writing.store,
        },
        longCuts === 0
          ? { cuts: 8, followersOfForm: 1, writers: 2, random: Math.random }
          : { cuts: Math.ceil(longCuts / 48), followersOfForm: 16, writers: 8, random: Math.random },
      );
      assert.ok(log.length > 0, 'nothing was written');
      for (const list of lists) assert.equal(list, log);
    } finally {
      await Promise.all([writing.stop(), followed.stop()]);
    }
  });

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
