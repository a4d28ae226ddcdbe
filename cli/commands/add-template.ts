import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearestNames, suggestion } from '../../compiler/diagnostics/suggestion.ts';
import type { Run } from '../declaration.ts';
import { inputFault } from '../exit-fault.ts';
import { resolveSettings } from '../settings/settings.ts';

const home = fileURLToPath(new URL('../../templates/stock/', import.meta.url));

/** `schemac add template <name>`: copies a stock template into the schema folder, where it belongs to the project from then on. */
export const runAddTemplate: Run = (shell, [name], flags) => {
  const known = readdirSync(home)
    .filter((file) => file.endsWith('.schema'))
    .map((file) => file.slice(0, -'.schema'.length))
    .sort();
  if (name === undefined) {
    for (const each of known) shell.output.write(`${each}  ${summary(each)}\n`);
    return Promise.resolve(0);
  }
  if (!known.includes(name)) {
    const hint = suggestion(nearestNames(name, known));
    throw inputFault(`there is no stock template '${name}'${hint === '' ? `; there are ${known.join(', ')}` : hint}`);
  }
  const settings = resolveSettings(shell, flags);
  const folder = resolve(shell.cwd, (flags['to'] as string | undefined) ?? settings.schema?.[0] ?? 'schema');
  const target = join(folder, 'templates', `${name}.schema`);
  if (existsSync(target)) throw inputFault(`'${relative(shell.cwd, target)}' is there already`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, readFileSync(join(home, `${name}.schema`)));
  shell.output.write(`${relative(shell.cwd, target)}\n`);
  return Promise.resolve(0);
};

/** The template's first comment. */
function summary(name: string): string {
  const [first = ''] = readFileSync(join(home, `${name}.schema`), 'utf8').split('\n');
  return first.replace(/^--\s*/, '');
}
