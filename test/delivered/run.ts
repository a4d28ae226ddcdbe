/** A run: clients of all kinds on the servers of a world, trouble meanwhile, and the checks of all answers that they got. */
import { setTimeout as pause } from 'node:timers/promises';
import { createChance } from '../servers/history.ts';
import type { Receiver } from '../webhook/receiver.ts';
import { ask } from './ask.ts';
import { checkFollowed, type Followed } from './check-followed.ts';
import { checkReactions, type ReactionCheck } from './check-reactions.ts';
import { checkReadings, paths, type Asked, type Reading } from './check-readings.ts';
import { checkRows, pulled, pushed, type Consumed } from './check-rows.ts';
import { consume, followersOf, followUntil, read, receive, write, type Run, type Written } from './clients.ts';
import { eventsOf, factsOf, type Facts } from './facts.ts';
import type { World } from './world.ts';

export interface RunOptions {
  readonly seed: number;
  readonly clients: number;
  /** Number of acknowledged commands and of troubles after which the run ends, but no later than after `seconds`. */
  readonly commands: number;
  readonly troubles: number;
  readonly seconds: number;
  /** Milliseconds before each trouble. */
  readonly between: number;
}

/** All answers of a run, and the log at its end. */
export interface Records {
  readonly facts: Facts;
  readonly written: Written;
  readonly pulled: Consumed | undefined;
  readonly pushed: Consumed | undefined;
  readonly followed: readonly Followed[];
  readonly readings: readonly Reading[];
}

export interface RunFigures {
  /** Outcomes of reactions in the log, and which of them are faults of which kind. */
  readonly reactions: Omit<ReactionCheck, 'faults'>;
  readonly commands: number;
  readonly acknowledged: number;
  readonly entries: number;
  readonly rows: number;
  readonly sent: number;
  readonly again: number;
  readonly followed: number;
  readonly connections: number;
  readonly readings: number;
  readonly troubles: number;
  readonly seconds: number;
}

/** Sentences about faults, by what they are of; `answers` are those that no client should get. */
export type Faults = Readonly<
  Record<'answers' | 'log' | 'reactions' | 'rows' | 'webhooks' | 'followers' | 'readings', readonly string[]>
>;

export interface Finished {
  readonly faults: Faults;
  readonly figures: RunFigures;
  readonly records: Records;
}

/** Where webhooks of a world must be sent. */
export interface Target {
  readonly receiver: Receiver;
  readonly path: string;
}

const asked = Object.keys(paths) as readonly Asked[];

export async function runDelivered(world: World, options: RunOptions, target: Target | undefined): Promise<Finished> {
  const began = performance.now();
  const chance = createChance(options.seed);
  let moments = 0;
  const run: Run = { places: world.places, chance, moment: () => (moments += 1), acknowledged: 0, unexpected: [] };
  const written: Written = { emitted: new Map(), unknown: [] };
  const readings: Reading[] = [];
  let isCalm = false;
  const hasEnded = (): boolean => isCalm;
  /** Position of the last event, once all is written. */
  const end: { last?: number } = {};
  const pushedRows = target === undefined ? undefined : receive(run, target.receiver, target.path, hasEnded);
  const pulledRows: Consumed | undefined = world.subscriptions
    ? { handOuts: [], acknowledgements: [], unanswered: [] }
    : undefined;
  let made = 0;
  let troubles = 0;
  const isOver = (): boolean =>
    performance.now() - began > options.seconds * 1000 ||
    (written.emitted.size >= options.commands && troubles >= options.troubles);

  const writing = Array.from({ length: options.clients }, async (_, client) => {
    while (!isOver()) await write(run, written, `${client}-${(made += 1)}`, 12);
  });
  const disturbing = (async () => {
    for (let number = 0; options.troubles > 0 && !isOver(); number += 1) {
      await pause(options.between);
      if (await world.trouble(number)) troubles += 1;
    }
  })();
  const reading = world.places.map(async (place) => {
    while (!isOver()) {
      const what = asked[Math.floor(chance() * asked.length)] ?? 'Sums';
      const told = await read(run, place, what, chance() < 0.3);
      if (told !== undefined) readings.push(told);
      await pause(10 + chance() * 40);
    }
  });
  let isDrained = false;
  const consuming = Array.from({ length: pulledRows === undefined ? 0 : 4 }, async () => {
    while (!isDrained && pulledRows !== undefined)
      if (!(await consume(run, pulledRows, hasEnded))) await pause(20 + chance() * 30);
  });
  const following = followersOf(world.places).map((follower) => followUntil(run, follower, () => end.last));

  await Promise.all([...writing, ...reading, disturbing]);
  await world.calm();
  isCalm = true;
  const left = await untilQuiet(world, options.seconds * 1000);
  if (left !== undefined)
    run.unexpected.push(`not everything was delivered ${options.seconds} s after the last command: ${left}`);
  end.last = factsOf(await world.log()).events.length;
  isDrained = true;
  const followed = await Promise.all(following);
  await Promise.all(consuming);
  for (const place of world.places)
    for (const what of asked) {
      const told = await read(run, place, what, false);
      if (told === undefined) run.unexpected.push(`${what} of ${place.name} has no answer at the end`);
      else readings.push(told);
    }
  // Entries about the work of servers, such as the place of a subscription, are still added at any time.
  const facts = factsOf(await world.log());
  const records: Records = { facts, written, pulled: pulledRows, pushed: pushedRows, followed, readings };
  const faultsOf = (check: Check): readonly string[] => checks[check](records);
  const { faults: _, ...reactions } = checkReactions(facts);
  const connections = followed.flatMap((each) => each.connections);
  const handedOut = rowsIn(pulledRows);
  const sent = rowsIn(pushedRows);
  return {
    faults: {
      answers: [...new Set(run.unexpected)],
      log: faultsOf('log'),
      reactions: faultsOf('reactions'),
      rows: faultsOf('rows'),
      webhooks: faultsOf('webhooks'),
      followers: faultsOf('followers'),
      readings: faultsOf('readings'),
    },
    figures: {
      reactions,
      acknowledged: written.emitted.size,
      entries: facts.log.length,
      readings: readings.length,
      rows: handedOut.rows,
      sent: sent.rows,
      again: handedOut.again + sent.again,
      followed: connections.reduce((sum, { said }) => sum + said.length, 0),
      connections: connections.length,
      commands: made,
      troubles,
      seconds: Math.round((performance.now() - began) / 1000),
    },
    records,
  };
}

export type Check = Exclude<keyof Faults, 'answers'>;

/** Sentences about what is wrong in the records, by what it is of. */
export const checks: Readonly<Record<Check, (records: Records) => readonly string[]>> = {
  log: ({ facts, written }) => [...facts.faults, ...checkWritten(facts, written)],
  reactions: ({ facts }) => checkReactions(facts).faults,
  rows: ({ facts, pulled: taken }) => (taken === undefined ? [] : checkRows(facts, pulled, taken)),
  webhooks: ({ facts, pushed: taken }) => (taken === undefined ? [] : checkRows(facts, pushed, taken)),
  followers: ({ facts, followed }) => followed.flatMap((each) => checkFollowed(facts, each)),
  readings: ({ facts, readings }) => checkReadings(facts, readings),
};

/** Counts the rows that came, and those of them that came again. */
function rowsIn(consumed: Consumed | undefined): { readonly rows: number; readonly again: number } {
  const positions = (consumed?.handOuts ?? []).flatMap(({ rows }) => rows.map(({ position }) => position));
  return { rows: positions.length, again: positions.length - new Set(positions).size };
}

/** Each acknowledged command is in the log once, in its entry, and each other one at most once. */
function checkWritten({ log }: Facts, { emitted, unknown }: Written): readonly string[] {
  const faults: string[] = [];
  const found = new Map<string, number>();
  for (const entry of log) {
    if (entry.kind !== 'command') continue;
    const [first] = eventsOf(entry);
    if (first?.streamType !== 'Source') continue;
    const [mark = ''] = /^\d+-\d+/.exec(String(first.data['mark'])) ?? [];
    if (found.has(mark)) faults.push(`${mark} is in entries ${found.get(mark)} and ${entry.number}`);
    found.set(mark, entry.number);
  }
  for (const [mark, entry] of emitted)
    if (found.get(mark) !== entry)
      faults.push(`${mark} was acknowledged as entry ${entry}, and is ${found.get(mark) ?? 'gone'}`);
  const sent = new Set([...emitted.keys(), ...unknown]);
  for (const mark of found.keys()) if (!sent.has(mark)) faults.push(`${mark} was never sent`);
  return faults;
}

/**
 * Resolves when reactions and subscriptions say that nothing is left and the log stays as it is, or with what they say when the time is over.
 */
async function untilQuiet({ places, subscriptions }: World, milliseconds: number): Promise<string | undefined> {
  const end = performance.now() + milliseconds;
  let quiet = 0;
  let before = '';
  let left = '';
  while (quiet < 3 && performance.now() < end) {
    await pause(200);
    const said: unknown[] = [];
    for (const place of places) {
      for (const name of ['Copy', 'Divide', 'Chain']) said.push((await ask(place, `/api/reactions/${name}`))?.body);
      if (subscriptions)
        for (const name of ['Pulled', 'Pushed']) said.push((await ask(place, `/api/subscriptions/${name}`))?.body);
    }
    const rows = said.map((body) => (body as readonly Readonly<Record<string, unknown>>[] | undefined)?.[0]);
    const isIdle = rows.every(
      (row) => row !== undefined && idle.every((field) => row[field] === undefined || row[field] === 0),
    );
    const now = JSON.stringify(rows.map((row) => [row?.['examined'], row?.['acknowledged']]));
    quiet = isIdle && now === before ? quiet + 1 : 0;
    before = now;
    left = JSON.stringify(rows);
  }
  return quiet >= 3 ? undefined : left;
}

const idle = ['ready', 'waiting', 'lag_rows', 'out'] as const;
