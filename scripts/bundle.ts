import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Compiled files that stand between us and a library whose import takes long, most of it spent on finding and reading hundreds of
 * small files. Each is replaced by one bundle of itself and that library. Nothing else may import the library.
 */
const slowImports: readonly string[] = ['compiler/syntax/chevrotain.js'];

const mark = '/* bundled */';
/** CommonJS inside an ES module bundle still asks for Node's own modules by `require`. */
const banner = `${mark} import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);`;

/** Bundles, in place, what of the list exists in `dist` and is not bundled yet. */
export async function bundleSlowImports(dist: string): Promise<void> {
  for (const path of slowImports) {
    const file = join(dist, path);
    if (!existsSync(file) || readFileSync(file, 'utf8').startsWith(mark)) continue;
    await build({
      entryPoints: [file],
      outfile: file,
      allowOverwrite: true,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      legalComments: 'inline',
      banner: { js: banner },
      logLevel: 'warning',
    });
  }
}
