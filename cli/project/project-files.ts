/**
 * The files that `init` writes: those of every project, and those of the chosen template. Takes names and values, gives paths and texts;
 * writes nothing.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stockNames, stockPart } from './stock.ts';

const shared = fileURLToPath(new URL('../../templates/project/', import.meta.url));
const starters = fileURLToPath(new URL('../../templates/starters/', import.meta.url));

export interface ProjectFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** Bytes only of an archive. */
  readonly text: string | Uint8Array;
}

type TextFile = ProjectFile & { readonly text: string };

/** The values of `{{name}}`, `{{schemac}}` and `{{vendor}}` in the files. */
export interface ProjectValues {
  /** The project's name, valid for npm. */
  readonly name: string;
  /** The dependency on this package in its `package.json`. */
  readonly schemac: string;
  /** The archive of this package in the project; without one, lines that name it are left out. */
  readonly vendor: string | undefined;
}

/** All names that `projectFiles` accepts: small domains to start with, and every stock template in its own project. */
export function projectTemplates(): readonly string[] {
  return [...readdirSync(starters), ...stockNames()].sort();
}

/** The files of a project, in order of their paths. */
export function projectFiles(template: string, values: ProjectValues): readonly TextFile[] {
  const isStock = stockNames().includes(template);
  const own = isStock
    ? stockFiles(template)
    : filesBelow(join(starters, template)).filter(({ path }) => path !== 'try.md');
  const howToTry = isStock ? stockPart(template, 'try.md') : readFileSync(join(starters, template, 'try.md'), 'utf8');
  const common = filesBelow(shared).map(({ path, text }) => ({
    // npm omits files named .gitignore when it packs.
    path: path === 'gitignore' ? '.gitignore' : path,
    text: withVendor(text, values.vendor)
      .replaceAll('{{name}}', values.name)
      .replaceAll('{{schemac}}', values.schemac)
      .replaceAll('{{try}}', howToTry.trimEnd()),
  }));
  return [...common, ...own].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function withVendor(text: string, vendor: string | undefined): string {
  if (vendor !== undefined) return text.replaceAll('{{vendor}}', vendor);
  return text.replaceAll(/^.*\{\{vendor\}\}.*\n/gm, '');
}

function stockFiles(name: string): readonly TextFile[] {
  return [
    { path: `schema/templates/${name}.schema`, text: stockPart(name, 'template.schema') },
    { path: `schema/${name}.schema`, text: stockPart(name, 'apply.schema') },
    { path: `tests/${name}.schema`, text: stockPart(name, 'tests.schema') },
  ];
}

function filesBelow(folder: string, prefix = ''): readonly TextFile[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) return filesBelow(folder, `${path}/`);
    return [{ path, text: readFileSync(join(folder, path), 'utf8') }];
  });
}
