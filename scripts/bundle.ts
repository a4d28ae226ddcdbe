import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeLookahead } from '../compiler/syntax/grammar/describe-lookahead.ts';
import { build, transform, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { loadTogether } from './stages.ts';

/** A module of the tree, without its ending, and where in `dist` it goes. */
export interface Entry {
  readonly in: string;
  readonly out: string;
}

/** The entries of processes, threads and imports of the package. */
const entries: readonly Entry[] = [
  'cli/main',
  'compiler/index',
  'server/index',
  'server/operation/query/query-thread',
  'runtime/store/tables/thread/worker',
].map((path) => ({ in: path, out: path }));

/** Folders of plain files that the tool reads at run time, at the same place in a bundle as in the sources. */
export const assets = ['templates/project', 'templates/starters', 'templates/stock'] as const;

/** Lets code that a test generates and imports find the modules that the test itself runs, by the package's export names. */
const testExports = {
  '.': './compiler/index.js',
  './runtime': './server/index.js',
  './client': './client/index.js',
  './config.schema.json': './schemac.config.schema.json',
  './package.json': './package.json',
};

/** Not bundled: sql.js finds its WebAssembly file next to itself, and ts-morph would double the size for `build` alone. */
const external = ['sql.js', 'ts-morph'];

/** CommonJS inside an ES module bundle still loads Node's own modules by `require`. */
const banner = `import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);`;

/** Options of every bundle of the package: modules of Node 20, split into chunks along the dynamic imports. */
const common = {
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  metafile: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  banner: { js: banner },
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Writes the entries to `dist` with all their imports, including third-party packages: otherwise most of a start would be finding and
 * reading hundreds of small files. A program that must share modules with them (`npm run bench`) is bundled with them. Gives the paths of
 * the written files, from `root`.
 */
export async function bundle(root: string, more: readonly Entry[] = []): Promise<ReadonlySet<string>> {
  const plugins = [
    knownLookahead(),
    ownPlace((path) => `new URL('../${withoutEnding(root, path)}.js', import.meta.url).href`),
  ];
  const options = {
    ...common,
    absWorkingDir: root,
    entryPoints: [...entries, ...more].map((entry) => ({ in: `${entry.in}.ts`, out: entry.out })),
    outdir: join(root, 'dist'),
    external,
    legalComments: 'inline',
  } as const satisfies BuildOptions;
  const begins = new Set(entries.map((entry) => `${entry.in}.ts`));
  const { metafile: apart } = await build({ ...options, plugins, write: false });
  const { metafile } = await build({ ...options, plugins: [...plugins, loadTogether(root, apart.inputs, begins)] });
  return new Set([...Object.keys(metafile.outputs), await bundleClient(root, 'dist')]);
}

/** Writes `schemac/client` as one file for browsers and Node, and gives its path, from `root`. */
async function bundleClient(root: string, folder: string): Promise<string> {
  const outfile = `${folder}/client/index.js`;
  await build({
    absWorkingDir: root,
    entryPoints: ['client/index.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['apache-arrow'],
    logLevel: 'warning',
  });
  return outfile;
}

/**
 * Writes the given modules to `build` together with the entries of the package, so that a suite loads in a fraction of the time of
 * transpiling its modules one by one. A module of the package finds its threads and plain files in `build`, a test finds its cases next to
 * its source. Gives the sources of each given module, from `root`.
 */
export async function bundleTests(
  root: string,
  modules: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const manifest = readJson(join(root, 'package.json')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const ofTests = readJson(join(root, 'test/package.json')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  rmSync(join(root, 'build'), { recursive: true, force: true });
  for (const folder of assets) {
    mkdirSync(join(root, 'build', dirname(folder)), { recursive: true });
    symlinkSync(join(root, folder), join(root, 'build', folder));
  }
  // `init` packs the built package from the folder of the running tool; an editor links to the page of codes.
  for (const name of ['schemac.config.schema.json', 'dist', 'docs'])
    symlinkSync(join(root, name), join(root, 'build', name));
  symlinkSync(join(root, 'test/node_modules'), join(root, 'build/node_modules'));
  writeFileSync(join(root, 'build/package.json'), JSON.stringify({ ...manifest, exports: testExports }));
  const { metafile } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: [
      ...entries.map((entry) => ({ in: `${entry.in}.ts`, out: entry.out })),
      ...modules.map((path) => ({ in: path, out: path.replace(/\.ts$/, '') })),
    ],
    outdir: join(root, 'build'),
    external: [...external, ...Object.keys({ ...manifest.devDependencies, ...ofTests.dependencies })],
    conditions: ['schemac-source'],
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [knownLookahead(), ownPlace((path) => JSON.stringify(placeInTests(root, path)))],
  });
  await bundleClient(root, 'build');
  return new Map(modules.map((path) => [path, sourcesOf(metafile, `build/${path.replace(/\.ts$/, '.js')}`)]));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The address that a bundled test module uses as its own: absolute, since a module may be written at any depth. */
function placeInTests(root: string, path: string): string {
  const ofTests = /^(test|scripts)[\\/]/.test(relative(root, path));
  return pathToFileURL(ofTests ? path : join(root, 'build', `${withoutEnding(root, path)}.js`)).href;
}

function withoutEnding(root: string, path: string): string {
  return relative(root, path).replaceAll('\\', '/').replace(/\.ts$/, '');
}

/** The sources of an output and of every chunk that it can import. */
function sourcesOf(metafile: Metafile, output: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const sources = new Set<string>();
  const pending = [output];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const found = metafile.outputs[name];
    if (found === undefined || seen.has(name)) continue;
    seen.add(name);
    for (const source of Object.keys(found.inputs)) sources.add(source);
    pending.push(...found.imports.map(({ path }) => path));
  }
  return sources;
}

/**
 * Lets a module find files next to itself wherever its code is written: `import.meta.url` stays the place of its source. `place` gives the
 * expression of that place.
 */
function ownPlace(place: (path: string) => string): Plugin {
  return {
    name: 'own-place',
    setup: (building) => {
      building.onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (path.includes('node_modules') || !text.includes('import.meta.url')) return undefined;
        const { code } = await transform(text, { loader: 'ts', define: { 'import.meta.url': 'ownPlace' } });
        return { contents: `const ownPlace = ${place(path)};\n${code}`, loader: 'js' };
      });
    },
  };
}

/** Computes the table of the parser now, not in every process. */
function knownLookahead(): Plugin {
  return {
    name: 'known-lookahead',
    setup: (building) => {
      building.onLoad({ filter: /[\\/]grammar[\\/]lookahead-table\.ts$/, namespace: 'file' }, () => ({
        contents: `export const lookaheadTable = ${JSON.stringify(describeLookahead())};`,
        loader: 'js',
      }));
    },
  };
}
