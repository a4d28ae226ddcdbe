import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { domainFormat, unfinishedBuild, type Domain } from '../../language/contract/domain.ts';

/** A generated folder that cannot be served; the message, of one line, says what makes it good. */
export class UnusableBuild extends Error {
  override readonly name = 'UnusableBuild';
}

/**
 * The domain of a generated folder, as the tool and `server.js` itself load it; `shown` is the folder as the user knows it. Its modules are
 * imported only once the folder is known to be whole. `prepare` is called before that.
 */
export async function loadDomain(folder: string, shown: string, prepare?: () => void): Promise<Domain> {
  const entry = join(folder, 'dist/index.js');
  if (existsSync(join(folder, unfinishedBuild))) throw notWhole(shown);
  if (!existsSync(entry) && existsSync(join(folder, 'index.js'))) throw otherVersion(shown);
  if (!existsSync(entry))
    throw new UnusableBuild(`there is no generated server in '${shown}'; 'schemac build' makes one`);
  prepare?.();
  const { domain } = await importEntry(folder, entry, shown);
  if (domain === undefined)
    throw new UnusableBuild(`'${shown}/dist/index.js' does not export a domain; build it again`);
  if (domain.format !== domainFormat) throw otherVersion(shown);
  return domain as Domain; // its format is the one of this version
}

interface Entry {
  readonly domain?: Omit<Domain, 'format'> & { readonly format: number };
}

async function importEntry(folder: string, entry: string, shown: string): Promise<Entry> {
  try {
    return (await import(pathToFileURL(entry).href)) as Entry;
  } catch (error) {
    const { code, url, path } = error as NodeJS.ErrnoException & { readonly url?: string };
    // Its own file is missing, not a package that it imports.
    const isMissing =
      (code === 'ERR_MODULE_NOT_FOUND' && url?.startsWith(pathToFileURL(join(folder, 'dist/')).href) === true) ||
      (code === 'ENOENT' && path?.endsWith('catalog.json') === true);
    // A module of another build lacks what this one imports from it, or is cut short.
    if (isMissing || error instanceof SyntaxError) throw notWhole(shown);
    throw error;
  }
}

function notWhole(shown: string): UnusableBuild {
  return new UnusableBuild(
    `the generated server in '${shown}' is not whole, because a build was cut short or files were removed; 'schemac build' makes it again`,
  );
}

function otherVersion(shown: string): UnusableBuild {
  return new UnusableBuild(`'${shown}' was built by another version of schemac; build it again`);
}
