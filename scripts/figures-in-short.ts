import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../docs/performance.md', import.meta.url));

/** The figures that best support the first paragraph, as `docs/performance.md` names them. */
const chosen: readonly RegExp[] = [
  /^command with 1,000,000 events stored/,
  /^row of a foldable projection/,
  /^EXECUTE in process/,
  /^EXECUTE over HTTP : empty Koa route, load included/,
  /^GET events of 1,000,000 as Arrow/,
  /^ready with a snapshot of 1,000,000$/,
  /^resident bytes an event/,
];

/** The first paragraph under the figures of `docs/performance.md`, which names the machine, and some rows of its table. */
export function figuresInShort(text = readFileSync(page, 'utf8')): string {
  const [, section = ''] = text.split(/^## Figures$/m);
  const [paragraph = ''] = section.trim().split('\n\n');
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  const [head = '', rule = ''] = rows;
  const found = rows.filter((row) => chosen.some((name) => name.test(row.split('|')[1]?.trim() ?? '')));
  if (found.length === 0) throw new Error('docs/performance.md has no figures that README.md could show');
  return fromAbove(`${paragraph}\n\n${[head, rule, ...found].join('\n')}\n`);
}

/** The links of a page in `docs/` as they are in the folder above it. */
function fromAbove(text: string): string {
  return text.replaceAll('](#', '](performance.md#').replaceAll(/\]\((?![a-z]+:)/g, '](docs/');
}
