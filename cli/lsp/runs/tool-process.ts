import { spawn } from 'node:child_process';

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the tool in a folder, to its end. Rejects if it is stopped. */
export type ToolRunner = (words: readonly string[], folder: string, signal: AbortSignal) => Promise<Ended>;

const mostOutput = 32 * 1024 * 1024;

/** The running tool, as a process of its own: a script that takes too long or too much ends alone. */
export const runToolProcess: ToolRunner = (words, folder, signal) =>
  new Promise((resolve, reject) => {
    const [, main = ''] = process.argv;
    const child = spawn(process.execPath, [...process.execArgv, main, ...words], { cwd: folder, signal });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    let size = 0;
    const keep = (to: Buffer[]) => (bytes: Buffer) => {
      to.push(bytes);
      size += bytes.length;
      if (size > mostOutput) child.kill();
    };
    child.stdin.end();
    child.stdout.on('data', keep(stdout));
    child.stderr.on('data', keep(stderr));
    child.once('error', reject);
    child.once('close', (status) => {
      if (size > mostOutput) reject(new Error(`schemac ${words[0] ?? ''} wrote more than ${mostOutput} bytes`));
      else resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
