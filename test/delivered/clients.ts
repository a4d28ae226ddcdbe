/** The clients of a run, each of which records the answers that it gets. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CloudEvent, Receiver } from '../webhook/receiver.ts';
import { ask, follow, pick } from './ask.ts';
import type { Connection, Followed } from './check-followed.ts';
import { paths, type Asked, type Reading, type Table } from './check-readings.ts';
import type { Consumed, Row } from './check-rows.ts';
import type { Fact } from './facts.ts';
import type { Place } from './world.ts';

/** State that the clients of a run share. */
export interface Run {
  readonly places: readonly Place[];
  readonly chance: () => number;
  /** Number of the next moment: whatever is recorded later has a larger one. */
  readonly moment: () => number;
  /** The largest entry that any server has acknowledged. */
  acknowledged: number;
  /** Answers that no client should get. */
  readonly unexpected: string[];
}

/** Marks of commands by what the server answered. */
export interface Written {
  readonly emitted: Map<string, number>;
  readonly unknown: string[];
}

export async function write(run: Run, written: Written, mark: string, streams: number): Promise<void> {
  const { chance } = run;
  const stream = (): string => `s${Math.floor(chance() ** 2 * streams)}`;
  const amount = 1 + Math.floor(chance() * 20);
  const kind = chance();
  const [command, more] =
    kind < 0.75 ? ['Raise', {}] : kind < 0.9 ? ['RaiseBoth', { other: stream() }] : ['Settle', {}];
  const correlation = chance() < 0.5 ? { 'X-Correlation-Id': `c-${mark}` } : undefined;
  const place = await pick(run.places, chance);
  const path = `/api/aggregates/Source/execute/${command}`;
  const told = await ask(place, path, { source: stream(), ...more, amount, mark }, correlation);
  if (told?.status === 200) {
    run.acknowledged = Math.max(run.acknowledged, told.entry);
    written.emitted.set(mark, told.entry);
    return;
  }
  if (told !== undefined && told.status !== 503)
    run.unexpected.push(`a command was ${told.status} ${JSON.stringify(told.body)}`);
  written.unknown.push(mark);
  await pause(5);
}

export async function read(run: Run, place: Place, what: Asked, local: boolean): Promise<Reading | undefined> {
  const floor = local ? 0 : run.acknowledged;
  const told = await ask(place, paths[what], undefined, local ? { 'Schemac-Consistency': 'local' } : {});
  if (told?.status === 200) return { what, from: place.name, entry: told.entry, floor, rows: told.body as Table };
  if (told !== undefined && told.status !== 503)
    run.unexpected.push(`${what} was ${told.status} ${JSON.stringify(told.body)}`);
  return undefined;
}

/** Asks for rows once, and acknowledges them, refuses some of them, or forgets them. Whether there were any. */
export async function consume(run: Run, consumed: Consumed, faithful: () => boolean): Promise<boolean> {
  const { chance, moment } = run;
  const wish = { max: 1 + Math.floor(chance() ** 2 * 200), wait_seconds: 0, lease_seconds: 1 };
  const asked = moment();
  const from = await pick(run.places, chance);
  const told = await ask(from, '/api/subscriptions/Pulled/next', wish);
  if (told?.status !== 200) {
    if (told === undefined) consumed.unanswered.push(asked);
    else if (told.status !== 503) run.unexpected.push(`next was ${told.status} ${JSON.stringify(told.body)}`);
    await pause(20);
    return false;
  }
  const { lease, rows } = told.body as { readonly lease: string | null; readonly rows: readonly Row[] };
  if (lease === null) return false;
  consumed.handOuts.push({ asked, told: moment(), from: from.name, rows });
  const fate = faithful() ? 1 : chance();
  if (fate < 0.05) return true;
  const some = fate < 0.2 ? rows.slice(0, Math.floor(chance() * rows.length)) : rows;
  const positions = some.map(({ position }) => position);
  if (positions.length > 0) {
    const sent = moment();
    const done = await ask(await pick(run.places, chance), '/api/subscriptions/Pulled/ack', { lease, positions });
    const { lost } = (done?.body ?? {}) as { readonly lost?: readonly number[] };
    const kept = positions.filter((position) => lost?.includes(position) !== true);
    // A lease that the server no longer knows acknowledges nothing.
    const isDone = done?.status === 200 || (done?.status === 409 && lost !== undefined);
    consumed.acknowledgements.push({
      positions: kept,
      sent,
      ...(isDone && { done: moment() }),
      ...(done === undefined && { unanswered: true }),
    });
    if (done !== undefined && ![200, 409, 503].includes(done.status))
      run.unexpected.push(`ack was ${done.status} ${JSON.stringify(done.body)}`);
  }
  if (some.length < rows.length) {
    const rest = {
      positions: rows.slice(some.length).map(({ position }) => position),
      reason: 'not now',
      delay_seconds: 0,
    };
    await ask(await pick(run.places, chance), '/api/subscriptions/Pulled/nack', { lease, ...rest });
  }
  return true;
}

/** Takes what webhooks send; a part of it is refused unless the run is `faithful`. */
export function receive({ chance, moment }: Run, receiver: Receiver, path: string, faithful: () => boolean): Consumed {
  const consumed: Consumed = { handOuts: [], acknowledgements: [], unanswered: [] };
  receiver.answer(path, async (event, response) => {
    const at = moment();
    consumed.handOuts.push({ asked: at, told: at, from: 'a webhook', rows: [sentRow(event)] });
    if (chance() < 0.3) await pause(chance() * 5);
    if (!faithful() && chance() < 0.1) {
      response.writeHead(422).end();
      return;
    }
    const sent = moment();
    response.writeHead(204).end();
    consumed.acknowledgements.push({ positions: [Number(event.sequence)], sent, done: sent });
  });
  return consumed;
}

/** The columns of a row that was sent, and the attributes around them, which have other names. */
function sentRow({ data, id, sequence, subject, type, ...rest }: CloudEvent): Row {
  return { ...data, id, subject, type, ...rest, position: Number(sequence) };
}

export interface Follower {
  readonly place: Place;
  readonly form: 'sse' | 'ndjson';
  readonly path: string;
  readonly applies: (event: Fact) => boolean;
}

const followed: readonly Pick<Follower, 'path' | 'applies'>[] = [
  { path: '/api/events?', applies: () => true },
  { path: '/api/aggregates/Source/events?', applies: ({ streamType }) => streamType === 'Source' },
  {
    path: '/api/events?event_type=Settled&event_type=Counted&',
    applies: ({ type }) => type === 'Settled' || type === 'Counted',
  },
  {
    path: '/api/aggregates/Source/events/s0?',
    applies: ({ streamType, streamId }) => streamType === 'Source' && streamId === 's0',
  },
];

/** Each path at each place, with the two forms in turn. */
export function followersOf(places: readonly Place[]): readonly Follower[] {
  return places.flatMap((place, number) =>
    followed.map((each, at) => ({ ...each, place, form: (number + at) % 2 === 0 ? 'sse' : 'ndjson' }) as const),
  );
}

/** Follows until it has seen or passed the last event, and comes back when it is cut, also by itself. */
export async function followUntil(
  run: Run,
  { place, form, path, applies }: Follower,
  last: () => number | undefined,
): Promise<Followed> {
  const connections: Connection[] = [];
  const name = `the ${form} of ${path} of ${place.name}`;
  let after = 0;
  while (after < (last() ?? Infinity)) {
    const url = place.url();
    const said: Connection['said'][number][] = [];
    const stop = new AbortController();
    const most = last() === undefined ? 1 + Math.floor(run.chance() ** 3 * 2_000) : Infinity;
    const accept = form === 'sse' ? 'text/event-stream' : 'application/x-ndjson';
    const connection = { after, said };
    try {
      const pieces = follow(
        `${url}${path}follow=true&heartbeat=1&after=${after}`,
        { Accept: accept },
        form === 'sse' ? '\n\n' : '\n',
        stop.signal,
      );
      if (url !== undefined)
        for await (const piece of pieces) {
          const row = form === 'sse' ? rowOfBlock(piece) : (JSON.parse(piece) as Connection['said'][number]);
          if (row === undefined || row['control'] !== undefined || row['reason'] !== undefined) continue;
          said.push(row);
          after = Math.max(after, Number(row['global_position']));
          if (said.length >= most || after >= (last() ?? Infinity)) break;
        }
    } catch (error) {
      if (!/^(503|408) /.test((error as Error).message)) run.unexpected.push(`${name}: ${String(error)}`);
    }
    stop.abort();
    connections.push(connection);
    if (said.length === 0) await pause(50);
  }
  return { name, applies, connections, until: last() ?? 0 };
}

/** The row or mark of a block of `text/event-stream`, whose id must be its position. */
function rowOfBlock(block: string): Connection['said'][number] | undefined {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const row = JSON.parse(data) as Connection['said'][number];
  return String(row['global_position']) === fields.get('id') ? row : { ...row, global_position: fields.get('id') };
}
