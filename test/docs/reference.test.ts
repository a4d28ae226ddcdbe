import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { figuresInShort } from '../../scripts/figures-in-short.ts';
import { parts, withPart } from '../../scripts/reference.ts';
import { root } from '../kit/tool.ts';

const holds: Readonly<Record<string, string>> = {
  figures: '| command with 1,000,000 events stored : 1,000 events stored |',
  functions: '`COALESCE(x, …)`',
  routes: 'POST /api/aggregates/{agg}/execute/{command}',
  filters: '`column[lt]=value`',
  codes: '| `H4051` | 405 |',
  limits: '`commandBytes`',
  habits: '| `PRIMARY KEY` |',
  licences: '| chevrotain |',
};

for (const part of parts)
  test(`the ${part.name} in ${part.page} equal those of the program`, () => {
    const page = readFileSync(join(root, part.page), 'utf8');
    assert.ok(part.text().includes(holds[part.name] ?? 'nothing'));
    assert.fixture(page, withPart(page, part), 'npm run docs writes them anew');
  });

test('the selected figures are rows of the page, with the machine; a page without figures is refused', () => {
  const table = '| figure | value |\n|---|---|\n| resident bytes an event | [9](#b) |\n| other | 1 |\n';
  const text = `## Method\n\n## Figures\n\nOne [run](a.md),\nsome machine.\n\n${table}`;
  const shown =
    'One [run](docs/a.md),\nsome machine.\n\n| figure | value |\n|---|---|\n| resident bytes an event | [9](docs/performance.md#b) |\n';
  assert.is(figuresInShort(text), shown);
  assert.throws(() => figuresInShort('## Figures\n'), /no figures/);
});

test('a page without the markers for a part is refused', () => {
  const part = { page: 'a.md', name: 'things', text: () => 'x' };
  assert.throws(() => withPart('text\n', part), /no place for 'things'/);
  const page = '<!-- things: written by npm run docs -->\nold\n<!-- end of things -->\n';
  assert.is(withPart(page, part), '<!-- things: written by npm run docs -->\n\nx\n\n<!-- end of things -->\n');
});

test.run();
