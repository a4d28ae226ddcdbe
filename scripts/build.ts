/**
 * `npm run build`: bundles the tool, the compiler and the runtime to `dist/`, with the declarations of every module and the plain files
 * that the tool reads. With `--emit-only` types are not checked: an installation must give a working tool in a short time, and
 * `npm test` checks them with its linter.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assets, bundle } from './bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiled = ['client', 'language', 'templates', 'compiler', 'runtime', 'server', 'cli'];

/** A declaration stays only while its source exists, JavaScript only if it was just written: old files could be imported by mistake. */
function prune(folder: string, written: ReadonlySet<string>): void {
  if (!existsSync(join(root, 'dist', folder))) return;
  for (const entry of readdirSync(join(root, 'dist', folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    const built = join(root, 'dist', path);
    if (assets.some((folder) => folder === path)) continue;
    if (entry.isDirectory()) {
      prune(path, written);
      if (readdirSync(built).length === 0) rmSync(built, { recursive: true });
    } else if (path.endsWith('.js') ? !written.has(`dist/${path}`) : !existsSync(sourceOf(path))) rmSync(built);
  }
}

function sourceOf(declaration: string): string {
  return join(root, declaration.replace(/\.d\.ts$/, '.ts'));
}

const tsc = join(root, 'node_modules/typescript/bin/tsc');
const emitOnly = process.argv.includes('--emit-only');
const declarations = [tsc, '--build', 'tsconfig.build.json', ...(emitOnly ? ['--noCheck'] : [])];
const result = spawnSync(process.execPath, declarations, { cwd: root, stdio: 'inherit' });
const written = await bundle(root);
for (const folder of [...compiled, 'chunks']) prune(folder, written);
for (const folder of assets) {
  rmSync(join(root, 'dist', folder), { recursive: true, force: true });
  cpSync(join(root, folder), join(root, 'dist', folder), { recursive: true });
}
const main = join(root, 'dist/cli/main.js');
if (existsSync(main)) chmodSync(main, 0o755);
process.exitCode = !emitOnly || !existsSync(main) ? (result.status ?? 1) : 0;
