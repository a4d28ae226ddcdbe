/** A schema of about 1,000 blocks: 100 aggregates with 3 commands, 3 events and 3 decisions each, and projections. */
export function largeSchema(aggregates = 100): string {
  return Array.from({ length: aggregates }, (_, index) => oneAggregate(`Item${index}`)).join('\n');
}

/** An aggregate, three each of commands, events and decisions, a projection. */
export function blocksOf(aggregates: number): number {
  return aggregates * 11;
}

function oneAggregate(name: string): string {
  return `CREATE AGGREGATE ${name} (id STRING KEY, level INT DEFAULT 0 AS SUM(CASE event_type WHEN '${name}Added' THEN data.amount WHEN '${name}Taken' THEN -data.amount END));
CREATE COMMAND Open${name} (id STRING, owner STRING, opened DATE NULL);
CREATE COMMAND Add${name} (id STRING, amount INT, price DECIMAL(12,2));
CREATE COMMAND Take${name} (id STRING, amount INT);
CREATE EVENT ${name}Opened (owner STRING, opened DATE);
CREATE EVENT ${name}Added (amount INT, price DECIMAL(12,2));
CREATE EVENT ${name}Taken (amount INT, left_over INT);
CREATE DECISION DoOpen${name} FOR ${name} ON COMMAND Open${name}
STATE AS SELECT COUNT(*) AS known FROM Reg."${name}$Events" WHERE stream_id = :id
EMIT AS SELECT EVENT ${name}Opened (owner := :owner, opened := :opened) WHERE known = 0;
CREATE DECISION DoAdd${name} FOR ${name} ON COMMAND Add${name}
STATE AS SELECT LAST(event_type) AS last_event FROM Reg."${name}$Events" WHERE stream_id = :id
EMIT AS SELECT EVENT ${name}Added (amount := :amount, price := :price) WHERE last_event IS NOT NULL AND :amount > 0;
CREATE DECISION DoTake${name} FOR ${name} ON COMMAND Take${name}
STATE AS SELECT level FROM Reg."${name}$Agg" WHERE aggregate_id = :id
EMIT AS SELECT EVENT ${name}Taken (amount := :amount, left_over := level - :amount) WHERE :amount BETWEEN 1 AND level;
CREATE PROJECTION ${name}Stock AS
SELECT stream_id AS id, LAST(data.owner) AS owner, SUM(data.amount * data.price) AS worth, COUNT(*) AS moves
FROM Reg."${name}$Events" GROUP BY stream_id;
`;
}
