/**
 * `npm run build`: compiles `cli`, `compiler`, `runtime` and `templates` to `dist/`, removes what no source stands behind any
 * more, copies what is not TypeScript, and bundles the libraries that are slow to import. With `--emit-only` a type error is
 * printed and does not fail: an installation shall yield a tool that runs, and `npm test` is who reports types.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSlowImports } from './bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiled = ['cli', 'compiler', 'runtime', 'templates'];
/** Folders of plain files that the tool reads at run time, at the same place in `dist` as in the sources. */
const assets = ['templates/project', 'templates/stock'];

/** A compiled file stays only while its source does; an old one could be imported by mistake. */
function prune(folder: string): void {
  if (!existsSync(join(root, 'dist', folder))) return;
  for (const entry of readdirSync(join(root, 'dist', folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (assets.includes(path)) rmSync(join(root, 'dist', path), { recursive: true });
    else if (entry.isDirectory()) {
      prune(path);
      if (!existsSync(join(root, path))) rmSync(join(root, 'dist', path), { recursive: true });
    } else if (!existsSync(join(root, path.replace(/(\.d)?\.(js|ts)$/, '.ts')))) rmSync(join(root, 'dist', path));
  }
}

const tsc = join(root, 'node_modules/typescript/bin/tsc');
const result = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
for (const folder of compiled) prune(folder);
for (const folder of assets) {
  if (existsSync(join(root, folder))) cpSync(join(root, folder), join(root, 'dist', folder), { recursive: true });
}
await bundleSlowImports(join(root, 'dist'));
const main = join(root, 'dist/cli/main.js');
if (existsSync(main)) chmodSync(main, 0o755);
const typesCount = !process.argv.includes('--emit-only');
process.exitCode = typesCount || !existsSync(main) ? (result.status ?? 1) : 0;
