import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/**
 * A program of this folder bundled into one file in `folder`, so that many processes of it start fast. Uses the
 * project's packages.
 */
export function bundled(program: string, folder: string): string {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const file = join(folder, `${program}.cjs`);
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
  return file;
}
