import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inputFault } from '../exit-fault.ts';
import type { Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

/** The file of `--expect`, if it is given. */
export function expectedText(
  shell: Shell,
  { expect }: Flags,
): { readonly path: string; readonly text: string } | undefined {
  if (typeof expect !== 'string') return undefined;
  try {
    return { path: expect, text: readFileSync(resolve(shell.cwd, expect), 'utf8') };
  } catch (error) {
    throw inputFault(`--expect ${expect}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
