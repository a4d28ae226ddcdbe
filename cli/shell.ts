/**
 * The environment of a command: the only access to arguments, streams and the terminal. Takes a process, gives an interface; commands never
 * use `process` themselves.
 */
import type { Readable } from 'node:stream';

export interface Output {
  readonly write: (text: string) => void;
  /** Resolves when the written data has been sent; for output that may be larger than memory. */
  readonly drained: () => Promise<void>;
  /** The reader has closed (`| head`): further output is discarded, and a command that only writes may stop. */
  readonly closed: () => boolean;
  readonly terminal: boolean;
  readonly colour: boolean;
  /** Cells of a line; undefined without a limit (a file, a pipe). */
  readonly width: () => number | undefined;
}

/** Writes one JSON document as one line. */
export function writeJsonLine(output: Output, value: unknown): void {
  output.write(`${JSON.stringify(value)}\n`);
}

export interface Shell {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Results. */
  readonly output: Output;
  /** The stream behind `output`, for editing lines on a terminal. */
  readonly screen: NodeJS.WritableStream;
  /** Diagnostics and progress. */
  readonly messages: Output;
  /** From the first call on, SIGINT and SIGTERM abort this signal instead of ending the process; a second one ends it. */
  readonly stopSignal: () => AbortSignal;
}

/** The environment of this process. `parameters` are only searched for `--color` and `--no-color`. */
export function processShell(parameters: readonly string[]): Shell {
  return {
    cwd: process.cwd(),
    environment: process.env,
    input: process.stdin,
    output: streamOutput(process.stdout, parameters),
    screen: process.stdout,
    messages: streamOutput(process.stderr, parameters),
    stopSignal,
  };
}

let stop: AbortController | undefined;
function stopSignal(): AbortSignal {
  if (stop === undefined) {
    const controller = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
    stop = controller;
  }
  return stop.signal;
}

/** For a pipe the property is missing, which must not be read as "decide for yourself". */
function isTerminal({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY === true;
}

function streamOutput(stream: NodeJS.WriteStream, parameters: readonly string[]): Output {
  let closed = false;
  let release = (): void => undefined;
  // A reader that closes early is not an error, and no reason to leave work unfinished.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed = true;
    release();
  });
  const terminal = isTerminal(stream);
  return {
    write: (text) => {
      if (!closed) stream.write(text);
    },
    drained: () =>
      closed || !stream.writableNeedDrain
        ? Promise.resolve()
        : new Promise((resolve) => {
            release = resolve;
            stream.once('drain', resolve);
          }),
    closed: () => closed,
    terminal,
    colour: wantsColour(process.env, parameters, terminal),
    // A terminal that does not know its width says 0.
    width: () => (terminal ? stream.columns || 80 : undefined),
  };
}

/** Resolves when the tool is asked to stop. */
export function untilStopped(shell: Shell): Promise<void> {
  const stopped = shell.stopSignal();
  return new Promise((resolve) => {
    if (stopped.aborted) resolve();
    else stopped.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Whether to use colours: `--color` and `--no-color` win, then NO_COLOR (not empty), then FORCE_COLOR (`0` and `false` mean no), then
 * `TERM=dumb`, then whether the output is a terminal.
 */
export function wantsColour(
  environment: Readonly<Record<string, string | undefined>>,
  parameters: readonly string[],
  terminal: boolean,
): boolean {
  const end = parameters.indexOf('--');
  const flags = parameters.slice(0, end < 0 ? undefined : end);
  const flag = Math.max(flags.lastIndexOf('--color'), flags.lastIndexOf('--no-color'));
  if (flag >= 0) return flags[flag] === '--color';
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  const force = environment['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  return terminal && environment['TERM'] !== 'dumb';
}
