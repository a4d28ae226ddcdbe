import type { HeadTable } from '../ledger-files/records.ts';
import { createTextHash, createTextMap, type TextMap } from '../text-map.ts';

/** The seq of the last event of each stream. */
export interface Heads {
  /** 0 when the stream has no event. */
  readonly get: (streamType: string, streamId: string) => number;
  readonly set: (streamType: string, streamId: string, seq: number) => void;
  /** Takes back later changes: the head was `before`. */
  readonly putBack: (streamType: string, streamId: string, before: number) => void;
  /** Number of heads that were set since the last part. */
  readonly unsaved: () => number;
  /**
   * Heads that were set since the last part, to be saved, without the changes `later`, in their order, which stay here. They still answer
   * until `release`.
   */
  readonly part: (
    later: readonly (readonly [streamType: string, streamId: string, seq: number, before: number])[],
  ) => HeadTable;
  /** Called when the heads of the part are in the files. */
  readonly release: () => void;
}

/** The most heads that are remembered after they were read from files. */
const mostRead = 32_768;

/** By type, then by stream: a combined key would have to be created for every event. */
type Table = Map<string, TextMap<number>>;

/** `filed` reads those that are in files; without it all are in memory. `seed`: callers who name streams must not know it. */
export function createHeads(seed: number, filed?: (streamType: string, streamId: string) => number): Heads {
  const hash = createTextHash(seed);
  let recent: Table = new Map();
  let unsaved = 0;
  /** The part that is being saved. */
  let saving: Table | undefined;
  /** Heads that are in files: the last part that was saved, and those that were read since. */
  let last: Table = new Map();
  let read: Table = new Map();
  let readCount = 0;

  /** Sets a head; returns the number of streams that the table has gained. */
  const put = (table: Table, streamType: string, streamId: string, seq: number): number => {
    let streams = table.get(streamType);
    if (streams === undefined) table.set(streamType, (streams = createTextMap(hash)));
    return streams.set(streamId, seq, ownText) ? 1 : 0;
  };
  const older = (streamType: string, streamId: string): number => {
    if (filed === undefined && saving === undefined && last.size === 0) return 0;
    const known =
      saving?.get(streamType)?.get(streamId) ??
      last.get(streamType)?.get(streamId) ??
      read.get(streamType)?.get(streamId);
    if (known !== undefined) return known;
    if (filed === undefined) return 0;
    const found = filed(streamType, streamId);
    if (readCount >= mostRead) {
      read = new Map();
      readCount = 0;
    }
    put(read, streamType, streamId, found);
    readCount += 1;
    return found;
  };
  const set = (streamType: string, streamId: string, seq: number): void => {
    unsaved += put(recent, streamType, streamId, seq);
  };

  return {
    get: (streamType, streamId) => recent.get(streamType)?.get(streamId) ?? older(streamType, streamId),
    set,
    putBack: (streamType, streamId, before) => {
      if (before > 0) set(streamType, streamId, before);
      else if (recent.get(streamType)?.delete(streamId) === true) unsaved -= 1;
    },
    unsaved: () => unsaved,
    part: (later) => {
      const part = recent;
      recent = new Map();
      unsaved = 0;
      for (const [streamType, streamId, , before] of later.toReversed()) {
        if (before > 0) put(part, streamType, streamId, before);
        else part.get(streamType)?.delete(streamId);
      }
      for (const [streamType, streamId, seq] of later) set(streamType, streamId, seq);
      saving = part;
      return part;
    },
    release: () => {
      last = saving ?? last;
      saving = undefined;
      read = new Map();
      readCount = 0;
    },
  };
}

/** A copy of the text alone: V8 keeps the whole text that a part was cut from, and a stream is mostly named in the body of a request. */
function ownText(part: string): string {
  return [part.charAt(0), part.slice(1)].join(''); // the fastest way to a copy of which nothing else is kept
}
