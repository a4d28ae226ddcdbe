import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearestNames, suggestion } from '../../compiler/diagnostics/suggestion.ts';
import type { Run } from '../declaration.ts';
import { inputFault, usageFault } from '../exit-fault.ts';
import { dependencyOf } from '../version.ts';

const home = fileURLToPath(new URL('../../templates/project/', import.meta.url));

/** `schemac init [dir] [--template name]`: copies a project into a new or empty folder. */
export const runInit: Run = (shell, [word = '.'], flags) => {
  const template = (flags['template'] as string | undefined) ?? 'tasks';
  const known = readdirSync(home).sort();
  if (!known.includes(template)) {
    const hint = suggestion(nearestNames(template, known));
    throw usageFault(
      `there is no project template '${template}'${hint === '' ? `; there are ${known.join(', ')}` : hint}`,
    );
  }
  const folder = resolve(shell.cwd, word);
  checkFolder(folder, word);
  const values = { name: packageName(basename(folder)), schemac: dependencyOf(folder) };
  for (const path of filesBelow(join(home, template))) {
    // npm leaves out files named .gitignore when it packs.
    const target = join(folder, path === 'gitignore' ? '.gitignore' : path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, fill(readFileSync(join(home, template, path), 'utf8'), values));
    shell.output.write(`${join(word, path === 'gitignore' ? '.gitignore' : path)}\n`);
  }
  const enter = word === '.' ? '' : `cd ${word} && `;
  shell.messages.write(`\nNext: ${enter}npm install && npm test && npm run dev\n`);
  return Promise.resolve(0);
};

/** A repository's own files may be there already; anything that the project could overwrite may not. */
function checkFolder(folder: string, shown: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw inputFault(`'${shown}' is a file; name a new or empty folder`);
  const harmless = ['.git', 'LICENSE', '.gitattributes', '.editorconfig'];
  const names = readdirSync(folder).filter((name) => !harmless.includes(name));
  if (names.length > 0)
    throw inputFault(`the folder '${shown}' is not empty; it holds ${names.slice(0, 3).join(', ')}`);
}

function filesBelow(folder: string, prefix = ''): readonly string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(folder, join(prefix, entry.name)) : [join(prefix, entry.name)],
    );
}

function fill(text: string, values: { readonly name: string; readonly schemac: string }): string {
  return text.replaceAll('{{name}}', values.name).replaceAll('{{schemac}}', values.schemac);
}

/** The folder's name as npm takes names of packages. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-._]+|-+$/g, '');
  return name === '' ? 'schema-project' : name.slice(0, 200);
}
