import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageFolder, productVersion } from '../version.ts';

/** The dependency on this package in a project's `package.json`. */
export interface OwnDependency {
  readonly range: string;
  /** The archive of this package in the project, if `npm ci` could not find the package elsewhere. */
  readonly archive?: string;
}

/** A version if npm installed this package from a registry; else an archive in the project, so that CI and Docker need nothing else. */
export function ownDependency(own = packageFolder()): OwnDependency {
  const version = productVersion();
  if (isFromRegistry(own)) return { range: `^${version}` };
  const archive = `vendor/schemac-${version}.tgz`;
  return { range: `file:${archive}`, archive };
}

/** npm records in `node_modules` where it took each package from. */
function isFromRegistry(own: string): boolean {
  const modules = dirname(own);
  const lock = join(modules, '.package-lock.json');
  if (basename(modules) !== 'node_modules' || !existsSync(lock)) return false;
  const { packages = {} } = JSON.parse(readFileSync(lock, 'utf8')) as {
    readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
  };
  return /^https?:/.test(packages['node_modules/schemac']?.resolved ?? '');
}
