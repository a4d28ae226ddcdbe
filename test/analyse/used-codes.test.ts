import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { catalogue } from '../../language/diagnostics/catalogue.ts';

const compiler = fileURLToPath(new URL('../../compiler/', import.meta.url));

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((found) => {
    const path = join(folder, found.name);
    if (found.isDirectory()) return sourcesIn(path);
    return found.name.endsWith('.ts') && !path.includes(join('diagnostics', 'codes'))
      ? [readFileSync(path, 'utf8')]
      : [];
  });
}

test('every code of the catalogue is raised by some source file', () => {
  const raised = new Set(
    sourcesIn(compiler).flatMap((text) => Array.from(text.matchAll(/'(E\d{4})'/g), (match) => match[1])),
  );
  assert.equal(
    Object.keys(catalogue).filter((code) => !raised.has(code)),
    [],
  );
});

test.run();
