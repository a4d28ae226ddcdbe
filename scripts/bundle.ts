import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, transform, type Plugin } from 'esbuild';

/** A module of the tree, without its ending, and where in `dist` it goes. */
export interface Entry {
  readonly in: string;
  readonly out: string;
}

/** Where a process, a thread or an import of the package begins. */
const entries: readonly Entry[] = [
  'cli/main',
  'compiler/index',
  'runtime/index',
  'runtime/registry/console-thread',
  'runtime/store/read-model/worker',
].map((path) => ({ in: path, out: path }));

/** Loaded as they are: sql.js finds its WebAssembly file beside itself, and ts-morph would double the size for `build` alone. */
const external = ['sql.js', 'ts-morph'];

/** CommonJS inside an ES module bundle still asks for Node's own modules by `require`. */
const banner = `import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);`;

/**
 * Writes the entries to `dist` with all that they import, third-party packages too, split into chunks along the dynamic imports: most
 * of a start would else go into finding and reading hundreds of small files. What shall share modules with them (`npm run bench`) is
 * bundled with them. Gives the paths of what was written, from `root`.
 */
export async function bundle(root: string, more: readonly Entry[] = []): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries, ...more].map((entry) => ({ in: `${entry.in}.ts`, out: entry.out })),
    outdir: join(root, 'dist'),
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    metafile: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external,
    legalComments: 'inline',
    banner: { js: banner },
    plugins: [ownPlace(root)],
    logLevel: 'warning',
  });
  return new Set(Object.keys(metafile.outputs));
}

/**
 * A module that looks for files beside itself finds them wherever its code ended up: `import.meta.url` stays the place that the module
 * has in the tree. What uses it ends up one level below `dist`, as entry or chunk.
 */
function ownPlace(root: string): Plugin {
  return {
    name: 'own-place',
    setup: (building) => {
      building.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (path.includes('node_modules') || !text.includes('import.meta.url')) return undefined;
        const place = `../${relative(root, path).replaceAll('\\', '/').replace(/\.ts$/, '.js')}`;
        const { code } = await transform(text, { loader: 'ts', define: { 'import.meta.url': 'ownPlace' } });
        return { contents: `const ownPlace = new URL('${place}', import.meta.url).href;\n${code}`, loader: 'js' };
      });
    },
  };
}
