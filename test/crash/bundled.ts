import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { freshFolder } from '../store/fresh-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const made = new Map<string, string>();

/**
 * A program of this folder bundled into one file, so that many processes of it start fast; once for all tests of a suite. Uses the
 * project's packages.
 */
export function bundled(program: string): string {
  const known = made.get(program);
  if (known !== undefined) return known;
  const file = join(freshFolder(), `${program}.cjs`);
  buildSync({
    entryPoints: [join(root, 'test/crash', `${program}.ts`)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['sql.js'],
    outfile: file,
    logLevel: 'error',
    // Only worker threads use their own path, and these programs have none.
    define: { 'import.meta.url': '"file:///bundled.ts"' },
  });
  made.set(program, file);
  return file;
}
