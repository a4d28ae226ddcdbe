import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path of this package. */
export function packageFolder(): string {
  return dirname(fileURLToPath(import.meta.resolve('schemac/package.json')));
}

/** The version of this package. */
export function productVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }).version;
}
