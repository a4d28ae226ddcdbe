import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The arguments of `node` that start the tool: as built when the runner has just built it, else from the sources. */
export const program: readonly string[] =
  process.env['SCHEMAC_TEST_BUILT'] === '1'
    ? [`${root}dist/cli/main.js`]
    : [
        '--conditions=schemac-source',
        '--import',
        `file://${root}node_modules/tsx/dist/loader.mjs`,
        `${root}cli/main.ts`,
      ];

export interface ToolOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Its stdin; empty by default. */
  readonly input?: string;
  readonly milliseconds?: number;
}
export interface ToolResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment without the variables that the tool reads. */
export function withoutSettings(): NodeJS.ProcessEnv {
  const isSetting = /^(SCHEMAC_(?!TEST_)|NO_COLOR$|FORCE_COLOR$|CI$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting.test(name)));
}

/** Starts `schemac` as a process of its own. */
export function startTool(parameters: readonly string[], options: ToolOptions = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...program, ...parameters], {
    cwd: options.cwd ?? root,
    env: { ...withoutSettings(), ...options.environment },
  });
}

/** Characters of an output, of which otherwise the beginning and the end are kept. */
const mostKept = 256 * 1024 * 1024;

/** Runs `schemac` to its end and gives its output. */
export function runTool(parameters: readonly string[], options: ToolOptions = {}): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = startTool(parameters, options);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      // The dump of a long log is longer than a string may be.
      if (stdout.length > mostKept) stdout = stdout.slice(0, mostKept / 256) + stdout.slice(-mostKept / 256);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    const timer = setTimeout(() => child.kill('SIGKILL'), options.milliseconds ?? 60_000);
    child.on('error', reject);
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve({ status, stdout, stderr });
    });
  });
}
