/** A schema with every type in a payload, in state and in the rows of a projection. */
export const purse = `
CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = 'all');
CREATE AGGREGATE Purse (purse_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0 AS SUM(data.amount), moves BIGINT AS COUNT(*),
  seen TIMESTAMP AS LAST(data.at), open BOOLEAN AS LAST(data.open));
CREATE COMMAND Pay (purse_id STRING, amount DECIMAL(12,2), ref BIGINT NULL, rate DECIMAL NULL, n INT NULL, weight DOUBLE NULL,
  open BOOLEAN NULL, at TIMESTAMP NULL, day DATE NULL, doc JSON NULL, id UUID NULL, pin STRING SENSITIVE NULL);
CREATE COMMAND Close (purse_id STRING);
CREATE EVENT Paid (amount DECIMAL(12,2), ref BIGINT, rate DECIMAL, n INT, weight DOUBLE, open BOOLEAN, at TIMESTAMP, day DATE, doc JSON,
  id UUID, pin STRING SENSITIVE, receipt STRING VOLATILE);
CREATE EVENT Closed (amount DECIMAL(14,4), "limit" STRING);
CREATE DECISION Pays FOR Purse ON COMMAND Pay
STATE AS SELECT balance, moves FROM Reg."Purse$Agg" WHERE aggregate_id = :purse_id
EMIT AS BRANCH Enough SELECT EVENT Paid (amount := :amount, ref := :ref, rate := :rate, n := :n, weight := :weight, open := :open, at := :at,
  day := :day, doc := :doc, id := :id, pin := :pin, receipt := 'thanks') WHERE balance + :amount >= 0;
CREATE DECISION Closes FOR Purse ON COMMAND Close EMIT AS SELECT EVENT Closed (amount := 0.125, "limit" := 'none');
CREATE PROJECTION Totals AS SELECT stream_id AS purse, SUM(data.amount) AS total, ARRAY_AGG(data.amount) AS amounts, MAX(data.day) AS day,
  MAX(data.ref) AS ref, ARRAY_AGG(data.at) AS times FROM Reg."Purse$Events" GROUP BY stream_id ORDER BY stream_id;
CREATE PROJECTION Payloads AS SELECT data, tags, event_type FROM Reg."Purse$Events" ORDER BY global_position;
CREATE SUBSCRIPTION Payments AS SELECT stream_id AS purse, data.amount, data.ref, data.day, data.doc, data.pin FROM Reg."Purse$Events"
  WHERE event_type = 'Paid';`;

/** Arguments that a float or a millisecond cannot represent. */
export const fullPayment = {
  purse_id: 'p "1"',
  amount: '0.10',
  ref: 2n ** 63n - 1n,
  rate: '1.250000',
  n: -7,
  weight: 0.1,
  open: true,
  at: '2026-01-31T08:00:00.123456Z',
  day: '1969-12-31',
  doc: { list: [1, '2', null], text: '\u2028 1e5' },
  id: 'EMP-001',
  pin: '1234',
};
