import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allowedLicences, installedPackages, sbomPath } from '../../scripts/licences.ts';

test('every installed package has a licence that permits what ours permits', () => {
  assert.equal(
    installedPackages().filter(({ licence }) => !allowedLicences.includes(licence)),
    [],
  );
});

test('the list of installed packages equals the lock file', () => {
  const { components } = JSON.parse(readFileSync(sbomPath, 'utf8')) as {
    readonly components: readonly { readonly name: string; readonly version: string }[];
  };
  assert.equal(
    components.map(({ name, version }) => `${name}@${version}`).sort(),
    installedPackages().map(({ name, version }) => `${name}@${version}`),
  );
});

test.run();
