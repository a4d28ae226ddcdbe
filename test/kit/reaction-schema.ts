/**
 * A schema in which each Opened must lead to one Counted of `desk-1` and, 60 s later, to one Closed of its own stream; both
 * say which event they answer.
 */
export const reactionSchema = `
CREATE AGGREGATE Ticket (ticket STRING KEY, state STRING DEFAULT 'new' AS LAST(CASE event_type WHEN 'Opened' THEN 'open' WHEN 'Closed' THEN 'closed' END));
CREATE AGGREGATE Desk;
CREATE COMMAND Open (ticket STRING);
CREATE COMMAND Close (ticket STRING, event_id STRING, position BIGINT, seq BIGINT);
CREATE COMMAND Count (desk STRING, ticket STRING, event_id STRING, position BIGINT, seq BIGINT);
CREATE EVENT Opened ();
CREATE EVENT Closed (event_id STRING, position BIGINT, seq BIGINT);
CREATE EVENT Counted (ticket STRING, event_id STRING, position BIGINT, seq BIGINT);
CREATE DECISION Opening FOR Ticket ON COMMAND Open
STATE AS SELECT state FROM Reg."Ticket$Agg" WHERE ticket = :ticket
EMIT AS SELECT EVENT Opened () WHERE state = 'new';
CREATE DECISION Closing FOR Ticket ON COMMAND Close 
EMIT AS SELECT EVENT Closed (event_id := :event_id, position := :position, seq := :seq);
CREATE DECISION Counting FOR Desk ON COMMAND Count 
EMIT AS SELECT EVENT Counted (ticket := :ticket, event_id := :event_id, position := :position, seq := :seq);
CREATE REACTION Serve ON EVENT Opened
EXECUTE Count (desk := 'desk-1', ticket := :stream_id, event_id := :event_id, position := :global_position, seq := :seq)
UNION ALL BRANCH Later EXECUTE Close (ticket := :stream_id, event_id := :event_id, position := :global_position, seq := :seq) AFTER 60 SECONDS;
`;

interface LoggedEvent {
  readonly id: string;
  readonly position: number;
  readonly type: string;
  readonly streamId: string;
  readonly seq: number;
  readonly data: string;
}

/**
 * A sentence for each effect that is wrong, by id and content: it must answer an Opened of the log that came before it, and each Opened has
 * one Counted and one Closed.
 */
export function wrongEffects(events: readonly LoggedEvent[]): readonly string[] {
  const faults: string[] = [];
  /** Effects that each Opened must still have. */
  const owed = new Map<string, { readonly told: string; readonly types: string[] }>();
  for (const { id, position, type, streamId, seq, data } of events) {
    if (type === 'Opened') {
      owed.set(id, { told: `${streamId} ${position} ${seq}`, types: ['Counted', 'Closed'] });
      continue;
    }
    const effect = JSON.parse(data) as Readonly<Record<string, string | number>>;
    const told = `${effect['ticket'] ?? streamId} ${effect['position']} ${effect['seq']}`;
    const answered = owed.get(String(effect['event_id']));
    const place = answered?.types.indexOf(type) ?? -1;
    if (answered === undefined) faults.push(`${type} ${position} answers ${told}, which is not in the log`);
    else if (answered.told !== told) faults.push(`${type} ${position} answers ${told}, its event is ${answered.told}`);
    else if (place < 0) faults.push(`${type} ${position} answers ${told} again`);
    else answered.types.splice(place, 1);
  }
  for (const { told, types } of owed.values()) for (const type of types) faults.push(`${told} has no ${type}`);
  return faults;
}

/** Counts in the entries of a log the times that each ticket was opened, counted and closed, as `ticket opened counted closed`. */
export function effects(events: readonly Pick<LoggedEvent, 'type' | 'streamId' | 'data'>[]): readonly string[] {
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
