import { spawn } from 'node:child_process';
import { outputOf, type Ended } from './process-output.ts';

export type { Ended } from './process-output.ts';

/** Runs a command of the tool in a folder, to its end. Rejects if it is stopped. */
export type ToolRunner = (words: readonly string[], folder: string, signal: AbortSignal) => Promise<Ended>;

/** The running tool, as a process of its own: a script that takes too long or too much ends alone. */
export const runToolProcess: ToolRunner = (words, folder, signal) => {
  const [, main = ''] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, main, ...words], { cwd: folder, signal });
  child.stdin.end();
  return outputOf(child, words);
};
