/** A small domain that questions of an editor are asked about. */
export const bank = `CREATE AGGREGATE Account (account_id STRING KEY, owner STRING, balance DECIMAL(12,2) DEFAULT 0 AS SUM(data.amount));
CREATE COMMAND Open (account_id STRING, owner STRING, secret STRING NULL SENSITIVE);
CREATE COMMAND Pay (account_id STRING, amount DECIMAL(12,2));
CREATE EVENT Opened (owner STRING, secret STRING SENSITIVE);
CREATE EVENT Paid (amount DECIMAL(12,2));
CREATE DECISION DoOpen FOR Account ON COMMAND Open EMIT AS SELECT EVENT Opened (owner := :owner, secret := :secret);
CREATE DECISION DoPay FOR Account ON COMMAND Pay
STATE AS SELECT balance AS present FROM Reg."Account$Agg" WHERE account_id = :account_id
EMIT AS SELECT EVENT Paid (amount := :amount) WHERE present >= 0;
CREATE PROJECTION Owners AS SELECT aggregate_id AS id, owner FROM Reg."Account$Agg";
CREATE PROJECTION Totals AS SELECT stream_id, SUM(data.amount) AS total FROM Reg."Account$Events" GROUP BY stream_id;
CREATE TEMPLATE T (Entity, Fields) AS (CREATE AGGREGATE {{Entity}};);
`;
