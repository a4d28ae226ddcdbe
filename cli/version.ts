import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path of this package. */
export function packageFolder(): string {
  return dirname(fileURLToPath(import.meta.resolve('schemac/package.json')));
}

/** The version of this package. */
export function productVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }).version;
}

/** The dependency on this package for a `package.json` in `folder`: by version if npm installed it, by its folder if it runs in a clone. */
export function dependencyOf(folder: string, own = packageFolder()): string {
  if (own.split(sep).includes('node_modules')) return `^${productVersion()}`;
  return `file:${relative(folder, own).split(sep).join('/')}`;
}
