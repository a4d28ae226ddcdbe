import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.on('exit', () => {
  // The thread of a store that is not closed may still make a file.
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A private folder that is gone when the process ends: stores outlive the block that opened them. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'schemac-store-'));
  made.push(folder);
  return folder;
}
