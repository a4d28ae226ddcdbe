import { functionReference } from '../compiler/functions/reference.ts';

/** The reference of functions as Markdown: one table per theme. */
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
