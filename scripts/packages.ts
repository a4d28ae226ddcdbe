/**
 * `npm run packages test`: packages that only some commands need have a folder of their own with a lock file, so that a first look at a
 * clone installs little. The commands that need them install them, once for each lock file.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `test`: suites, types, lint and format. `editors/vscode`: the extension. `bench`: the load. */
const folders = ['test', 'editors/vscode', 'bench'] as const;
export type PackagesFolder = (typeof folders)[number];

/** Installs the lock file of a folder, unless that was done before. Ends the process with 1 if npm fails. */
export function installPackages(folder: PackagesFolder): void {
  const cwd = join(root, folder);
  const stamp = join(cwd, 'node_modules/.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(cwd, 'package-lock.json')))
    .digest('hex');
  if (readStamp(stamp) === wanted) return;
  console.log(`installing the packages of ${folder}/package.json`);
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', words, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  writeFileSync(stamp, wanted);
}

function readStamp(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const name of process.argv.slice(2)) {
    const folder = folders.find((each) => each === name);
    if (folder === undefined) throw new Error(`there are no packages in '${name}'; there are ${folders.join(', ')}`);
    installPackages(folder);
  }
