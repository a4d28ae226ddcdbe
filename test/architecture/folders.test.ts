import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../kit/tool.ts';
import { largeFolders, mostFiles } from './folders.ts';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  cwd: root,
  encoding: 'utf8',
}).split('\0');

const counts = new Map<string, number>();
for (const file of new Set(files)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);

test(`a folder holds at most ${mostFiles} files, or its list is one of equal things`, () => {
  const large = [...counts].filter(([folder, count]) => count > mostFiles && !(folder in largeFolders));
  assert.equal(
    large.map(([folder, count]) => `${folder}: ${count}`),
    [],
  );
});

test('each folder with a reason for more files is there', () => {
  assert.equal(
    Object.keys(largeFolders).filter((folder) => !counts.has(folder)),
    [],
  );
});

test.run();
