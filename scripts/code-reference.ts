import { explanations, type Explanation } from '../cli/commands/explain.ts';

const areas: readonly (readonly [title: string, belongs: (code: string) => boolean])[] = [
  ['Findings about a text', (code) => code.startsWith('E') && !code.startsWith('E10')],
  ['Findings across blocks', (code) => code.startsWith('E10')],
  ['Failures at run time', (code) => code.startsWith('R')],
];

/** Every code with its meaning, as Markdown: a row each, which an editor links to. */
export function codeTables(): string {
  const all = [...explanations().values()];
  return areas
    .map(([title, belongs]) => {
      const rows = all.filter(({ code }) => belongs(code)).map(row);
      return `## ${title}\n\n| code | what is wrong | why, and what to do |\n|---|---|---|\n${rows.join('')}`;
    })
    .join('\n');
}

function row({ code, severity, title, explanation }: Explanation): string {
  const kind = severity === 'error' ? '' : ` (${severity})`;
  return `| <a id="${code.toLowerCase()}"></a>${code} | ${cell(title)}${kind} | ${cell(explanation)} |\n`;
}

/** Escapes signs that Markdown would read: a text names `event_type`, `*` and `<name>`. */
function cell(text: string): string {
  const parts = text.replaceAll('\n', ' ').split(/(`[^`]*`)/);
  return parts
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[*_<[\]]/g, '\\$&')))
    .join('')
    .replaceAll('|', '\\|');
}
