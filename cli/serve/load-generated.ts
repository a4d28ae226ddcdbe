import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { domainFormat, type Domain } from '../../language/contract/domain.ts';
import { isDefinedHere } from '../../runtime/generated/define-domain.ts';
import { inputFault, type ExitFault } from '../exit-fault.ts';

/** The domain exported by a generated folder. `shown` is the folder as the user wrote it. */
export async function loadGenerated(folder: string, shown: string): Promise<Domain> {
  const entry = join(folder, 'dist/index.js');
  if (!existsSync(entry) && existsSync(join(folder, 'index.js'))) throw otherVersion(shown);
  if (!existsSync(entry)) throw inputFault(`there is no generated server in '${shown}'; 'schemac build' makes one`);
  linkRuntime(folder);
  const { domain } = (await import(pathToFileURL(entry).href)) as {
    readonly domain?: Omit<Domain, 'format'> & { readonly format: number };
  };
  if (domain === undefined) throw inputFault(`'${shown}/dist/index.js' does not export a domain; build it again`);
  if (domain.format !== domainFormat) throw otherVersion(shown);
  const loaded = domain as Domain; // its format is the one of this version
  if (isDefinedHere(loaded)) return loaded;
  throw inputFault(
    `'${shown}' imports its own schemac, ${packageOf(folder) ?? 'somewhere'}, and this one is ${ownPackage()}; start it with 'node ${shown}/server.js'`,
  );
}

function otherVersion(shown: string): ExitFault {
  return inputFault(`'${shown}' was built by another version of schemac; build it again`);
}

/** Generated modules import `schemac/runtime`; if no package around the folder provides it, it gets a link to this one. */
function linkRuntime(folder: string): void {
  if (packageOf(folder) !== undefined) return;
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  try {
    symlinkSync(ownPackage(), join(modules, 'schemac'), 'dir');
  } catch (error) {
    // Several servers may start from the folder at once, and one of the others has made the link.
    if (packageOf(folder) === undefined) throw error;
  }
}

/** The package that the folder's modules find, if any. */
function packageOf(folder: string): string | undefined {
  try {
    return dirname(createRequire(join(folder, 'index.js')).resolve('schemac/package.json'));
  } catch {
    return undefined;
  }
}

function ownPackage(): string {
  return dirname(fileURLToPath(import.meta.resolve('schemac/package.json')));
}
