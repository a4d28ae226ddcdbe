/**
 * What the next append depends on: heads of streams, recorded command ids, the last position and time. Runs ahead of the disk;
 * everything past a mark can be taken back.
 */
import type { EntryBody, LogEntry, SchemaEntry } from '../entry.ts';
import type { EventKind, StorePosition } from '../store.ts';
import { createCommandIndex, type CommandHash } from './command-index.ts';

export type SchemaLogEntry = LogEntry & SchemaEntry;

export interface Ledger {
  /** Number of the last entry, position of the last event. */
  readonly entry: () => number;
  readonly event: () => number;
  readonly position: () => StorePosition;
  readonly head: (streamType: string, streamId: string) => number;
  /** Entries that may hold that command id, ascending: the caller compares. */
  readonly candidates: (streamType: string, streamId: string, commandId: string) => readonly number[];
  readonly schema: () => readonly SchemaLogEntry[];
  readonly kinds: () => readonly EventKind[];
  /** Numbers the entry, checks its positions and seqs, and takes it in. `at` never falls. */
  readonly append: (body: EntryBody, at: bigint) => LogEntry;
  /** Takes in an entry that the log already holds. */
  readonly replay: (entry: LogEntry) => void;
  /** Takes back everything after that entry. Only entries since the last `settle` can be taken back. */
  readonly takeBack: (entry: number) => void;
  /** Entries up to this one are durable and stay. */
  readonly settle: (entry: number) => void;
  /** Where a snapshot stands, instead of replaying what it covers. */
  readonly restore: (from: LedgerImage) => void;
}

export interface LedgerImage {
  readonly entry: number;
  readonly event: number;
  readonly at: bigint;
  readonly heads: readonly (readonly [streamType: string, streams: readonly string[], seqs: readonly number[]])[];
  readonly hashes: Float64Array;
  /** Of the hash at the same place. */
  readonly entries: Float64Array;
  readonly kinds: readonly EventKind[];
  readonly schema: readonly SchemaLogEntry[];
}

interface Step {
  readonly entry: number;
  readonly event: number;
  readonly at: bigint;
  readonly undo: readonly (() => void)[];
}

export function createLedger(hash: CommandHash): Ledger {
  const heads = new Map<string, Map<string, number>>();
  const commands = createCommandIndex();
  const schema: SchemaLogEntry[] = [];
  const kinds = createKindCounts();
  let entry = 0;
  let event = 0;
  let at = 0n;
  /** What each unsettled entry changed, and where things stood before it. */
  let steps: Step[] = [];

  const streams = (streamType: string): Map<string, number> => {
    const found = heads.get(streamType);
    if (found !== undefined) return found;
    const made = new Map<string, number>();
    heads.set(streamType, made);
    return made;
  };
  const head = (streamType: string, streamId: string): number => heads.get(streamType)?.get(streamId) ?? 0;

  /** Takes the entry in; what to call to take it back goes to `undo`, when there is one. */
  const take = (taken: LogEntry, undo?: (() => void)[]): void => {
    entry = taken.number;
    at = BigInt(taken.at);
    if (taken.kind === 'schema') {
      schema.push(taken);
      undo?.push(() => schema.pop());
    }
    if (taken.kind !== 'command') return;
    for (const { streamType, streamId, seq, position, type, version } of taken.events) {
      const of = streams(streamType);
      const before = of.get(streamId);
      of.set(streamId, seq);
      event = position;
      const kind = { aggregate: streamType, event: type, version };
      kinds.add(kind);
      undo?.push(() => kinds.remove(kind));
      undo?.push(() => (before === undefined ? of.delete(streamId) : of.set(streamId, before)));
    }
    if (taken.commandId === undefined) return;
    const key = hash(taken.streamType, taken.streamId, taken.commandId);
    commands.add(key, taken.number);
    undo?.push(() => commands.remove(key, taken.number));
  };

  return {
    entry: () => entry,
    event: () => event,
    position: () => ({ entry, event, at }),
    head,
    candidates: (streamType, streamId, commandId) => commands.find(hash(streamType, streamId, commandId)),
    schema: () => schema,
    kinds: kinds.all,
    append: (body, wanted) => {
      if (body.kind === 'command') checkPlaces(body.events, event, head);
      const taken: LogEntry = { ...body, number: entry + 1, at: String(wanted > at ? wanted : at) };
      const undo: (() => void)[] = [];
      const step = { entry, event, at, undo };
      take(taken, undo);
      steps.push(step);
      return taken;
    },
    replay: (taken) => take(taken),
    takeBack: (kept) => {
      for (let step = steps.at(-1); step !== undefined && step.entry >= kept; step = steps.at(-1)) {
        for (const undo of step.undo.toReversed()) undo();
        ({ entry, event, at } = step);
        steps.pop();
      }
    },
    settle: (durable) => {
      const kept = steps.findIndex((step) => step.entry >= durable);
      steps = kept < 0 ? [] : steps.slice(kept);
    },
    restore: (image) => {
      ({ entry, event, at } = image);
      schema.push(...image.schema);
      for (const [streamType, ids, seqs] of image.heads) {
        const of = streams(streamType);
        for (const [index, id] of ids.entries()) of.set(id, seqs[index] ?? 0);
      }
      for (const kind of image.kinds) kinds.add(kind);
      for (const [index, key] of image.hashes.entries()) commands.add(key, image.entries[index] ?? 0);
    },
  };
}

interface KindCounts {
  readonly add: (kind: EventKind) => void;
  readonly remove: (kind: EventKind) => void;
  readonly all: () => readonly EventKind[];
}

function createKindCounts(): KindCounts {
  const counts = new Map<string, { readonly kind: EventKind; count: number }>();
  const keyOf = ({ aggregate, event, version }: EventKind): string => `${aggregate}\0${event}\0${version}`;
  return {
    add: (kind) => {
      const key = keyOf(kind);
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { kind, count: 1 });
      else known.count += 1;
    },
    remove: (kind) => {
      const key = keyOf(kind);
      const known = counts.get(key);
      if (known === undefined) return;
      known.count -= 1;
      if (known.count === 0) counts.delete(key);
    },
    all: () => [...counts.values()].map(({ kind }) => kind),
  };
}

/** A wrong place is a bug above us, and would be in the log for ever. */
function checkPlaces(
  events: readonly { position: number; streamType: string; streamId: string; seq: number }[],
  last: number,
  head: (streamType: string, streamId: string) => number,
): void {
  const seqs = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    const key = `${event.streamType}\0${event.streamId}`;
    const before = seqs.get(key) ?? head(event.streamType, event.streamId);
    if (event.position !== last + 1 + index || event.seq !== before + 1) {
      throw new Error(
        `an event at position ${event.position}, seq ${event.seq} cannot follow ${last + index} and ${before}`,
      );
    }
    seqs.set(key, event.seq);
  }
}
