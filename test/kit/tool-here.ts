import { Readable } from 'node:stream';
import { runProgram } from '../../cli/program.ts';
import { reportError } from '../../cli/report-error.ts';
import type { Output, Shell } from '../../cli/shell.ts';
import { productVersion } from '../../cli/version.ts';
import { root, withoutSettings, type ToolOptions, type ToolResult } from './tool.ts';

/**
 * Runs `schemac` in this process and from the sources, without the second that a process takes to start. For commands that end by themselves, and
 * where not the process itself (signals, streams, rights) is looked at.
 */
export async function runToolHere(
  words: readonly string[],
  { cwd = root, environment = {}, input = '' }: Omit<ToolOptions, 'milliseconds'> = {},
): Promise<ToolResult> {
  const written = { stdout: '', stderr: '' };
  const shell: Shell = {
    cwd,
    environment: { ...withoutSettings(), ...environment },
    input: Readable.from([Buffer.from(input)]),
    output: outputTo((text) => (written.stdout += text)),
    screen: process.stdout,
    messages: outputTo((text) => (written.stderr += text)),
    stopSignal: () => new AbortController().signal,
  };
  const status = await runProgram(shell, words, productVersion()).catch((error: unknown) => reportError(error, shell));
  return { status, ...written };
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
