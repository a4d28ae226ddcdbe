/**
 * The file of a database in memory, in chunks. Emscripten's own is one array, which it copies into another one an eighth larger whenever it is full: a
 * tenth of the time of writing events, a pause that grows with the tables, and for that moment their memory twice.
 */
import type { FileSystem, SyncFile } from '../../disk.ts';
import { noMemory, type DatabaseFile } from './database-file.ts';
import { createLockMemory } from './file-lock.ts';

/** Size of a chunk; a part that is not written takes no memory of the machine. */
const chunkBytes = 1024 * 1024;

/** That many zeros. Throws an R0301 when the process does not get the memory. */
export function createBytes(length: number): Uint8Array {
  try {
    return new Uint8Array(length);
  } catch (error) {
    if (error instanceof RangeError) throw noMemory();
    throw error;
  }
}

/** A database of this thread alone, which begins as a copy of the image. */
export function createMemoryFile(image: Uint8Array = new Uint8Array()): DatabaseFile {
  const path = '/memory.db';
  const files = new Map([[path, createChunks(image)]]);
  const system: FileSystem = {
    open: (name) => {
      const found = files.get(name) ?? createChunks(new Uint8Array());
      files.set(name, found);
      return found;
    },
    isAt: () => true,
    size: (name) => files.get(name)?.size(),
    remove: (name) => {
      files.delete(name);
    },
    syncDirectory: () => undefined,
  };
  return { path, patience: 0, cacheBytes: 0, lock: { memory: createLockMemory(), holder: 0 }, files: system };
}

function createChunks(image: Uint8Array): SyncFile {
  let chunks: Uint8Array[] = [];
  let size = 0;

  /** Calls for the part of each chunk that these bytes of the file are in. */
  const each = (
    position: number,
    length: number,
    move: (chunk: Uint8Array, from: number, done: number, part: number) => void,
  ): void => {
    for (let done = 0; done < length;) {
      const at = position + done;
      const index = Math.floor(at / chunkBytes);
      while (chunks.length <= index) chunks.push(createBytes(chunkBytes));
      const from = at % chunkBytes;
      const part = Math.min(length - done, chunkBytes - from);
      move(chunks[index] as Uint8Array, from, done, part); // made above
      done += part;
    }
  };
  /** The chunk that has all these bytes, as it has those of every page. */
  const wholly = (position: number, length: number): Uint8Array | undefined => {
    const index = Math.floor(position / chunkBytes);
    return position + length <= (index + 1) * chunkBytes ? chunks[index] : undefined;
  };
  const write: SyncFile['write'] = (bytes, position) => {
    if (bytes.length === 0) return;
    const chunk = wholly(position, bytes.length);
    if (chunk === undefined)
      each(position, bytes.length, (part, from, done, length) => {
        part.set(bytes.subarray(done, done + length), from);
      });
    else chunk.set(bytes, position % chunkBytes);
    size = Math.max(size, position + bytes.length);
  };
  write(image, 0);

  return {
    size: () => size,
    read: (into, position) => {
      const length = Math.max(0, Math.min(into.length, size - position));
      each(position, length, (part, from, done, many) => {
        into.set(part.subarray(from, from + many), done);
      });
      return length;
    },
    write,
    truncate: (length) => {
      chunks = chunks.slice(0, Math.ceil(length / chunkBytes));
      // Bytes that are written behind it later must leave zeros between.
      if (length < size) chunks[Math.floor(length / chunkBytes)]?.fill(0, length % chunkBytes);
      size = length;
    },
    sync: () => undefined,
    close: () => undefined,
  };
}
