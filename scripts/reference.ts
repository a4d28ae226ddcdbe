/**
 * `npm run docs`: rewrites the parts of the documentation that are generated from tables of the program. Each is between `<!-- name:
 * written by npm run docs -->` and `<!-- end of name -->`; a test compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeDocumentation, filterDocumentation, routeDocumentation } from './http-reference.ts';
import { routeTable } from '../server/http/routes/route-table.ts';
import { configSchema } from '../server/start/settings/config-file.ts';
import { figuresInShort } from './figures-in-short.ts';
import { functionTables } from './function-reference.ts';
import { habitTables } from './habit-reference.ts';
import { licenceTable } from './licences.ts';

export interface Part {
  readonly page: string;
  readonly name: string;
  readonly text: () => string;
}

export const parts: readonly Part[] = [
  { page: 'README.md', name: 'figures', text: figuresInShort },
  { page: 'docs/language.md', name: 'functions', text: functionTables },
  { page: 'docs/http.md', name: 'routes', text: () => routeDocumentation(routeTable) },
  { page: 'docs/http.md', name: 'filters', text: filterDocumentation },
  { page: 'docs/http.md', name: 'codes', text: codeDocumentation },
  { page: 'docs/http.md', name: 'limits', text: limitTable },
  { page: 'docs/coming-from.md', name: 'habits', text: habitTables },
  { page: 'docs/licences.md', name: 'licences', text: licenceTable },
];

/** The limits that a configuration may set, as a Markdown table. */
function limitTable(): string {
  const limits = configSchema().properties?.['http']?.properties?.['limits']?.properties ?? {};
  const rows = Object.entries(limits).map(
    ([name, { description = '', default: byDefault, maximum = 0 }]) =>
      `| \`${name}\` | ${description.replace(/\.$/, '')} | ${count(byDefault as number)} | ${count(maximum)} |\n`,
  );
  return `| limit | of | default | at most |\n|---|---|---|---|\n${rows.join('')}`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

/** The page with the present part; throws if the page has no place for it. */
export function withPart(page: string, { name, text }: Part): string {
  const begin = `<!-- ${name}: written by npm run docs -->\n`;
  const from = page.indexOf(begin);
  const to = page.indexOf(`<!-- end of ${name} -->\n`);
  if (from < 0 || to < from) throw new Error(`the page has no place for '${name}'`);
  return `${page.slice(0, from + begin.length)}\n${text().trim()}\n\n${page.slice(to)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  for (const part of parts) {
    const path = join(root, part.page);
    writeFileSync(path, withPart(readFileSync(path, 'utf8'), part));
  }
}
