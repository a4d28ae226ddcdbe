import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Domain } from '../../language/contract/domain.ts';
import { isDefinedHere } from '../../runtime/generated/define-domain.ts';
import { loadDomain } from '../../server/start/load-domain.ts';
import { inputFault } from '../exit-fault.ts';

/** The domain exported by a generated folder. `shown` is the folder as the user wrote it. */
export async function loadGenerated(folder: string, shown: string): Promise<Domain> {
  const domain = await loadDomain(folder, shown, () => linkRuntime(folder));
  if (isDefinedHere(domain)) return domain;
  throw inputFault(
    `'${shown}' imports its own schemac, ${packageOf(folder) ?? 'somewhere'}, and this one is ${ownPackage()}; start it with 'node ${shown}/server.js'`,
  );
}

/** Generated modules import `schemac/runtime`; if no package around the folder provides it, it gets a link to this one. */
function linkRuntime(folder: string): void {
  if (packageOf(folder) !== undefined) return;
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  // Replaced in one step: several servers may start from the folder at once, and a link to where this package was once may be there.
  const made = join(modules, `.schemac-${process.pid}`);
  rmSync(made, { force: true });
  symlinkSync(ownPackage(), made, 'dir');
  renameSync(made, join(modules, 'schemac'));
}

/**
 * The package that the folder's modules find, if any, by Node's rules for modules. Node is not asked: it remembers for the life of the process that
 * there was no package, and would not find the link that is made then.
 */
function packageOf(folder: string): string | undefined {
  const around = foldersAround(realpathSync(folder));
  const scope = around.find((each) => existsSync(join(each, 'package.json')));
  if (scope === ownPackage()) return scope;
  return around
    .map((each) => join(each, 'node_modules/schemac'))
    .find((each) => existsSync(join(each, 'package.json')));
}

/** The folder, the one it is in, and so on. */
function foldersAround(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAround(parent)];
}

function ownPackage(): string {
  return dirname(fileURLToPath(import.meta.resolve('schemac/package.json')));
}
