import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../kit/tool.ts';
import { anchorsOf, linksOf } from './anchors.ts';
import { pages } from './pages.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

for (const path of pages)
  test(`links of ${path} exist`, () => {
    const lost = linksOf(read(path)).filter((link) => {
      const target = link.path === '' ? path : join(dirname(path), link.path);
      if (!existsSync(join(root, target))) return true;
      if (link.anchor === undefined) return false;
      return statSync(join(root, target)).isDirectory() || !anchorsOf(read(target)).has(link.anchor);
    });
    assert.equal(lost, []);
  });

test('docs/README.md links every page of docs/, and README.md links it', () => {
  const indexes = ['docs/README.md', 'docs/decisions/README.md'];
  const reached = new Set(
    indexes.flatMap((index) => linksOf(read(index)).map(({ path }) => join(dirname(index), path))),
  );
  const inDocs = pages.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');
  assert.equal(
    inDocs.filter((path) => !reached.has(path)),
    [],
  );
  assert.ok(linksOf(read('README.md')).some(({ path }) => path === 'docs/README.md'));
});

test('anchors are those of GitHub', () => {
  const page = '# A `Name$Agg`, and [more](x.md)\n\n```\n# no heading\n```\n## Twice\n## Twice\n### Über 2.0 – ja\n';
  assert.equal([...anchorsOf(page)], ['a-nameagg-and-more', 'twice', 'twice-1', 'über-20--ja']);
});

test('only links into this repository are checked', () => {
  const page = '[a](b.md) [c](#d) [e](https://f) `[g](h)`\n```\n[i](j)\n```\n[k](l/m.md#n)\n';
  assert.equal(linksOf(page), [
    { path: 'b.md', anchor: undefined },
    { path: '', anchor: 'd' },
    { path: 'l/m.md', anchor: 'n' },
  ]);
});

test.run();
