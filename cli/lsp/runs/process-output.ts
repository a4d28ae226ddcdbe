import type { ChildProcessWithoutNullStreams } from 'node:child_process';

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Bytes; more than an editor can show. */
const mostOutput = 32 * 1024 * 1024;

/**
 * Collects the output of a process of the tool until it ends. A process that writes too much is ended and refused; rejects if it cannot be
 * started.
 */
export function outputOf(child: ChildProcessWithoutNullStreams, words: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    let size = 0;
    const keep = (to: Buffer[]) => (bytes: Buffer) => {
      to.push(bytes);
      size += bytes.length;
      if (size > mostOutput) child.kill();
    };
    child.stdout.on('data', keep(stdout));
    child.stderr.on('data', keep(stderr));
    child.once('error', reject);
    child.once('close', (status) => {
      if (size > mostOutput) reject(new Error(`schemac ${words[0] ?? ''} wrote more than ${mostOutput} bytes`));
      else resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
}
