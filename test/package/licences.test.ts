import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allowedLicences, installedPackages, sbomPath } from '../../scripts/licences.ts';

test('whatever is installed with the package is under a licence that permits what ours does', () => {
  assert.equal(
    installedPackages().filter(({ licence }) => !allowedLicences.includes(licence)),
    [],
  );
});

test('the list of what is installed is the lock file’s', () => {
  const { components } = JSON.parse(readFileSync(sbomPath, 'utf8')) as {
    readonly components: readonly { readonly name: string; readonly version: string }[];
  };
  assert.equal(
    components.map(({ name, version }) => `${name}@${version}`).sort(),
    installedPackages().map(({ name, version }) => `${name}@${version}`),
  );
});

test.run();
