import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mutants } from './mutants.ts';

test('each fault of the list still fits the sources', () => {
  const misfits = mutants.filter(({ file, from }) => {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    return text.split(from).length !== 2;
  });
  assert.equal(
    misfits.map(({ fault }) => fault),
    [],
  );
});

test.run();
