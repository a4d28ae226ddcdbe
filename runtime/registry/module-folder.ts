import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder for generated modules: the store's own, or a fresh private one. */
export function moduleFolder(given: string | undefined): string {
  return given ?? mkdtempSync(join(tmpdir(), 'schemac-'));
}
