/** Runs strace and parses its output: the system calls of a process, each with its line number. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface SystemCall {
  readonly name: string;
  /** Lines of the trace where the call started and returned; Infinity when it never returned. */
  readonly begin: number;
  readonly end: number;
  readonly failed: boolean;
  /** Last part of the path of the file that it works on. */
  readonly file: string;
  /** New name of a renamed file. */
  readonly to?: string;
  /** The bytes that it writes, in the escapes of C. */
  readonly text: string;
  /** A write that returns when it is durable: its descriptor was opened with O_DSYNC. */
  readonly through: boolean;
}

const traced = 'openat,pwrite64,write,writev,fdatasync,fsync,rename,unlink,ftruncate';
const words = ['-f', '-y', '-q', '-s', '1000000', '-e', `trace=${traced}`];

/** Why tracing is impossible here; undefined when it is possible. */
export function traceRefusal(): string | undefined {
  const { status, error, stderr } = spawnSync('strace', [...words, '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr);
}

/** Runs a command under strace, which makes calls fail as `inject` says (`fdatasync:error=EIO:when=9`, counted by thread). */
export function traceCommand(
  output: string,
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
  inject?: string,
): ChildProcess {
  const more = inject === undefined ? [] : ['-e', `inject=${inject}`];
  return spawn('strace', [...words, ...more, '-o', output, ...command], {
    // A command with injected failures says so.
    stdio: ['ignore', 'ignore', inject === undefined ? 'inherit' : 'ignore'],
    env: environment,
  });
}

/** Traces a running process; resolves once it does, with the function that ends tracing. */
export async function traceProcess(output: string, pid: number): Promise<() => Promise<void>> {
  // Without `-q` it prints a line when it is attached.
  const strace = spawn('strace', [...words.filter((word) => word !== '-q'), '-o', output, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => strace.on('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = '';
    strace.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('attached')) resolve();
    });
    strace.on('close', () => reject(new Error(`strace ended: ${said}`)));
  });
  return async () => {
    strace.kill('SIGINT');
    await ended;
  };
}

/** The descriptors that a process has open with O_DSYNC, without those that are closed in between. */
export function throughDescriptors(pid: number): ReadonlySet<string> {
  const dsync = 0o10000;
  const flags = (descriptor: string): number => {
    const path = `/proc/${pid}/fdinfo/${descriptor}`;
    try {
      return Number.parseInt(/^flags:\s+(\d+)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '0', 8);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
      throw error;
    }
  };
  return new Set(readdirSync(`/proc/${pid}/fdinfo`).filter((descriptor) => (flags(descriptor) & dsync) !== 0));
}

/** `open`: descriptors with O_DSYNC that were open when the trace began. */
export function readTrace(path: string, open: ReadonlySet<string> = new Set()): readonly SystemCall[] {
  if (!existsSync(path)) throw new Error(`there is no trace at ${path}`);
  const calls: SystemCall[] = [];
  const through = new Set(open);
  const begun = new Map<string, { readonly begin: number; readonly text: string }>();
  for (const [line, whole] of readFileSync(path, 'latin1').split('\n').entries()) {
    const [, thread = '', said = ''] = /^(\d+)\s+(.*)$/.exec(whole) ?? [];
    if (said.endsWith('<unfinished ...>')) {
      begun.set(thread, { begin: line, text: said.slice(0, -'<unfinished ...>'.length).trimEnd() });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(said);
    const start = resumed === null ? { begin: line, text: '' } : begun.get(thread);
    if (start === undefined) continue;
    begun.delete(thread);
    const call = readCall(start.text + said.slice(resumed?.[0].length ?? 0), start.begin, line, through);
    if (call !== undefined) calls.push(call);
  }
  for (const { begin, text } of begun.values()) {
    const call = readCall(text, begin, Infinity, through);
    if (call !== undefined) calls.push(call);
  }
  return calls.sort((a, b) => a.begin - b.begin);
}

/** Undefined for a line that is no call, such as the end of a thread. */
function readCall(said: string, begin: number, end: number, through: Set<string>): SystemCall | undefined {
  const name = /^(\w+)\(/.exec(said)?.[1];
  if (name === undefined) return undefined;
  const failed = / = -1 [A-Z]+ /.test(said.slice(-200));
  const call = { name, begin, end, failed, text: '', through: false };
  if (name === 'openat') {
    const [, path = '', flags = ''] = /^openat\([^"]*"((?:[^"\\]|\\.)*)", ([A-Z_|]+)/.exec(said) ?? [];
    const opened = / = (\d+)</.exec(said)?.[1] ?? '';
    if (flags.includes('O_DSYNC')) through.add(opened);
    else through.delete(opened);
    return { ...call, name: flags.includes('O_CREAT') ? 'create' : 'open', file: basename(path) };
  }
  if (name === 'rename' || name === 'unlink') {
    const [from = '', to] = [...said.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => basename(match[1] ?? ''));
    return to === undefined ? { ...call, file: from } : { ...call, file: from, to };
  }
  const [, descriptor = '', file = ''] = /^\w+\((\d+)<(.*?)>[,)]/.exec(said) ?? [];
  return { ...call, file: basename(file), text: said, through: through.has(descriptor) };
}
