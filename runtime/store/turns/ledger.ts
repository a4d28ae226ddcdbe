/**
 * The state that the next append depends on: heads of streams, recorded command ids, the last position and time. It is ahead of the disk;
 * everything after a mark can be taken back. Most heads and ids of a long history can be in files (`ledger-files/`): then those that are
 * not in files yet, and those that were used last, are in memory.
 */
import type { CommandEntry, EntryBody, LogEntry, SchemaEntry, StoredEvent } from '../entry.ts';
import type { LedgerFiles, LedgerPart, SavedLedger } from '../ledger-files/ledger-files.ts';
import type { EventKind } from '../entry.ts';
import type { StorePosition } from './turn.ts';
import { ownCellsProblem, type CommandCells } from '../cells.ts';
import { createCommandIndex, type CommandHash, type CommandIndex } from './command-index.ts';
import { createHeads, type Heads } from './heads.ts';

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
  /** Starts from the position of the files that it was created with. */
  readonly resume: (from: SavedLedger, schema: readonly SchemaLogEntry[]) => void;
  /** Heads and command ids that are in memory only. */
  readonly unsaved: () => number;
  /** The durable part that is in memory only, to be saved; it still answers until `release`. One part at a time. */
  readonly part: () => LedgerPart;
  /** The last part is in the files. */
  readonly release: () => void;
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

/** An entry that can be taken back: the state before it. */
interface Step {
  readonly entry: number;
  readonly event: number;
  readonly at: bigint;
  readonly taken: LogEntry;
  /** The head of the stream of each event before it. */
  readonly befores: readonly number[];
}

export type FiledPlaces = Pick<LedgerFiles, 'head' | 'candidates'>;

/** Without files everything is in memory. */
export function createLedger(hash: CommandHash, files?: FiledPlaces): Ledger {
  const heads = createHeads(hash('', '', '') | 0, files?.head);
  let commands = createCommandIndex();
  /** The part that is being saved. */
  let saving: { readonly entry: number; readonly commands: CommandIndex } | undefined;
  /** The last entry of the last part. */
  let parted = 0;
  const schema: SchemaLogEntry[] = [];
  const kinds = createKindCounts();
  let entry = 0;
  let event = 0;
  let at = 0n;
  /** The unconfirmed entries. */
  let steps: Step[] = [];
  /** A time as text: many entries have the same. */
  let printed = { time: 0n, text: '0' };
  const textOf = (time: bigint): string => {
    if (time !== printed.time) printed = { time, text: String(time) };
    return printed.text;
  };

  const undo = ({ taken, befores }: Step): void => {
    if (taken.kind === 'schema') schema.pop();
    if (taken.kind !== 'command') return;
    const { events } = taken;
    for (let index = events.length - 1; index >= 0; index--) {
      const { streamType, streamId, type, version } = events[index] as StoredEvent; // within its length
      heads.putBack(streamType, streamId, befores[index] ?? 0);
      kinds.remove(streamType, type, version);
    }
    if (taken.commandId !== undefined)
      commands.remove(hash(taken.streamType, taken.streamId, taken.commandId), taken.number);
  };

  /** Adds the entry of that time. */
  const take = (taken: LogEntry, time: bigint): void => {
    entry = taken.number;
    at = time;
    if (taken.kind === 'schema') schema.push(taken);
    if (taken.kind !== 'command') return;
    for (const { streamType, streamId, seq, position, type, version } of taken.events) {
      heads.set(streamType, streamId, seq);
      event = position;
      kinds.add(streamType, type, version);
    }
    if (taken.commandId === undefined) return;
    commands.add(hash(taken.streamType, taken.streamId, taken.commandId), taken.number);
  };

  const candidates = (wanted: number): readonly number[] => {
    const found = commands.find(wanted);
    if (files === undefined) return found;
    const { entry: last, commands: before } = saving ?? { entry: 0 };
    const older = before?.find(wanted).filter((number) => number <= last) ?? [];
    // For a moment a part is in the files and still here.
    return [...new Set([...files.candidates(wanted), ...older, ...found])].sort((a, b) => a - b);
  };

  return {
    entry: () => entry,
    event: () => event,
    position: () => ({ entry, event, at }),
    head: heads.get,
    candidates: (streamType, streamId, commandId) => candidates(hash(streamType, streamId, commandId)),
    schema: () => schema,
    kinds: kinds.all,
    append: (body, wanted) => {
      let befores: readonly number[] = [];
      if (body.kind === 'command') {
        befores = checkedBefores(body.events, event, heads);
        if (body.cells !== undefined) checkCells(body.cells);
      }
      const time = wanted > at ? wanted : at;
      const taken = numbered(body, entry + 1, textOf(time));
      steps.push({ entry, event, at, taken, befores });
      take(taken, time);
      return taken;
    },
    replay: (taken) => take(taken, BigInt(taken.at)),
    takeBack: (kept) => {
      for (let step = steps.at(-1); step !== undefined && step.entry >= kept; step = steps.at(-1)) {
        undo(step);
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
      for (const [streamType, streams, seqs] of image.heads)
        for (const [index, id] of streams.entries()) heads.set(streamType, id, seqs[index] ?? 0);
      for (const { aggregate, event: type, version, count } of image.kinds) kinds.add(aggregate, type, version, count);
      for (const [index, key] of image.hashes.entries()) commands.add(key, image.entries[index] ?? 0);
    },
    resume: (from, changes) => {
      ({ entry, event, at } = from);
      parted = entry;
      schema.push(...changes);
      for (const { aggregate, event: type, version, count } of from.kinds) kinds.add(aggregate, type, version, count);
    },
    unsaved: () => heads.unsaved() + commands.size(),
    part: () => {
      const end = steps[0] ?? { entry, event, at };
      const before = commands;
      commands = createCommandIndex();
      const counts = createKindCounts(kinds.all());
      // Entries that are not durable stay out of the part, and in memory.
      const later: (readonly [streamType: string, streamId: string, seq: number, before: number])[] = [];
      for (const { taken, befores } of steps) {
        if (taken.kind !== 'command') continue;
        if (taken.commandId !== undefined)
          commands.add(hash(taken.streamType, taken.streamId, taken.commandId), taken.number);
        for (const [index, { streamType, streamId, seq, type, version }] of taken.events.entries()) {
          later.push([streamType, streamId, seq, befores[index] ?? 0]);
          counts.remove(streamType, type, version);
        }
      }
      saving = { entry: end.entry, commands: before };
      const part = {
        entry: end.entry,
        event: end.event,
        at: end.at,
        heads: heads.part(later),
        ids: before.all().filter(([, number]) => number <= end.entry),
        kinds: counts.all(),
        schema: schema.map(({ number }) => number).filter((number) => number > parted && number <= end.entry),
      };
      parted = end.entry;
      return part;
    },
    release: () => {
      saving = undefined;
      heads.release();
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
function createKindCounts(from: readonly EventKind[] = []): KindCounts {
  const counts = new Map<string, Map<string, KindCount[]>>();
  const versionsOf = (aggregate: string, event: string): KindCount[] => {
    let events = counts.get(aggregate);
    if (events === undefined) counts.set(aggregate, (events = new Map<string, KindCount[]>()));
    let versions = events.get(event);
    if (versions === undefined) events.set(event, (versions = []));
    return versions;
  };
  const add: KindCounts['add'] = (aggregate, event, version, count = 1) => {
    const versions = versionsOf(aggregate, event);
    const known = versions.find((kind) => kind.version === version);
    if (known === undefined) versions.push({ aggregate, event, version, count });
    else known.count += count;
  };
  for (const { aggregate, event, version, count } of from) add(aggregate, event, version, count);
  return {
    add,
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
  const problem = ownCellsProblem(cells);
  if (problem !== undefined) throw new Error(`the cell '${problem.field}' of a command is not what it must be`);
}

/** The seq of the event before each of these in its stream. A wrong position or seq would stay in the log forever too. */
function checkedBefores(events: readonly StoredEvent[], last: number, heads: Pick<Heads, 'get'>): readonly number[] {
  const befores = new Array<number>(events.length);
  for (let index = 0; index < events.length; index++) {
    const { streamType, streamId, position, seq } = events[index] as StoredEvent; // within its length
    const before = seqBefore(events, index) ?? heads.get(streamType, streamId);
    if (position !== last + 1 + index || seq !== before + 1)
      throw new Error(`an event at position ${position}, seq ${seq} cannot follow ${last + index} and ${before}`);
    befores[index] = before;
  }
  return befores;
}

/** The seq of the stream's event before that one, if the same command has emitted it. There are at most some hundred events, and mostly one. */
function seqBefore(events: readonly StoredEvent[], index: number): number | undefined {
  const event = events[index];
  for (let at = index - 1; at >= 0; at--) {
    const earlier = events[at];
    if (earlier?.streamId === event?.streamId && earlier?.streamType === event?.streamType) return earlier?.seq;
  }
  return undefined;
}
