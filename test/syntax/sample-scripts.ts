import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from '../../language/source/source-file.ts';

/** Folders of scripts that people wrote; the last is next to the project where it is developed. */
const homes = ['../../examples/', '../../templates/', '../../../shared/conformance/'];

/** Every script there is. */
export function sampleScripts(): readonly SourceFile[] {
  return homes.flatMap((home) => {
    const folder = fileURLToPath(new URL(home, import.meta.url));
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.schema'));
    return names.sort().map((name) => ({ name, text: readFileSync(folder + name, 'utf8') }));
  });
}
