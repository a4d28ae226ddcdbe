import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ReceiverProcess {
  readonly port: number;
  readonly stop: () => void;
}

/** The receivers of `receivers.ts`, in a process of their own. */
export async function startReceivers(): Promise<ReceiverProcess> {
  const file = new URL('receivers.ts', import.meta.url);
  const child = spawn(process.execPath, ['--import', 'tsx', file.pathname], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout }))
    return { port: Number(line), stop: () => void child.kill('SIGKILL') };
  throw new Error('the receivers ended before they listened');
}
