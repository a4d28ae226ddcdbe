/** Checks states and projections as servers answered them, with a plain replay of the log up to the entry that the answer says it shows. */
import type { Fact, Facts } from './facts.ts';
import { comparable, eventsOf } from './facts.ts';

export type Table = readonly Readonly<Record<string, unknown>>[];
export type Asked = keyof typeof relations;

export interface Reading {
  readonly what: Asked;
  readonly from: string;
  /** `Schemac-Entry`. */
  readonly entry: number;
  /** The largest entry that any server had acknowledged before it was asked; 0 of a local reading. */
  readonly floor: number;
  readonly rows: Table;
}

interface Source {
  total: number;
  events: number;
  largest: number;
  latest: unknown;
}
interface Branch {
  notes: number;
  amount: number;
  furthest: number;
  latest: unknown;
}
interface Replay {
  readonly sources: Map<string, Source>;
  readonly branches: Map<string, Branch>;
  readonly answered: Set<string>;
  notes: number;
}

/** The relations of `deliveredSchema`, computed from the state of a replay. */
const relations = {
  Sums: ({ sources }: Replay) => sorted(sources).map(([id, each]) => ({ aggregate_id: id, ...each })),
  Source: ({ sources }: Replay) => sorted(sources).map(([id, each]) => ({ aggregate_id: id, source: id, ...each })),
  Branches: ({ branches }: Replay) => sorted(branches).map(([branch, each]) => ({ branch, ...each })),
  Answered: ({ answered, notes }: Replay) => [{ events: answered.size, notes }],
} as const;

/** Paths of the relations that are read of a server. */
export const paths: Readonly<Record<Asked, string>> = {
  Sums: '/api/projections/Sums/query',
  Source: '/api/aggregates/Source/state?order=aggregate_id',
  Branches: '/api/projections/Branches/query',
  Answered: '/api/projections/Answered/query',
};

export function checkReadings({ log }: Facts, readings: readonly Reading[]): readonly string[] {
  const faults: string[] = [];
  const at = new Map<number, Reading[]>();
  for (const reading of readings) {
    const { what, from, entry, floor } = reading;
    if (entry < floor) faults.push(`${what} of ${from} shows entry ${entry}, though ${floor} was acknowledged`);
    if (entry > log.length) faults.push(`${what} of ${from} shows entry ${entry}, and the log ends at ${log.length}`);
    at.set(entry, [...(at.get(entry) ?? []), reading]);
  }
  const replay: Replay = { sources: new Map(), branches: new Map(), answered: new Set(), notes: 0 };
  const compare = (entry: number): void => {
    for (const { what, from, rows } of at.get(entry) ?? []) {
      const [told, right] = [rows, relations[what](replay)].map((table) => table.map(comparable).join('; '));
      if (told !== right) faults.push(`${what} of ${from} at entry ${entry} is ${told}, not ${right}`);
    }
  };
  compare(0);
  for (const entry of log) {
    if (entry.kind === 'command') {
      const events = eventsOf(entry);
      const saw = events.find(({ streamType, data }) => streamType === 'Source' && data['seen'] !== -1);
      const total = saw === undefined ? 0 : (replay.sources.get(saw.streamId)?.total ?? 0);
      if (saw !== undefined && saw.data['seen'] !== total)
        faults.push(`the decision of event ${saw.position} saw ${String(saw.data['seen'])}, not ${total}`);
      for (const event of events) evolve(replay, event);
    }
    compare(entry.number);
  }
  return faults;
}

function evolve(replay: Replay, { streamType, streamId, data }: Fact): void {
  const amount = Number(data['amount']);
  if (streamType === 'Source') {
    const source = replay.sources.get(streamId) ?? { total: 0, events: 0, largest: -Infinity, latest: '' };
    source.total += amount;
    source.events += 1;
    source.largest = Math.max(source.largest, amount);
    source.latest = data['mark'];
    replay.sources.set(streamId, source);
  }
  if (streamType === 'Answer') {
    const name = String(data['branch']);
    const branch = replay.branches.get(name) ?? { notes: 0, amount: 0, furthest: 0, latest: '' };
    branch.notes += 1;
    branch.amount += amount;
    branch.furthest = Math.max(branch.furthest, Number(data['of_position']));
    branch.latest = data['of_event'];
    replay.branches.set(name, branch);
    replay.answered.add(String(data['of_event']));
    replay.notes += 1;
  }
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1));
}
