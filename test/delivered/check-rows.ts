/**
 * Checks the rows of subscriptions, handed out and sent to webhooks (docs/http.md#subscriptions), with the log: each row is one of its event,
 * none is missing, none overtakes an earlier one of its key, and none comes again after it was acknowledged.
 */
import { differences, momentOf, type Fact, type Facts } from './facts.ts';

/** Rows that came together: an answer of `next`, or one request to a webhook. Moments count up by one in a whole run. */
export interface HandOut {
  /** When it was asked for; of a webhook, when it came. */
  readonly asked: number;
  readonly told: number;
  readonly from: string;
  readonly rows: readonly Row[];
}
export type Row = Readonly<Record<string, unknown>> & { readonly position: number; readonly attempt?: number };

export interface Acknowledgement {
  readonly positions: readonly number[];
  readonly sent: number;
  /** When the answer came that said that it is done; undefined of one that may not be. */
  readonly done?: number;
  /** No answer came: it may be done, and then its rows do not come again. */
  readonly unanswered?: true;
}

/** Rows that consumers were handed out, and rows that they have acknowledged. */
export interface Consumed {
  readonly handOuts: HandOut[];
  readonly acknowledgements: Acknowledgement[];
  /** When rows were asked for without an answer, as from a server that was killed: it may have handed some out. */
  readonly unanswered: number[];
}

export interface RowsExpected {
  readonly name: string;
  readonly applies: (event: Fact) => boolean;
  readonly row: (event: Fact) => Readonly<Record<string, unknown>>;
  /** A webhook's acknowledgement may be lost with the server that had it. */
  readonly mayRepeat: boolean;
}

export const pulled: RowsExpected = {
  name: 'Pulled',
  applies: ({ streamType, data }) =>
    streamType === 'Source' ? Number(data['amount']) % 3 !== 0 : streamType === 'Answer' && data['branch'] === 'Now',
  row: columnsOf,
  mayRepeat: false,
};
export const pushed: RowsExpected = {
  name: 'Pushed',
  applies: ({ streamType, data }) => streamType === 'Source' && Number(data['amount']) % 3 !== 1,
  row: (event) => ({
    ...columnsOf(event),
    id: `evt_${event.id}_Pushed`,
    subject: event.streamId,
    type: event.type,
    time: momentOf(event.at),
  }),
  mayRepeat: true,
};

/** The columns that a row of both subscriptions has. */
function columnsOf(event: Fact): Readonly<Record<string, unknown>> {
  return {
    stream: event.streamId,
    event_id: event.id,
    event_type: event.type,
    seq: event.seq,
    at_position: event.position,
    at: momentOf(event.at),
    amount: event.data['amount'],
    mark: event.data['mark'],
  };
}

export function checkRows(
  { events }: Facts,
  { name, applies, row: rowOf, mayRepeat }: RowsExpected,
  { handOuts, acknowledgements, unanswered }: Consumed,
): readonly string[] {
  const faults: string[] = [];
  const wanted = events.filter(applies);
  const sent = new Map<number, number>();
  const done = new Map<number, number>();
  const perhapsDone = new Set<number>();
  for (const { positions, ...each } of acknowledgements)
    for (const position of positions) {
      sent.set(position, Math.min(sent.get(position) ?? Infinity, each.sent));
      if (each.unanswered === true) perhapsDone.add(position);
      if (each.done !== undefined) done.set(position, Math.min(done.get(position) ?? Infinity, each.done));
    }
  const byKey = new Map<string, number[]>();
  const place = new Map<number, number>();
  for (const { streamId, position } of wanted) {
    const rows = byKey.get(streamId) ?? [];
    place.set(position, rows.push(position) - 1);
    byKey.set(streamId, rows);
  }
  const times = new Map<number, number>();
  /** For each key, the number of its first rows that were acknowledged at the moment of the hand-out under check. */
  const begun = new Map<string, number>();
  for (const { asked, told, from, rows } of [...handOuts].sort((one, other) => one.told - other.told)) {
    const here = new Set(rows.map(({ position }) => position));
    let last = 0;
    for (const row of rows) {
      const { position, attempt } = row;
      const event = events[position - 1];
      const says = `${name}: row ${position} of ${from}`;
      const before = times.get(position) ?? 0;
      times.set(position, before + 1);
      if (event === undefined || !applies(event)) {
        faults.push(`${says} is of no event that the subscription has`);
        continue;
      }
      for (const difference of differences(row, rowOf(event))) faults.push(`${says}: ${difference}`);
      if (position <= last) faults.push(`${says} is behind row ${last}`);
      last = position;
      const unseen = unanswered.filter((moment) => moment < told).length;
      if (attempt !== undefined && (attempt < 1 || attempt > before + unseen + 1))
        faults.push(`${says} is of attempt ${attempt}, and came ${before} times before`);
      if (!mayRepeat && (done.get(position) ?? Infinity) < asked) faults.push(`${says} came after it was acknowledged`);
      const key = byKey.get(event.streamId) ?? [];
      let first = begun.get(event.streamId) ?? 0;
      while ((sent.get(key[first] ?? 0) ?? Infinity) < told) first += 1;
      begun.set(event.streamId, first);
      for (let at = first; at < (place.get(position) ?? 0); at += 1) {
        const earlier = key[at] as number; // before a place in the list
        if ((sent.get(earlier) ?? Infinity) > told && !here.has(earlier))
          faults.push(`${says} came before row ${earlier} of ${event.streamId} was acknowledged`);
      }
    }
  }
  for (const { position } of wanted) {
    if (!times.has(position)) faults.push(`${name}: row ${position} never came`);
    else if (!done.has(position) && !perhapsDone.has(position))
      faults.push(`${name}: row ${position} was never acknowledged`);
  }
  return faults;
}
