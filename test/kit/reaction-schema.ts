/** A schema in which each Opened must lead to one Counted of `desk-1` and, 60 s later, to one Closed of its own stream. */
export const reactionSchema = `
CREATE AGGREGATE Ticket (ticket STRING KEY, state STRING DEFAULT 'new' AS LAST(CASE event_type WHEN 'Opened' THEN 'open' WHEN 'Closed' THEN 'closed' END));
CREATE AGGREGATE Desk;
CREATE COMMAND Open (ticket STRING);
CREATE COMMAND Close (ticket STRING);
CREATE COMMAND Count (desk STRING, ticket STRING);
CREATE EVENT Opened ();
CREATE EVENT Closed ();
CREATE EVENT Counted (ticket STRING);
CREATE DECISION Opening FOR Ticket ON COMMAND Open
STATE AS SELECT state FROM Reg."Ticket$Agg" WHERE ticket = :ticket
EMIT AS SELECT EVENT Opened () WHERE state = 'new';
CREATE DECISION Closing FOR Ticket ON COMMAND Close EMIT AS SELECT EVENT Closed ();
CREATE DECISION Counting FOR Desk ON COMMAND Count EMIT AS SELECT EVENT Counted (ticket := :ticket);
CREATE REACTION Serve ON EVENT Opened
EXECUTE Count (desk := 'desk-1', ticket := :stream_id)
UNION ALL BRANCH Later EXECUTE Close (ticket := :stream_id) AFTER 60 SECONDS;
`;

/** Of the entries of a log: how often each ticket was opened, counted and closed, as `ticket opened counted closed`. */
export function effects(
  events: readonly { readonly type: string; readonly streamId: string; readonly data: string }[],
): readonly string[] {
  const tickets = new Map<string, string[]>();
  for (const { type, streamId, data } of events) {
    const ticket = type === 'Counted' ? (JSON.parse(data) as { ticket: string }).ticket : streamId;
    tickets.set(ticket, [...(tickets.get(ticket) ?? []), type]);
  }
  const count = (types: readonly string[], wanted: string): number => types.filter((type) => type === wanted).length;
  return [...tickets]
    .map(([ticket, types]) =>
      [ticket, count(types, 'Opened'), count(types, 'Counted'), count(types, 'Closed')].join(' '),
    )
    .sort();
}

/** µs since 1970, a thousand times faster than the clock of the system since `begun`, in ms. */
export function fastClock(begun: number): bigint {
  return BigInt(begun) * 1_000n + BigInt(Date.now() - begun) * 1_000_000n;
}
