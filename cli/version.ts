import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The version of this package. */
export function productVersion(): string {
  const path = fileURLToPath(import.meta.resolve('schemac/package.json'));
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
