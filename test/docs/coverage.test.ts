import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseScript } from '../../compiler/index.ts';
import { childKeys } from '../../compiler/syntax/children.ts';
import type { Node } from '../../compiler/syntax/ast.ts';
import { walk } from '../../compiler/syntax/walk.ts';
import { root } from '../kit/tool.ts';
import { samplesOf } from './samples.ts';

const present = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

/** `Like` for a kind of node in a sample, `Like.escape` for a part of one that is written. */
function shown(page: string): ReadonlySet<string> {
  const found = new Set<string>();
  const note = (node: Node): void => {
    found.add(node.kind);
    const parts = node as unknown as Readonly<Record<string, unknown>>; // by the keys of the table
    for (const key of Object.keys(childKeys[node.kind])) if (present(parts[key])) found.add(`${node.kind}.${key}`);
  };
  for (const { text, error } of samplesOf(page)) {
    if (error !== undefined) continue;
    for (const { statement } of parseScript({ name: 'page', text }).statements)
      if (statement !== undefined) walk(statement, note);
  }
  return found;
}

test('the reference of the language shows every construct with all its parts', () => {
  const found = shown(readFileSync(join(root, 'docs/language.md'), 'utf8'));
  const all = Object.entries(childKeys).flatMap(([kind, keys]) => [
    kind,
    ...Object.keys(keys).map((key) => `${kind}.${key}`),
  ]);
  assert.equal(
    all.filter((part) => !found.has(part)),
    [],
  );
});

test('only parts that a sample writes count as shown', () => {
  const found = shown("```sql\nSELECT 'a' LIKE 'b';\n```\n```sql error E0101\nSELECT 'a' LIKE 'b' ESCAPE 'c';\n```\n");
  assert.equal(
    ['Like', 'Like.pattern', 'Like.escape', 'Between'].map((part) => found.has(part)),
    [true, true, false, false],
  );
});

test.run();
