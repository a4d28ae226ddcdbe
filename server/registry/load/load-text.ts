import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as supplied from '../../../runtime/generated/supplied.ts';
import { openModuleFolder } from './module-folder.ts';

/** What an emitted loadable module gives; it leaves no file behind. */
export function loadText(file: { readonly path: string; readonly text: string }): unknown {
  const temporary = mkdtempSync(join(tmpdir(), 'schemac-'));
  try {
    const make = openModuleFolder(temporary).load(file) as (given: typeof supplied) => unknown;
    return make(supplied);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
