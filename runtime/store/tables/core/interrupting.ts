/**
 * Ends statements of SQLite while they run. The module of sql.js exports none of SQLite's functions for that, but each connection has a place for a
 * function that SQLite calls after each given number of steps, and that ends the statement by giving another number than 0.
 */
import type { MemoryGuard } from './memory-guard.ts';

/** Runs work of a connection; `check` is called whenever that number of steps of a statement is done, and what it throws ends the work. */
export type Interrupting = <T>(check: () => void, steps: number, work: () => T) => T;

/** Offsets in a connection, in bytes, of the function's address and of the number of steps. They hold for the pinned module. */
const [calledAt, stepsAt] = [380, 388];

/** For the connections of a module, by the address of SQLite's own object. Works are not nested. */
export function createInterrupting(memory: MemoryGuard): (connection: number) => Interrupting {
  let current: () => void = () => undefined;
  let thrown: unknown;
  let address: number | undefined;
  const call = (): number => {
    try {
      current();
      return 0;
    } catch (error) {
      thrown = error;
      return 1;
    }
  };
  const write = (connection: number, called: number, steps: number): void => {
    const words = new Int32Array(memory.bytes().buffer);
    words[(connection + calledAt) >> 2] = called;
    words[(connection + stepsAt) >> 2] = steps;
  };
  return (connection) => (check, steps, work) => {
    current = check;
    thrown = undefined;
    write(connection, (address ??= memory.addressOf(call)), steps);
    try {
      return work();
    } catch (error) {
      throw thrown ?? error;
    } finally {
      write(connection, 0, 0);
    }
  };
}
