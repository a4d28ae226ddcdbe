import { readFileSync } from 'node:fs';

/** Schemas that together use every kind of block, every type and every way to read a state. */
export const samples: Readonly<Record<string, string>> = {
  bikes: `
CREATE AGGREGATE Bike;
CREATE COMMAND RegisterBike (bike_id STRING, model STRING, station STRING);
CREATE COMMAND ReturnBike (bike_id STRING, station STRING, km INT NULL);
CREATE EVENT BikeRegistered (model STRING, station STRING);
CREATE EVENT BikeReturned (station STRING, km INT);
CREATE DECISION Register FOR Bike ON COMMAND RegisterBike
STATE AS SELECT COUNT(*) AS known FROM Reg."Bike$Events" WHERE stream_id = :bike_id
EMIT AS SELECT EVENT BikeRegistered (model := :model, station := :station) WHERE known = 0;
CREATE DECISION GiveBack FOR Bike ON COMMAND ReturnBike
STATE AS SELECT LAST(event_type) AS last_event, LAST(data.station) AS station FROM Reg."Bike$Events" WHERE stream_id = :bike_id
EMIT AS SELECT EVENT BikeReturned (station := COALESCE(:station, station), km := :km) WHERE last_event IN ('BikeRegistered', 'BikeReturned') AND :km >= 0;
CREATE PROJECTION Fleet AS
SELECT stream_id AS bike, LAST(data.model) AS model, COALESCE(SUM(data.km), 0) AS total_km, COUNT(*) FILTER (WHERE event_type = 'BikeReturned') AS rides
FROM Reg."Bike$Events" GROUP BY stream_id;`,
  types: `
CREATE AGGREGATE Thing (thing_id BIGINT KEY, label VARCHAR(20) DEFAULT 'it''s', amount DECIMAL(12,2) DEFAULT 0 AS SUM(data.amount),
  mean DECIMAL(12,4) AS AVG(data.amount), low DECIMAL(12,2) AS MIN(data.amount), seen TIMESTAMP AS LAST(occurred_at),
  first_day DATE AS FIRST(data.day), weight DOUBLE AS MAX(data.weight), changes INT AS COUNT(data.label));
CREATE COMMAND Change (thing_id BIGINT KEY, label VARCHAR(20) NULL, amount DECIMAL(12,2) DEFAULT -1.50, whole BIGINT DEFAULT 9007199254740993,
  weight DOUBLE DEFAULT 1e3, day DATE DEFAULT '2026-01-31', at TIMESTAMP DEFAULT '2026-01-31T08:00:00Z', flag BOOLEAN DEFAULT TRUE,
  doc JSON NULL, secret STRING SENSITIVE, ref UUID NULL, n INT DEFAULT -7);
CREATE EVENT Changed (label VARCHAR(20), amount DECIMAL(12,2), whole BIGINT, weight DOUBLE, day DATE, at TIMESTAMP, flag BOOLEAN,
  doc JSON, secret STRING SENSITIVE, ref UUID, receipt STRING VOLATILE, tagged STRING TAG, n INT);
CREATE DECISION ChangeThing FOR Thing ON COMMAND Change
STATE AS SELECT label, amount AS sum_so_far, mean, low, seen, first_day, weight, changes, thing_id FROM Reg."Thing$Agg" WHERE thing_id = :thing_id
EMIT AS
  BRANCH Usual
  SELECT EVENT Changed (label := :label, amount := :amount, whole := :whole + changes, weight := :weight / 3, day := :day + 1, at := :at,
    flag := NOT :flag, doc := :doc, secret := :secret, ref := :ref, receipt := UPPER(label) || '-' || CAST(:n AS STRING), tagged := LOWER(label), n := :n % 3)
  WHERE sum_so_far + :amount < 1000 AND (seen IS NULL OR seen < :at) AND label <> 'x'
  UNION ALL
  BRANCH Rest
  SELECT EVENT Changed (amount := CASE WHEN :amount > mean THEN mean WHEN low IS NULL THEN 0 ELSE low END, at := CURRENT_TIMESTAMP, ref := gen_random_uuid(), weight := random())
  WHERE NOT (:flag AND sum_so_far < 1000) OR EXTRACT(YEAR FROM :day) = 2027;`,
  names: `
CREATE AGGREGATE Credit; CREATE COMMAND Credit (id STRING, command STRING, state INT); CREATE EVENT Credit (command STRING, state INT, context STRING);
CREATE DECISION Credit FOR Credit ON COMMAND Credit
STATE AS SELECT MAX(data.state) AS state, LAST(data.command) AS "two words" FROM Reg."Credit$Events" WHERE stream_id = :id
AS SELECT EVENT Credit (command := "two words", state := :state + state, context := :command), SELECT EVENT Credit (command := :command) WHERE "two words" IS NOT NULL AND :state > state;
CREATE PROJECTION Credit AS SELECT stream_id AS "class", 'source' AS "a b", COUNT(*) AS "__proto__" FROM Reg."Credit$Events" GROUP BY stream_id;`,
  scans: `
CREATE AGGREGATE Member; CREATE COMMAND Join_ (member_id STRING, nick STRING); CREATE EVENT Joined (nick STRING TAG); CREATE EVENT Left_ ();
CREATE DECISION JoinClub FOR Member ON COMMAND Join_
STATE AS SELECT event_type AS last_use, ROW_NUMBER() OVER (ORDER BY global_position DESC) AS place FROM Reg."Member$Events" WHERE 'nick:' || LOWER(:nick) = ANY(tags) ORDER BY global_position DESC LIMIT 1
EMIT AS SELECT EVENT Joined (nick := :nick) WHERE last_use IS NULL OR last_use = 'Left_';
CREATE PROJECTION Members AS SELECT stream_id, data, tags, ROW_NUMBER() OVER (ORDER BY global_position) AS place FROM Reg."Member$Events";`,
  'two-folds': `
CREATE AGGREGATE Wallet (wallet_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0 AS SUM(CASE event_type WHEN 'In_' THEN data.amount ELSE -data.amount END));
CREATE COMMAND Transfer (from_id STRING, to_id STRING, amount DECIMAL(12,2)); CREATE EVENT In_ (amount DECIMAL(12,2)); CREATE EVENT Out (amount DECIMAL(12,2));
CREATE DECISION Transfers FOR Wallet ON COMMAND Transfer
STATE AS SELECT a.balance AS mine, b.balance AS theirs, a.balance > b.balance AS richer FROM Reg."Wallet$Agg" a JOIN Reg."Wallet$Agg" b ON b.wallet_id = :to_id WHERE a.wallet_id = :from_id
EMIT AS SELECT EVENT Out (amount := :amount), SELECT EVENT In_ (amount := :amount) TO Wallet(:to_id) WHERE mine >= :amount AND theirs IS NOT NULL;`,
  stores: `CREATE EVENTSTORE Main_ WITH (durable.type = 'memory', security.key = ENV('KEY'), bloom.columns = ('a', 'b'), inmemory.max_mb = 64);
CREATE TEMPLATE T (Name STRING) AS ( CREATE AGGREGATE {{Name}}; );`,
  nulls: `
CREATE AGGREGATE Probe; CREATE COMMAND Note (probe_id STRING, a INT NULL, b STRING NULL, on_ BOOLEAN NULL); CREATE EVENT Noted (a INT, b STRING, level STRING);
CREATE DECISION TakeNote FOR Probe ON COMMAND Note
STATE AS SELECT MAX(data.a) AS top, LAST(data.b) AS last_b FROM Reg."Probe$Events" WHERE stream_id = :probe_id
EMIT AS SELECT EVENT Noted (a := :a + top, level := CASE LOWER(:b) WHEN 'x' THEN CASE UPPER(last_b) WHEN 'Y' THEN 'crossed twice over' END WHEN last_b THEN 'the very same thing as before' END)
WHERE NOT (:a = top) OR top IS NULL OR last_b NOT IN ('x', :b) OR (:on_ AND last_b = 'x' AND last_b = 'y') OR NULLIF(:a, 1) IS DISTINCT FROM top
  OR COALESCE(:b, last_b, 'none') || COALESCE(last_b, :b, 'none') || 'and a text that goes on for long' = 'x and a text that goes on for longer still';`,
  sums: `
CREATE AGGREGATE Run; CREATE COMMAND Stop (run_id STRING, at TIMESTAMP, km DOUBLE CHECK (km > 0) MESSAGE 'it''s too short'); CREATE EVENT Stopped (at TIMESTAMP, km DOUBLE);
CREATE DECISION StopIt FOR Run ON COMMAND Stop
STATE AS SELECT SUM(data.km) AS km, AVG(data.km) AS mean, SUM(occurred_at - data.at) AS late, AVG(occurred_at - data.at) AS lateness FROM Reg."Run$Events" WHERE stream_id = :run_id
EMIT AS SELECT EVENT Stopped (at := :at + lateness, km := :km) WHERE late IS NULL OR late < INTERVAL '1 day' AND km < mean + 9;`,
  empty: '',
  carts: readFileSync(new URL('./cases/found-through-another/orders.schema', import.meta.url), 'utf8'),
};
