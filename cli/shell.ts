/**
 * What a command works with: the one door to arguments' surroundings, streams and the terminal. Takes a process, gives an
 * interface; commands never touch `process` themselves.
 */
import type { Readable } from 'node:stream';
import { wantsColour } from './colour.ts';

export interface Output {
  readonly write: (text: string) => void;
  /** Resolves when what was written has left; for output that may be larger than memory. */
  readonly drained: () => Promise<void>;
  /** Nobody reads any more (`| head`): what is written goes nowhere, and whoever does nothing but write may stop. */
  readonly closed: () => boolean;
  readonly terminal: boolean;
  readonly colour: boolean;
  /** Cells a line may take; undefined where nothing limits it (a file, a pipe). */
  readonly width: () => number | undefined;
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

/** The surroundings of this very process. `parameters` are looked at for `--color` and `--no-color` alone. */
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

/** The property is not there at all for a pipe, which must not be taken for "decide for yourself". */
function isTerminal({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY === true;
}

function streamOutput(stream: NodeJS.WriteStream, parameters: readonly string[]): Output {
  let closed = false;
  let release = (): void => undefined;
  // A reader that has seen enough is no fault of anybody, and no reason to leave work half done.
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
