import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The stock templates of the schema language. Each is a folder: the template, an application of it, a script that tests it, and a few lines
 * on how to try it.
 */
const home = fileURLToPath(new URL('../../templates/stock/', import.meta.url));

/** In order of their names. */
export function stockNames(): readonly string[] {
  return readdirSync(home).sort();
}

/** The text of an existing part of a stock template. */
export function stockPart(name: string, part: 'template.schema' | 'apply.schema' | 'tests.schema' | 'try.md'): string {
  return readFileSync(join(home, name, part), 'utf8');
}

/** Its purpose, from its head comment: the first sentence, on one line. */
export function stockSummary(name: string): string {
  const comment = /^(?:-- .*\n)+/.exec(stockPart(name, 'template.schema'))?.[0] ?? '';
  const [sentence = ''] = comment
    .replaceAll(/\s*^--\s*/gm, ' ')
    .trim()
    .split(/(?<=\.)\s/);
  return sentence;
}
