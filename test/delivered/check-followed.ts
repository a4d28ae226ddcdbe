/** Checks what followers saw (docs/http.md#following-events) with the log: each event once and in order, whole, and nothing else. */
import { differences, momentOf, type Fact, type Facts } from './facts.ts';

/** A follower over all its connections. */
export interface Followed {
  readonly name: string;
  /** Events that its path and its filters let through. */
  readonly applies: (event: Fact) => boolean;
  readonly connections: readonly Connection[];
  /** The position up to which it followed. */
  readonly until: number;
}

export interface Connection {
  readonly after: number;
  /** In the order in which they came: events, and marks, which have a position only. */
  readonly said: readonly Readonly<Record<string, unknown>>[];
}

export function checkFollowed({ events }: Facts, { name, applies, connections, until }: Followed): readonly string[] {
  const faults: string[] = [];
  const wanted = events.filter((event) => event.position <= until && applies(event)).map(({ position }) => position);
  let next = 0;
  let last = 0;
  for (const [number, { after, said }] of connections.entries()) {
    const says = `${name}, connection ${number + 1}`;
    if (after !== last) faults.push(`${says} follows from ${after}, though ${last} was seen`);
    for (const row of said) {
      const position = Number(row['global_position']);
      if (row['event_id'] === undefined) {
        if (position < last) faults.push(`${says} has a mark at ${position}, behind ${last}`);
        while ((wanted[next] ?? Infinity) <= position) faults.push(`${says} skipped event ${wanted[next++]}`);
        last = Math.max(last, position);
        continue;
      }
      const event = events[position - 1];
      if (event === undefined || !applies(event))
        faults.push(`${says} has event ${position}, which it does not follow`);
      else {
        if (position <= last) faults.push(`${says} has event ${position} behind ${last}`);
        else {
          while ((wanted[next] ?? Infinity) < position) faults.push(`${says} skipped event ${wanted[next++]}`);
          next += 1;
        }
        for (const difference of differences(row, followedRow(event)))
          faults.push(`${says}, event ${position}: ${difference}`);
      }
      last = Math.max(last, position);
    }
  }
  for (const position of wanted.slice(next)) faults.push(`${name} never saw event ${position}`);
  return faults;
}

/** A row of `/events`. */
export function followedRow(event: Fact): Readonly<Record<string, unknown>> {
  return {
    event_id: event.id,
    stream_type: event.streamType,
    stream_id: event.streamId,
    seq: event.seq,
    event_type: event.type,
    occurred_at: momentOf(event.at),
    data: event.data,
    global_position: event.position,
  };
}
