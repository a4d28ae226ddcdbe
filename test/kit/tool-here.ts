import { EventEmitter } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { runProgram } from '../../cli/program.ts';
import { reportError } from '../../cli/report-error.ts';
import type { Output, Shell } from '../../cli/shell.ts';
import { productVersion } from '../../cli/version.ts';
import { root, withoutSettings, type ToolOptions, type ToolResult } from './tool.ts';
import type { RunningTool } from './watch-output.ts';

/**
 * Runs `schemac` in this process and from the sources, without the second that a process takes to start. For commands that end by themselves, and
 * where not the process itself (signals, streams, rights) is looked at.
 */
export async function runToolHere(
  words: readonly string[],
  { cwd = root, environment = {}, input = '' }: Omit<ToolOptions, 'milliseconds'> = {},
): Promise<ToolResult> {
  const written = { stdout: '', stderr: '' };
  const status = await runInShell(words, {
    cwd,
    environment: { ...withoutSettings(), ...environment },
    input: Readable.from([Buffer.from(input)]),
    write: (stream, text) => (written[stream] += text),
    stop: new AbortController().signal,
  });
  return { status, ...written };
}

/** Starts `schemac` in this process, for a command that runs until it is stopped. Every signal stops it as SIGTERM does. */
export function startToolHere(
  words: readonly string[],
  { cwd = root, environment = {}, input = '' }: Omit<ToolOptions, 'milliseconds'> = {},
): RunningTool {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const events = new EventEmitter();
  const stop = new AbortController();
  void runInShell(words, {
    cwd,
    environment: { ...withoutSettings(), ...environment },
    input: Readable.from([Buffer.from(input)]),
    write: (stream, text) => void streams[stream].write(text),
    stop: stop.signal,
  }).then((status) => events.emit('close', status));
  return {
    ...streams,
    on: (event, listener) => events.on(event, listener),
    once: (event, listener) => events.once(event, listener),
    kill: () => {
      stop.abort();
      return true;
    },
  };
}

/** The part of the tool's surroundings that it uses. */
export interface Surroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
  readonly write: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Aborted in place of SIGTERM. */
  readonly stop: AbortSignal;
}

/** Gives the exit status. */
export function runInShell(
  words: readonly string[],
  { cwd, environment, input, write, stop }: Surroundings,
): Promise<number> {
  const shell: Shell = {
    cwd,
    environment,
    input,
    output: outputTo((text) => write('stdout', text)),
    screen: process.stdout,
    messages: outputTo((text) => write('stderr', text)),
    stopSignal: () => stop,
  };
  return runProgram(shell, words, productVersion()).catch((error: unknown) => reportError(error, shell));
}

function outputTo(write: (text: string) => void): Output {
  return {
    write,
    drained: () => Promise.resolve(),
    closed: () => false,
    terminal: false,
    colour: false,
    width: () => undefined,
  };
}
