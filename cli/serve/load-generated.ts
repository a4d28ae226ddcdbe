import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { domainFormat, unfinishedBuild, type Domain } from '../../language/contract/domain.ts';
import { isDefinedHere } from '../../runtime/generated/define-domain.ts';
import { inputFault, type ExitFault } from '../exit-fault.ts';

/** The domain exported by a generated folder. `shown` is the folder as the user wrote it. */
export async function loadGenerated(folder: string, shown: string): Promise<Domain> {
  const entry = join(folder, 'dist/index.js');
  if (existsSync(join(folder, unfinishedBuild))) throw notWhole(shown);
  if (!existsSync(entry) && existsSync(join(folder, 'index.js'))) throw otherVersion(shown);
  if (!existsSync(entry)) throw inputFault(`there is no generated server in '${shown}'; 'schemac build' makes one`);
  linkRuntime(folder);
  const { domain } = await importEntry(folder, entry, shown);
  if (domain === undefined) throw inputFault(`'${shown}/dist/index.js' does not export a domain; build it again`);
  if (domain.format !== domainFormat) throw otherVersion(shown);
  const loaded = domain as Domain; // its format is the one of this version
  if (isDefinedHere(loaded)) return loaded;
  throw inputFault(
    `'${shown}' imports its own schemac, ${packageOf(folder) ?? 'somewhere'}, and this one is ${ownPackage()}; start it with 'node ${shown}/server.js'`,
  );
}

interface Entry {
  readonly domain?: Omit<Domain, 'format'> & { readonly format: number };
}

async function importEntry(folder: string, entry: string, shown: string): Promise<Entry> {
  try {
    return (await import(pathToFileURL(entry).href)) as Entry;
  } catch (error) {
    const { code, url } = error as NodeJS.ErrnoException & { readonly url?: string };
    // Its own file is missing, not a package that it imports.
    if (code === 'ERR_MODULE_NOT_FOUND' && url?.startsWith(pathToFileURL(join(folder, 'dist/')).href) === true)
      throw notWhole(shown);
    throw error;
  }
}

function notWhole(shown: string): ExitFault {
  return inputFault(
    `the generated server in '${shown}' is not whole, because a build was cut short or files were removed; 'schemac build' makes it again`,
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
