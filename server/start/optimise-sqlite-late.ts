import { setFlagsFromString } from 'node:v8';

/** V8's measure of work for one function of WebAssembly, roughly the bytes of machine code that it ran. */
const budget = 2_000_000_000;

/**
 * For a process of schemac, before it loads SQLite: lets V8 optimise a function of SQLite only when much work was done in it. The
 * interpreter of SQLite's instructions is so large that V8 11 would optimise it, and thirty functions around it, after some dozens of
 * instructions; that takes more processor time than all else that a small script does, and delays the thread that runs it
 * (docs/performance/start.md). Code that runs for long is optimised all the same.
 */
export function optimiseSqliteLate(): void {
  // The versions of Node 20 to 24; V8 would complain about a flag that it does not have.
  if (/^1[1-3]\./.test(process.versions.v8)) setFlagsFromString(`--wasm-tiering-budget=${budget}`);
}
