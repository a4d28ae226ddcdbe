/** Slips in the records of a sound run, one of each kind, each of which a check must find. */
import type { CommandEntry, LogEntry } from '../../runtime/store/entry.ts';
import type { Connection, Followed } from './check-followed.ts';
import type { Consumed, HandOut, Row } from './check-rows.ts';
import { factsOf } from './facts.ts';
import type { Check, Records } from './run.ts';

type Slip = (records: Records) => Records;

/** Slips, each with the check that must find it. */
export const slips: Readonly<Record<string, readonly [Check, Slip]>> = {
  'an effect copies the id of another event': [
    'reactions',
    inAnswer((entry, other) => copies(entry, { of_event: idOf(other) })),
  ],
  'an effect copies another position': ['reactions', inAnswer((entry) => copies(entry, { of_position: '1000000' }))],
  'an effect copies another field': ['reactions', inAnswer((entry) => copies(entry, { mark: 'another' }))],
  'an effect belongs to an event that is not there': ['reactions', inAnswer((entry) => named(entry, 'nothing'))],
  'an effect is marked as the answer to another event': ['reactions', inAnswer((entry) => marked(entry, 1_000_000))],
  'an effect happens twice': ['reactions', inAnswer((entry, other) => named(entry, idOf(other)))],
  'an effect never happens': ['reactions', inAnswer(({ commandId: _, ...entry }) => ({ ...entry, events: [] }))],
  'an effect has another cause': ['reactions', inAnswer((entry) => ({ ...entry, causationId: 'another' }))],
  'an effect loses the correlation': ['reactions', inAnswer((entry) => ({ ...entry, correlationId: 'another' }))],
  'an acknowledged command is gone': [
    'log',
    (records) => ({
      ...records,
      written: { ...records.written, emitted: new Map([...records.written.emitted, ['9-9', 5]]) },
    }),
  ],
  'a row never comes': [
    'rows',
    ofPulled(({ handOuts, ...rest }) => ({
      ...rest,
      handOuts: withRows(handOuts, (rows) => rows.filter(({ position }) => position !== firstRow(handOuts).position)),
    })),
  ],
  'a row has another content': ['rows', ofPulled(changedRow({ mark: 'another' }))],
  'a row is of an event that was taken back': ['rows', ofPulled(changedRow({ event_id: 'another' }))],
  'a row comes after it was acknowledged': ['rows', ofPulled(lateRow)],
  'a row overtakes another one of its stream': ['rows', ofPulled(turned)],
  'a webhook never comes': [
    'webhooks',
    ofPushed(({ handOuts, ...rest }) => ({
      ...rest,
      handOuts: withRows(handOuts, (rows) => rows.filter(({ position }) => position !== firstRow(handOuts).position)),
    })),
  ],
  'a webhook has another content': ['webhooks', ofPushed(changedRow({ amount: 1_000 }))],
  'a webhook has the id of another event': ['webhooks', ofPushed(changedRow({ id: 'another' }))],
  'a webhook overtakes another one of its stream': ['webhooks', ofPushed(turned)],
  'a follower skips an event': ['followers', ofFollowed((said) => said.filter((_, at) => at !== firstEvent(said)))],
  'a follower gets an event twice': [
    'followers',
    ofFollowed((said) => said.flatMap((row, at) => (at === firstEvent(said) ? [row, row] : [row]))),
  ],
  'a follower gets another content': [
    'followers',
    ofFollowed((said) => said.map((row, at) => (at === firstEvent(said) ? { ...row, data: {} } : row))),
  ],
  'a follower gets events out of order': ['followers', ofFollowed((said) => said.toReversed())],
  'a follower has another event at a position': [
    'followers',
    ofFollowed((said) => said.map((row, at) => (at === firstEvent(said) ? { ...row, event_id: 'another' } : row))),
  ],
  'a projection has another value': ['readings', ofReadings((rows) => rows.map((row) => ({ ...row, total: 1 })))],
  'a projection lacks a row': ['readings', ofReadings((rows) => rows.slice(1))],
  'a projection shows an earlier moment': [
    'readings',
    (records) => ({ ...records, readings: records.readings.map((each) => ({ ...each, entry: 1 })) }),
  ],
};

type Command = LogEntry & CommandEntry;

/** Changes an answer of the branch `Now`, given an earlier one. */
function inAnswer(change: (entry: Command, other: Command) => LogEntry): Slip {
  return (records) => {
    const { log } = records.facts;
    const answers = log.flatMap((entry) =>
      entry.kind === 'command' && entry.commandId?.startsWith('$r/Copy/1/Now/') === true && entry.events.length > 0
        ? [entry]
        : [],
    );
    const [other, entry] = [answers[0] as Command, answers[1] as Command]; // each run has several
    return { ...records, facts: factsOf(log.with(entry.number - 1, change(entry, other))) };
  };
}

function copies(entry: Command, more: object): Command {
  return {
    ...entry,
    events: entry.events.map((event) => ({
      ...event,
      data: JSON.stringify({ ...(JSON.parse(event.data) as object), ...more }),
    })),
  };
}

function idOf({ commandId = '' }: Command): string {
  return commandId.split('/').at(-1) ?? '';
}

function named(entry: Command, event: string): Command {
  return { ...entry, commandId: `$r/Copy/1/Now/${event}` };
}

function marked(entry: Command, position: number): Command {
  return { ...entry, cells: { ...entry.cells, reaction: { name: 'Copy', generation: 1, position } } };
}

function ofPulled(change: (consumed: Consumed) => Consumed): Slip {
  return (records) => (records.pulled === undefined ? records : { ...records, pulled: change(records.pulled) });
}

function ofPushed(change: (consumed: Consumed) => Consumed): Slip {
  return (records) => (records.pushed === undefined ? records : { ...records, pushed: change(records.pushed) });
}

function withRows(handOuts: readonly HandOut[], change: (rows: readonly Row[]) => readonly Row[]): HandOut[] {
  return handOuts.map((handOut) => ({ ...handOut, rows: change(handOut.rows) }));
}

function firstRow(handOuts: readonly HandOut[]): Row {
  return handOuts[0]?.rows[0] as Row; // each run has several
}

function changedRow(more: object): (consumed: Consumed) => Consumed {
  return ({ handOuts, ...others }) => {
    const changed = firstRow(handOuts);
    return {
      ...others,
      handOuts: withRows(handOuts, (rows) => rows.map((row) => (row === changed ? { ...row, ...more } : row))),
    };
  };
}

function lateRow({ handOuts, ...others }: Consumed): Consumed {
  const late = {
    asked: Number.MAX_SAFE_INTEGER - 1,
    told: Number.MAX_SAFE_INTEGER,
    from: 'server-1',
    rows: [firstRow(handOuts)],
  };
  return { ...others, handOuts: [...handOuts, late] };
}

/** All rows come in the other order, before anything is acknowledged. */
function turned({ handOuts, ...others }: Consumed): Consumed {
  const rows = handOuts.flatMap((handOut) => handOut.rows).toReversed();
  return {
    ...others,
    handOuts: rows.map((row, at) => ({ asked: 0, told: at / rows.length, from: 'server-1', rows: [row] })),
  };
}

function ofFollowed(change: (said: Connection['said']) => Connection['said']): Slip {
  return (records) => {
    const isLong = ({ connections }: Followed): boolean => connections.some(({ said }) => firstEvent(said) >= 0);
    const at = records.followed.findIndex(isLong);
    const followed = records.followed[at] as Followed; // each run has several
    const connections = followed.connections.map((each) =>
      firstEvent(each.said) < 0 ? each : { ...each, said: change(each.said) },
    );
    return { ...records, followed: records.followed.with(at, { ...followed, connections }) };
  };
}

function firstEvent(said: Connection['said']): number {
  return said.findIndex((row) => row['event_id'] !== undefined);
}

function ofReadings(change: (rows: Records['readings'][number]['rows']) => Records['readings'][number]['rows']): Slip {
  return (records) => ({
    ...records,
    readings: records.readings.map((each) => ({ ...each, rows: change(each.rows) })),
  });
}
