import type { Output } from '../shell.ts';

/** Writes one JSON document as one line. */
export function writeJsonLine(output: Output, value: unknown): void {
  output.write(`${JSON.stringify(value)}\n`);
}
