import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

/** The files of a case that are not expectations: text by relative path. */
export type CaseInput = Readonly<Record<string, string>>;

/**
 * Declares one test for each folder under `home` (relative to the test file at `from`). A case holds its input files and, under
 * `expected/`, exactly the files that `run` gives for them. `SCHEMAC_UPDATE=1` rewrites the expected files.
 */
export function folderCases(
  from: string,
  home: string,
  run: (input: CaseInput, name: string) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>,
): void {
  const folder = join(dirname(fileURLToPath(from)), home);
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (names.length === 0) throw new Error(`${folder} holds no case`);
  for (const { name } of names) {
    test(`${home}/${name}`, async () => {
      const all = readTree(join(folder, name));
      const input = Object.fromEntries(Object.entries(all).filter(([path]) => !path.startsWith('expected/')));
      const actual = await run(input, name);
      if (process.env['SCHEMAC_UPDATE'] === '1') writeExpected(join(folder, name, 'expected'), actual);
      const expected = readTree(join(folder, name, 'expected'));
      assert.equal(Object.keys(actual).sort(), Object.keys(expected).sort(), 'the files of the case');
      for (const [path, text] of Object.entries(actual)) assert.fixture(text, expected[path] ?? '', path);
    });
  }
}

function writeExpected(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Every file under a folder as text, by its relative path with `/`; nothing when the folder is missing. */
export function readTree(folder: string, prefix = ''): Record<string, string> {
  if (!existsSync(folder)) return {};
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = prefix + entry.name;
    if (entry.isDirectory()) Object.assign(found, readTree(join(folder, entry.name), `${path}/`));
    else found[path] = readFileSync(join(folder, entry.name), 'utf8');
  }
  return found;
}
