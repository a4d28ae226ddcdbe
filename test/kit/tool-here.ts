import { Readable } from 'node:stream';
import { asExitFault } from '../../cli/environment-error.ts';
import { runProgram } from '../../cli/program.ts';
import type { Output, Shell } from '../../cli/shell.ts';
import type { ToolResult } from './tool.ts';

/**
 * Runs `schemac` in this process and from the sources, for many short commands that only need their own folder. An error that ends the tool gives its status and line, as the process would.
 */
export async function runToolHere(words: readonly string[], cwd: string, input = ''): Promise<ToolResult> {
  const written = { stdout: '', stderr: '' };
  const shell: Shell = {
    cwd,
    environment: {},
    input: Readable.from([Buffer.from(input)]),
    output: outputTo((text) => (written.stdout += text)),
    screen: process.stdout,
    messages: outputTo((text) => (written.stderr += text)),
    stopSignal: () => new AbortController().signal,
  };
  try {
    return { status: await runProgram(shell, words, '0.0.0'), ...written };
  } catch (error) {
    const fault = asExitFault(error);
    if (fault === undefined) throw error;
    return { status: fault.status, ...written, stderr: `${written.stderr}schemac: ${fault.message}\n` };
  }
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
