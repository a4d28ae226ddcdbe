/**
 * `node --conditions=schemac-source --import tsx scripts/function-reference.ts`: writes the function reference of docs/language.md
 * anew from the catalogue of functions. A test holds the two equal.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { functionReference } from '../compiler/functions/reference.ts';

const page = fileURLToPath(new URL('../docs/language.md', import.meta.url));
const begin = '<!-- functions: written by scripts/function-reference.ts -->\n';
const end = '<!-- end of functions -->\n';

/** The reference of functions as Markdown: a table a theme. */
export function functionTables(): string {
  const themes = Array.from(new Set(functionReference.map((entry) => entry.theme)));
  return themes
    .map((theme) => {
      const rows = functionReference
        .filter((entry) => entry.theme === theme)
        .map(({ usage, summary }) => `| ${usage.map((text) => `\`${cell(text)}\``).join(', ')} | ${cell(summary)} |\n`);
      return `### ${theme}\n\n| form | gives |\n|---|---|\n${rows.join('')}`;
    })
    .join('\n');
}

/** A `|` would end the cell, also between backticks. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** The page with the tables of now between its two marks. */
export function withFunctionTables(text: string): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error('docs/language.md lacks the marks of the function reference');
  return `${text.slice(0, from + begin.length)}\n${functionTables()}\n${text.slice(to)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(page, withFunctionTables(readFileSync(page, 'utf8')));
