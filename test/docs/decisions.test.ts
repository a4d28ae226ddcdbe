import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../kit/tool.ts';

const folder = join(root, 'docs/decisions');
const files = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .sort();

interface Row {
  readonly number: number;
  readonly title: string;
  readonly file: string;
}

const rows = readFileSync(join(folder, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ['))
  .map((line): Row | string => {
    const [, number, title, file] = /^\| \[(\d+)\. ([^\]]+)\]\(([^)]+)\) \| [^|]*\|$/.exec(line) ?? [];
    return number === undefined || title === undefined || file === undefined
      ? line
      : { number: Number(number), title, file };
  });

test('the list names each decision once, in the order of their numbers', () => {
  assert.equal(
    rows.map((row) => (typeof row === 'string' ? row : row.file)),
    files,
  );
});

test('no two decisions have the same number, and each is the same in name, list and heading', () => {
  const numbers = files.map((name) => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]));
  assert.equal(
    rows.map((row) => (typeof row === 'string' ? row : row.number)),
    numbers,
  );
  assert.is(new Set(numbers).size, numbers.length);
  const wrong = rows.filter((row) => {
    if (typeof row === 'string') return true;
    const [heading = ''] = readFileSync(join(folder, row.file), 'utf8').split('\n');
    // The list may leave out the end of a long heading.
    return !heading.startsWith(`# ${row.number}. ${row.title}`);
  });
  assert.equal(wrong, []);
});

test.run();
