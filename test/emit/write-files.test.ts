import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { GeneratedFile } from '../../compiler/emit/project/generated-file.ts';
import { createManifest, MANIFEST } from '../../compiler/emit/project/manifest.ts';
import { unfinishedBuild } from '../../language/contract/domain.ts';
import { writeFiles } from '../../compiler/emit/project/write-files.ts';
import { createFileHost } from '../../compiler/host.ts';
import { readTree } from '../kit/cases.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

function build(texts: Readonly<Record<string, string>>): readonly GeneratedFile[] {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
  return [...files, { path: MANIFEST, text: createManifest('0.0.0', files) }];
}

test('writes new files, leaves equal ones, removes files that are no longer generated', () =>
  withTempFolder((folder) => {
    const host = createFileHost(join(folder, 'out'));
    const first = writeFiles(host, build({ 'a.ts': '1', 'deep/b.ts': '2', 'c.ts': '3' }));
    assert.equal(first, { written: ['a.ts', 'deep/b.ts', 'c.ts', MANIFEST], unchanged: [], removed: [], kept: [] });
    const again = writeFiles(host, build({ 'a.ts': '1', 'deep/b.ts': '2', 'c.ts': '3' }));
    assert.equal(again, { written: [], unchanged: ['a.ts', 'deep/b.ts', 'c.ts', MANIFEST], removed: [], kept: [] });
    const later = writeFiles(host, build({ 'a.ts': '1', 'c.ts': 'other' }));
    assert.equal(later, { written: ['c.ts', MANIFEST], unchanged: ['a.ts'], removed: ['deep/b.ts'], kept: [] });
    assert.not.ok(existsSync(join(folder, 'out/deep')));
    assert.equal(Object.keys(readTree(join(folder, 'out'))).sort(), ['a.ts', 'c.ts', MANIFEST]);
    // A removed folder is created again.
    assert.equal(writeFiles(host, build({ 'a.ts': '1', 'c.ts': 'other', 'deep/b.ts': '2' })).written, [
      'deep/b.ts',
      MANIFEST,
    ]);
    rmSync(join(folder, 'out'), { recursive: true });
    writeFiles(host, build({ 'deep/b.ts': '2' }));
    assert.equal(Object.keys(readTree(join(folder, 'out'))).sort(), ['deep/b.ts', MANIFEST]);
  }));

test('a build that is cut short leaves a mark, until the next one is whole', () =>
  withTempFolder((folder) => {
    const host = createFileHost(folder);
    const marked = (): boolean => existsSync(join(folder, unfinishedBuild));
    const [old, next] = [
      build({ 'a.ts': '1', 'b.ts': '2', 'c.ts': '3' }),
      build({ 'a.ts': '4', 'b.ts': '2', 'd.ts': '5' }),
    ];
    const whole = Object.fromEntries(next.map(({ path, text }) => [path, text]));
    // Writes: the mark, a.ts, d.ts, the removal of c.ts, the manifest, and the removal of the mark.
    for (let steps = 0; steps < 6; steps += 1) {
      writeFiles(host, old);
      let left = steps;
      const cut = (work: () => void): void => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        work();
      };
      const killed = {
        ...host,
        write: (path: string, text: string) => cut(() => host.write(path, text)),
        remove: (path: string) => cut(() => host.remove(path)),
      };
      assert.throws(() => writeFiles(killed, next), 'killed');
      assert.is(marked(), steps > 0, `after ${steps} steps`);
      writeFiles(host, next);
      assert.equal(readTree(folder), whole);
    }
  }));

test('leaves files that it did not write', () =>
  withTempFolder((folder) => {
    const host = createFileHost(folder);
    writeFileSync(join(folder, 'mine.ts'), 'mine');
    writeFiles(host, build({ 'a.ts': '1', 'b.ts': '2' }));
    writeFileSync(join(folder, 'b.ts'), 'changed by hand');
    const report = writeFiles(host, build({ 'a.ts': '1' }));
    assert.equal(report.removed, []);
    assert.equal(report.kept, ['b.ts']);
    assert.is(readFileSync(join(folder, 'mine.ts'), 'utf8'), 'mine');
    assert.is(readFileSync(join(folder, 'b.ts'), 'utf8'), 'changed by hand');
  }));

test('files that earlier versions wrote next to the TypeScript move to dist; an edited file stays', () =>
  withTempFolder((folder) => {
    const host = createFileHost(folder);
    writeFiles(host, build({ 'events/E.ts': '1', 'events/E.js': '2', 'events/F.ts': '3', 'events/F.js': '4' }));
    writeFileSync(join(folder, 'events/F.js'), 'edited');
    writeFileSync(join(folder, 'events/mine.js'), 'mine');
    const now = build({ 'events/E.ts': '1', 'dist/events/E.js': '2', 'events/F.ts': '3', 'dist/events/F.js': '4' });
    const { removed, kept } = writeFiles(host, now);
    assert.equal({ removed, kept }, { removed: ['events/E.js'], kept: ['events/F.js'] });
    assert.equal(Object.keys(readTree(folder)).sort(), [
      'dist/events/E.js',
      'dist/events/F.js',
      'events/E.ts',
      'events/F.js',
      'events/F.ts',
      'events/mine.js',
      MANIFEST,
    ]);
  }));

for (const path of ['../outside', '/etc/x', 'a/../../outside', '.hidden', 'a\\b', 'a//b', '', 'a/./b'])
  test(`a manifest cannot name ${JSON.stringify(path)}`, () =>
    withTempFolder((folder) => {
      const host = createFileHost(join(folder, 'out'));
      writeFileSync(join(folder, 'outside'), 'x');
      host.write(MANIFEST, createManifest('0.0.0', [{ path, text: 'x' }]));
      const report = writeFiles(host, build({ 'a.ts': '1' }));
      assert.equal([report.removed, report.kept], [[], []]);
      assert.ok(existsSync(join(folder, 'outside')));
      assert.throws(() => writeFiles(host, [{ path, text: 'x' }]), /outside its folder/);
    }));

for (const text of ['', '{', 'null', '[]', '{"files":null}', '{"files":{"a.ts":7}}'])
  test(`a manifest that reads ${JSON.stringify(text)} lists nothing`, () =>
    withTempFolder((folder) => {
      const host = createFileHost(folder);
      host.write(MANIFEST, text);
      host.write('a.ts', '7');
      assert.equal(writeFiles(host, build({ 'b.ts': '1' })).removed, []);
    }));

test.run();
