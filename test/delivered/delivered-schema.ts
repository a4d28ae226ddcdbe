/**
 * A domain whose deliveries say which event they belong to: each command of a reaction, row of a subscription and webhook copies the facts of
 * its event, so that a delivery can be compared with the log by ids and contents, and not only be counted.
 */

const copied = `of_position := :global_position, of_event := :event_id, of_type := :event_type, of_seq := :seq, of_stream := :stream_id,
  of_time := :occurred_at, of_correlation := :correlation_id, amount := :amount, mark := :mark`;

const note = (branch: string, more = ''): string =>
  `BRANCH ${branch} EXECUTE Note (answer := 'of-' || :stream_id, branch := '${branch}', ${copied}${more})`;

const row = (relation: string): string =>
  `SELECT stream_id AS stream, event_id, event_type, seq, global_position AS at_position, occurred_at AS at, data.amount, data.mark FROM Reg."${relation}$Events"`;

/** Seconds after which the branches of `Copy` with a time are due. */
export const waits = { Soon: 1, Unless: 2 } as const;
/** The decision of `Note` rejects this amount, and the arguments of `Divide` fail with that one. */
export const rejectedAmount = 7;
export const failingAmount = 11;

export const deliveredSchema = `
CREATE AGGREGATE Source (
  source STRING KEY,
  total INT DEFAULT 0 AS SUM(data.amount),
  events INT DEFAULT 0 AS COUNT(*),
  largest INT AS MAX(data.amount),
  latest STRING AS LAST(data.mark));
CREATE COMMAND Raise (source STRING, amount INT, mark STRING);
CREATE COMMAND RaiseBoth (source STRING, other STRING, amount INT, mark STRING);
CREATE COMMAND Settle (source STRING, amount INT, mark STRING);
CREATE EVENT Raised (amount INT, mark STRING, seen INT);
CREATE EVENT Settled (amount INT, mark STRING, seen INT);
CREATE DECISION Raising FOR Source ON COMMAND Raise
STATE AS SELECT total FROM Reg."Source$Agg" WHERE source = :source
EMIT AS SELECT EVENT Raised (amount := :amount, mark := :mark, seen := COALESCE(total, 0));
CREATE DECISION RaisingBoth FOR Source ON COMMAND RaiseBoth
STATE AS SELECT total FROM Reg."Source$Agg" WHERE source = :source
EMIT AS
  SELECT EVENT Raised (amount := :amount, mark := :mark || '-1', seen := COALESCE(total, 0)),
  SELECT EVENT Raised (amount := :amount + 1, mark := :mark || '-2', seen := -1) TO Source(:other),
  SELECT EVENT Raised (amount := :amount + 2, mark := :mark || '-3', seen := -1) TO Source(:other);
CREATE DECISION Settling FOR Source ON COMMAND Settle
STATE AS SELECT total FROM Reg."Source$Agg" WHERE source = :source
EMIT AS SELECT EVENT Settled (amount := :amount, mark := :mark, seen := COALESCE(total, 0));

CREATE AGGREGATE Answer;
CREATE COMMAND Note (answer STRING, branch STRING, of_position BIGINT, of_event STRING, of_type STRING, of_seq INT, of_stream STRING,
  of_time TIMESTAMP, of_correlation STRING NULL, amount INT, mark STRING, total INT NULL, due TIMESTAMP NULL);
CREATE EVENT Noted (branch STRING, of_position BIGINT, of_event STRING, of_type STRING, of_seq INT, of_stream STRING,
  of_time TIMESTAMP, of_correlation STRING, amount INT, mark STRING, total INT, due TIMESTAMP);
CREATE DECISION Noting FOR Answer ON COMMAND Note
EMIT AS SELECT EVENT Noted (branch := :branch, of_position := :of_position, of_event := :of_event, of_type := :of_type, of_seq := :of_seq,
  of_stream := :of_stream, of_time := :of_time, of_correlation := :of_correlation, amount := :amount, mark := :mark, total := :total, due := :due)
  WHERE :amount <> ${rejectedAmount};

CREATE AGGREGATE Tally;
CREATE COMMAND Count (tally STRING, of_position BIGINT, of_event STRING, of_seq INT, of_stream STRING);
CREATE EVENT Counted (of_position BIGINT, of_event STRING, of_seq INT, of_stream STRING);
CREATE DECISION Counting FOR Tally ON COMMAND Count
EMIT AS SELECT EVENT Counted (of_position := :of_position, of_event := :of_event, of_seq := :of_seq, of_stream := :of_stream);

CREATE REACTION Copy FROM START ON EVENT Raised, Settled OF Source
STATE AS SELECT total FROM Reg."Source$Agg" WHERE source = :stream_id
${note('Now', ', total := total')}
UNION ALL ${note('Even')} WHERE :amount % 2 = 0
UNION ALL ${note('Soon', ', due := :due')} AFTER ${waits.Soon} SECONDS
UNION ALL ${note('Unless')} AFTER ${waits.Unless} SECONDS UNLESS EVENT Settled;

CREATE REACTION Divide FROM START ON EVENT Raised OF Source
BRANCH Divided EXECUTE Note (answer := 'of-' || :stream_id, branch := 'Divided', ${copied}, total := 1000 / (:amount - ${failingAmount}));

CREATE REACTION Chain FROM START ON EVENT Noted OF Answer
BRANCH Chained EXECUTE Count (tally := 'all', of_position := :global_position, of_event := :event_id, of_seq := :seq, of_stream := :stream_id) WHERE :branch = 'Now';

CREATE PROJECTION Sums AS SELECT aggregate_id, total, events, largest, latest FROM Reg."Source$Agg" ORDER BY aggregate_id;
CREATE PROJECTION Branches AS
SELECT data.branch AS branch, COUNT(*) AS notes, SUM(data.amount) AS amount, MAX(data.of_position) AS furthest, LAST(data.of_event) AS latest
FROM Reg."Answer$Events" GROUP BY data.branch ORDER BY 1;
CREATE PROJECTION Answered AS SELECT COUNT(DISTINCT data.of_event) AS events, COUNT(*) AS notes FROM Reg."Answer$Events";
`;

/** Subscriptions, for servers that share the places of these. */
export const subscriptionSchema = `
CREATE SUBSCRIPTION Pulled AS
${row('Source')} WHERE data.amount % 3 <> 0
UNION ALL ${row('Answer')} WHERE data.branch = 'Now'
WITH (attempts = 1000);
CREATE SUBSCRIPTION Pushed AS
${row('Source')} WHERE data.amount % 3 <> 1
DELIVER TO WEBHOOK ENV('RECEIVER') SECRET ENV('SECRET')
WITH (attempts = 1000, longest_delay_seconds = 1);
`;
