import { spawn } from 'node:child_process';

export interface ProcessRequest {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  /** Time limit, after which the process and everything it started are killed. */
  readonly milliseconds: number;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface ProcessResult {
  /** Exit status; undefined when it was killed or could not be started. */
  readonly status: number | undefined;
  /** Its output on stdout and stderr, in the order of arrival. */
  readonly output: string;
  readonly timedOut: boolean;
  readonly seconds: number;
}

const running = new Set<number>();

/** Runs a command in its own process group, so that nothing it starts outlives it. Never rejects. */
export function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const began = performance.now();
    const chunks: Buffer[] = [];
    let timedOut = false;
    const child = spawn(request.command, request.arguments, {
      cwd: request.cwd,
      detached: true,
      env: { ...process.env, ...request.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const group = child.pid;
    if (group !== undefined) running.add(group);
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(group);
    }, request.milliseconds);
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    const finish = (status: number | undefined, more = ''): void => {
      clearTimeout(timer);
      if (group !== undefined) running.delete(group);
      killGroup(group);
      const output = Buffer.concat(chunks).toString('utf8') + more;
      resolve({ status, output, timedOut, seconds: (performance.now() - began) / 1000 });
    };
    child.on('error', (error) => {
      finish(undefined, error.message);
    });
    child.on('close', (status) => {
      finish(status ?? undefined);
    });
    // A grandchild that holds the pipes open would delay 'close' forever.
    child.on('exit', () => setTimeout(() => killGroup(group), 1000).unref());
  });
}

/** Ends every process group that is still running; for the runner's own end. */
export function killRunning(): void {
  for (const group of running) killGroup(group);
}

function killGroup(group: number | undefined): void {
  if (group === undefined) return;
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The group has already ended, as intended.
  }
}
