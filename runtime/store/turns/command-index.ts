/**
 * Finds the entries that may be the record of a command id: a hash table of numbers only, about 25 bytes a command for
 * ids of any length. Several entries may have the same hash, so the reader compares the entry itself. Split into
 * shards, so that growing one never stops the process for long. The hash is keyed by the store's own random id: a
 * caller cannot produce collisions.
 */
export interface CommandIndex {
  readonly add: (hash: number, entry: number) => void;
  readonly remove: (hash: number, entry: number) => void;
  /** Entries with this hash, ascending. */
  readonly find: (hash: number) => readonly number[];
  readonly size: () => number;
  /** All of them, in no order. */
  readonly all: () => readonly (readonly [hash: number, entry: number])[];
}

interface Shard {
  hashes: Float64Array;
  /** 0: free. -1: removed, can be used again. */
  entries: Float64Array;
  /** Slots that are not free. */
  used: number;
  /** Slots with an entry. */
  live: number;
}

const shardCount = 256;
const removed = -1;

export function createCommandIndex(): CommandIndex {
  const shards: Shard[] = Array.from({ length: shardCount }, () => emptyShard(16));
  let size = 0;
  const shardOf = (hash: number): Shard => shards[hash % shardCount] as Shard; // the array has all of them
  return {
    add: (hash, entry) => {
      const shard = shardOf(hash);
      if (shard.used * 4 >= shard.entries.length * 3) grow(shard);
      insert(shard, hash, entry);
      size += 1;
    },
    remove: (hash, entry) => {
      const shard = shardOf(hash);
      const slot = slots(shard, hash).find((at) => shard.entries[at] === entry);
      if (slot === undefined) return;
      shard.entries[slot] = removed;
      shard.live -= 1;
      size -= 1;
    },
    find: (hash) => {
      const shard = shardOf(hash);
      return slots(shard, hash)
        .map((at) => shard.entries[at] ?? removed)
        .filter((entry) => entry > 0)
        .sort((a, b) => a - b);
    },
    size: () => size,
    all: () => {
      const found: (readonly [number, number])[] = [];
      for (const { hashes, entries } of shards)
        for (const [at, entry] of entries.entries()) if (entry > 0) found.push([hashes[at] ?? 0, entry]);
      return found;
    },
  };
}

function emptyShard(capacity: number): Shard {
  return { hashes: new Float64Array(capacity), entries: new Float64Array(capacity), used: 0, live: 0 };
}

/** Slots with this hash, including removed ones. */
function slots(shard: Shard, hash: number): number[] {
  const mask = shard.entries.length - 1;
  const found: number[] = [];
  for (let at = start(hash, mask); shard.entries[at] !== 0; at = (at + 1) & mask) {
    if (shard.hashes[at] === hash) found.push(at);
  }
  return found;
}

function insert(shard: Shard, hash: number, entry: number): void {
  const mask = shard.entries.length - 1;
  let at = start(hash, mask);
  while ((shard.entries[at] ?? 0) > 0) at = (at + 1) & mask;
  if (shard.entries[at] === 0) shard.used += 1;
  shard.live += 1;
  shard.hashes[at] = hash;
  shard.entries[at] = entry;
}

function grow(shard: Shard): void {
  const old = { ...shard };
  const crowded = old.live * 2 >= old.entries.length;
  Object.assign(shard, emptyShard(old.entries.length * (crowded ? 2 : 1)));
  for (const [at, entry] of old.entries.entries()) {
    if (entry > 0) insert(shard, old.hashes[at] ?? 0, entry);
  }
}

/** Bits of the hash that did not choose the shard. */
function start(hash: number, mask: number): number {
  return Math.floor(hash / shardCount) & mask;
}

/** A keyed 53-bit hash of a command id on a stream. */
export type CommandHash = (streamType: string, streamId: string, commandId: string) => number;

/** `key` is hex. Two lanes of multiply and rotate, mixed at the end (the scheme known as cyrb53). */
export function createCommandHash(key: string): CommandHash {
  const seedA = Number.parseInt(key.slice(0, 8), 16);
  const seedB = Number.parseInt(key.slice(8, 16), 16);
  let a = 0;
  let b = 0;
  /** Takes units one by one: a text of all parts would be copied first. */
  const take = (text: string): void => {
    let [x, y] = [a, b];
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      x = Math.imul(x ^ unit, 2654435761);
      y = Math.imul(y ^ unit, 1597334677);
    }
    [a, b] = [x, y];
  };
  return (streamType, streamId, commandId) => {
    [a, b] = [seedA ^ 0xdeadbeef, seedB ^ 0x41c6ce57];
    take(streamType);
    take('\0');
    take(streamId);
    take('\0');
    take(commandId);
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return 4294967296 * (2097151 & b) + (a >>> 0);
  };
}
