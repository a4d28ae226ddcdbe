import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { onceDone } from '../../../../language/failure/once-done.ts';

/** The used part of the platform's own interface, which Node's published types lack. */
interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
  grow: (pages: number) => number;
}
interface WebAssemblyTable {
  readonly grow: (slots: number) => number;
  readonly set: (slot: number, value: unknown) => void;
}
interface WebAssemblyInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}
interface WebAssemblyApi {
  readonly compile: (bytes: Uint8Array) => Promise<object>;
  readonly Instance: new (module: object, imports: object) => WebAssemblyInstance;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (...given: never[]) => WebAssemblyMemory;
  readonly Table: new (...given: never[]) => WebAssemblyTable;
}

export interface MemoryGuard {
  /** Emscripten's hook for creating the module's instance. */
  readonly instantiateWasm: (imports: object, done: (instance: WebAssemblyInstance) => void) => object;
  /**
   * From now on memory may grow by this many bytes, or up to the module's own limit. Memory never shrinks, so growth
   * within earlier budgets is counted as free again, and used first.
   */
  readonly budget: (bytes: number | undefined) => void;
  /** The module's memory as it is now; its length becomes 0 when memory grows. */
  readonly bytes: () => Uint8Array;
  /** The address of a function that SQLite may call with one number, for another one. */
  readonly addressOf: (call: () => number) => number;
}

/** A module that exports the function which it imports: only a function like that has an address. */
const passingOn = Buffer.from('0061736d0100000001060160017f017f02070101650166000007050101660000', 'hex');

/** Size of a page of WebAssembly's memory. */
const pageBytes = 65_536;
const api = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;

/**
 * SQLite as machine code. V8 compiles the same bytes once for all threads of a process, as long as one of them holds the result; compiling takes
 * as much processor time as all else that a thread does to start [measured]. So the main thread, which outlives the others, asks for it too.
 */
export const compiledSqlite = onceDone(async () => api.compile(await readFile(modulePath())));

export function sqliteBytes(): Uint8Array {
  return readFileSync(modulePath());
}

function modulePath(): string {
  return createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
}

/**
 * Limits the memory of SQLite. SQLite's own heap limit can only be lowered through SQL, so this works one level below:
 * a module whose memory does not grow tells SQLite that an allocation failed, and SQLite ends the statement and stays
 * usable. `served` replaces functions that the module imports.
 */
export async function createMemoryGuard(served: (imports: object) => object): Promise<MemoryGuard> {
  const module = await compiledSqlite();
  let memory: WebAssemblyMemory | undefined;
  let table: WebAssemblyTable | undefined;
  let most = Infinity;
  /** Bytes by which memory grew within budgets. */
  let grown = 0;
  return {
    instantiateWasm: (imports, done) => {
      const instance = new api.Instance(module, served(imports));
      const found = Object.values(instance.exports).find((each) => each instanceof api.Memory);
      if (found === undefined) throw new Error('the module of SQLite shows no memory');
      const grow = found.grow.bind(found);
      found.grow = (pages) => {
        if (found.buffer.byteLength + pages * pageBytes > most) throw new RangeError('the memory budget is spent');
        const before = grow(pages);
        if (most !== Infinity) grown += pages * pageBytes;
        return before;
      };
      memory = found;
      table = Object.values(instance.exports).find((each) => each instanceof api.Table);
      done(instance);
      return {};
    },
    bytes: () => {
      if (memory === undefined) throw new Error('SQLite has no memory before it is there');
      return new Uint8Array(memory.buffer);
    },
    addressOf: (call) => {
      if (table === undefined) throw new Error('the module of SQLite shows no table of functions');
      const slot = table.grow(1);
      table.set(slot, new api.Instance(new api.Module(passingOn), { e: { f: call } }).exports['f']);
      return slot;
    },
    budget: (bytes) => {
      most = bytes === undefined || memory === undefined ? Infinity : memory.buffer.byteLength - grown + bytes;
    },
  };
}
