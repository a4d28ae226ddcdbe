/** The domain of the histories: each event carries the mark of the operation that caused it, and what the decision saw. */
export const historySchema = `
CREATE AGGREGATE Account (account_id STRING KEY, balance INT DEFAULT 0 AS SUM(CASE event_type WHEN 'MovedOut' THEN -data.amount ELSE data.amount END));
CREATE COMMAND PayIn (account_id STRING, amount INT, mark STRING);
CREATE COMMAND Move (source STRING, target STRING, amount INT, mark STRING);
CREATE EVENT PaidIn (amount INT, mark STRING, seen INT);
CREATE EVENT MovedOut (amount INT, target STRING, mark STRING, seen INT);
CREATE EVENT MovedIn (amount INT, mark STRING, seen INT);
CREATE DECISION TakePayment FOR Account ON COMMAND PayIn
STATE AS SELECT balance FROM Reg."Account$Agg" WHERE aggregate_id = :account_id
EMIT AS SELECT EVENT PaidIn (amount := :amount, mark := :mark, seen := COALESCE(balance, 0));
CREATE DECISION MoveMoney FOR Account ON COMMAND Move
STATE AS SELECT s.balance AS have, t.balance AS other FROM Reg."Account$Agg" s JOIN Reg."Account$Agg" t ON t.aggregate_id = :target WHERE s.aggregate_id = :source
EMIT AS
  SELECT EVENT MovedOut (amount := :amount, target := :target, mark := :mark, seen := have),
  SELECT EVENT MovedIn (amount := :amount, mark := :mark, seen := other) TO Account(:target)
  WHERE have >= :amount AND :source <> :target;

CREATE AGGREGATE Member;
CREATE COMMAND Enter (member_id STRING, nick STRING, mark STRING);
CREATE COMMAND Leave (member_id STRING, mark STRING);
CREATE EVENT Entered (nick STRING TAG, mark STRING);
CREATE EVENT WentAway (nick STRING TAG, mark STRING);
CREATE DECISION EnterClub FOR Member ON COMMAND Enter
STATE AS SELECT (SELECT event_type FROM Reg."Member$Events" WHERE 'nick:' || LOWER(:nick) = ANY(tags) ORDER BY global_position DESC LIMIT 1) AS last_use,
  (SELECT LAST(event_type) FROM Reg."Member$Events" WHERE stream_id = :member_id) AS own
EMIT AS SELECT EVENT Entered (nick := :nick, mark := :mark)
  WHERE (last_use IS NULL OR last_use = 'WentAway') AND (own IS NULL OR own = 'WentAway');
CREATE DECISION LeaveClub FOR Member ON COMMAND Leave
STATE AS SELECT LAST(event_type) AS own, LAST(data.nick) AS nick FROM Reg."Member$Events" WHERE stream_id = :member_id
EMIT AS SELECT EVENT WentAway (nick := nick, mark := :mark) WHERE own = 'Entered';

CREATE AGGREGATE Coupon;
CREATE COMMAND Redeem (coupon_id STRING, mark STRING);
CREATE EVENT Redeemed (mark STRING, seen INT);
CREATE DECISION RedeemOnce FOR Coupon ON COMMAND Redeem
STATE AS SELECT COUNT(*) AS used FROM Reg."Coupon$Events" WHERE stream_id = :coupon_id
EMIT AS SELECT EVENT Redeemed (mark := :mark, seen := used) WHERE used < 3;

CREATE PROJECTION Balances AS SELECT aggregate_id, balance FROM Reg."Account$Agg" ORDER BY aggregate_id;
`;
