/**
 * The state that the next append depends on: heads of streams, recorded command ids, the last position and time. It is
 * ahead of the disk; everything after a mark can be taken back.
 */
import type { CommandEntry, EntryBody, LogEntry, SchemaEntry, StoredEvent } from '../entry.ts';
import type { EventKind, StorePosition } from '../store.ts';
import { cellsProblem, type CommandCells } from '../cells.ts';
import { createCommandIndex, type CommandHash } from './command-index.ts';

export type SchemaLogEntry = LogEntry & SchemaEntry;

export interface Ledger {
  /** Number of the last entry, position of the last event. */
  readonly entry: () => number;
  readonly event: () => number;
  readonly position: () => StorePosition;
  readonly head: (streamType: string, streamId: string) => number;
  /** Entries that may have that command id, ascending: the caller compares. */
  readonly candidates: (streamType: string, streamId: string, commandId: string) => readonly number[];
  readonly schema: () => readonly SchemaLogEntry[];
  readonly kinds: () => readonly EventKind[];
  /** Numbers the entry, checks its positions and seqs, and adds it. `at` never decreases. */
  readonly append: (body: EntryBody, at: bigint) => LogEntry;
  /** Adds an entry that the log already has. */
  readonly replay: (entry: LogEntry) => void;
  /** Takes back everything after that entry. Only entries since the last `confirm` can be taken back. */
  readonly takeBack: (entry: number) => void;
  /** Entries up to this one are durable and stay. */
  readonly confirm: (entry: number) => void;
  /** Starts from the position of a snapshot, instead of replaying the entries it covers. */
  readonly restore: (from: LedgerImage) => void;
}

export interface LedgerImage {
  readonly entry: number;
  readonly event: number;
  readonly at: bigint;
  readonly heads: readonly (readonly [streamType: string, streams: readonly string[], seqs: readonly number[]])[];
  readonly hashes: Float64Array;
  /** The entry of the hash at the same index. */
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
  /** The change of each unconfirmed entry, and the state before it. */
  let steps: Step[] = [];

  const streams = (streamType: string): Map<string, number> => {
    const found = heads.get(streamType);
    if (found !== undefined) return found;
    const made = new Map<string, number>();
    heads.set(streamType, made);
    return made;
  };
  const head = (streamType: string, streamId: string): number => heads.get(streamType)?.get(streamId) ?? 0;

  const takeBackEvents = (events: readonly StoredEvent[], befores: readonly number[]): void => {
    for (let index = events.length - 1; index >= 0; index--) {
      const { streamType, streamId, type, version } = events[index] as StoredEvent; // within its length
      const before = befores[index] ?? 0;
      if (before === 0) streams(streamType).delete(streamId);
      else streams(streamType).set(streamId, before);
      kinds.remove(streamType, type, version);
    }
  };

  /** Adds the entry; a function that takes it back is added to `undo`, when given. */
  const take = (taken: LogEntry, undo?: (() => void)[]): void => {
    entry = taken.number;
    at = BigInt(taken.at);
    if (taken.kind === 'schema') {
      schema.push(taken);
      undo?.push(() => schema.pop());
    }
    if (taken.kind !== 'command') return;
    const { events } = taken;
    const befores = undo === undefined ? undefined : events.map(() => 0);
    for (let index = 0; index < events.length; index++) {
      const { streamType, streamId, seq, position, type, version } = events[index] as StoredEvent; // within its length
      const of = streams(streamType);
      if (befores !== undefined) befores[index] = of.get(streamId) ?? 0;
      of.set(streamId, seq);
      event = position;
      kinds.add(streamType, type, version);
    }
    if (befores !== undefined) undo?.push(() => takeBackEvents(events, befores));
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
      if (body.kind === 'command') {
        checkPlaces(body.events, event, head);
        if (body.cells !== undefined) checkCells(body.cells);
      }
      const taken = numbered(body, entry + 1, String(wanted > at ? wanted : at));
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
    confirm: (durable) => {
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
      for (const { aggregate, event: type, version, count } of image.kinds) kinds.add(aggregate, type, version, count);
      for (const [index, key] of image.hashes.entries()) commands.add(key, image.entries[index] ?? 0);
    },
  };
}

/** Property by property: spreading an object costs more than the rest of an append. */
function numbered(body: EntryBody, number: number, at: string): LogEntry {
  if (body.kind !== 'command') return { ...body, number, at };
  const { kind, command, streamType, streamId, events } = body;
  const entry: { -readonly [K in keyof (LogEntry & CommandEntry)]: (LogEntry & CommandEntry)[K] } = {
    number,
    at,
    kind,
    command,
    streamType,
    streamId,
    events,
  };
  if (body.commandId !== undefined) entry.commandId = body.commandId;
  if (body.fingerprint !== undefined) entry.fingerprint = body.fingerprint;
  if (body.rejection !== undefined) entry.rejection = body.rejection;
  if (body.correlationId !== undefined) entry.correlationId = body.correlationId;
  if (body.causationId !== undefined) entry.causationId = body.causationId;
  if (body.cells !== undefined) entry.cells = body.cells;
  return entry;
}

interface KindCounts {
  readonly add: (aggregate: string, event: string, version: number, count?: number) => void;
  readonly remove: (aggregate: string, event: string, version: number) => void;
  readonly all: () => readonly EventKind[];
}

type KindCount = { -readonly [K in keyof EventKind]: EventKind[K] };

/** By aggregate, then by event: a combined key would have to be created for every event. */
function createKindCounts(): KindCounts {
  const counts = new Map<string, Map<string, KindCount[]>>();
  const versionsOf = (aggregate: string, event: string): KindCount[] => {
    let events = counts.get(aggregate);
    if (events === undefined) counts.set(aggregate, (events = new Map<string, KindCount[]>()));
    let versions = events.get(event);
    if (versions === undefined) events.set(event, (versions = []));
    return versions;
  };
  return {
    add: (aggregate, event, version, count = 1) => {
      const versions = versionsOf(aggregate, event);
      const known = versions.find((kind) => kind.version === version);
      if (known === undefined) versions.push({ aggregate, event, version, count });
      else known.count += count;
    },
    remove: (aggregate, event, version) => {
      const known = versionsOf(aggregate, event).find((kind) => kind.version === version);
      if (known !== undefined) known.count -= 1;
    },
    all: () =>
      [...counts.values()]
        .flatMap((events) => [...events.values()].flat())
        .filter(({ count }) => count > 0)
        .map((kind) => ({ ...kind })),
  };
}

/** Wrong cells are a bug of the caller, and would stay in the log forever. */
function checkCells(cells: CommandCells): void {
  const problem = cellsProblem(cells);
  if (problem !== undefined) throw new Error(`the cell '${problem.field}' of a command is not what it must be`);
}

/** A wrong position or seq would stay in the log forever too. */
function checkPlaces(
  events: readonly StoredEvent[],
  last: number,
  head: (streamType: string, streamId: string) => number,
): void {
  /** By stream; a type is a name, which has no such character. */
  const seqs = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    const stream = `${event.streamType}\0${event.streamId}`;
    const before = seqs.get(stream) ?? head(event.streamType, event.streamId);
    seqs.set(stream, event.seq);
    if (event.position !== last + 1 + index || event.seq !== before + 1)
      throw new Error(
        `an event at position ${event.position}, seq ${event.seq} cannot follow ${last + index} and ${before}`,
      );
  }
}
