import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './tool.ts';
import { writeFiles } from './temp-folder.ts';

/** As in `tsconfig.json`. */
export type CompilerOptions = Readonly<Record<string, string | boolean | readonly string[]>>;

const compiler = join(root, 'test/node_modules/typescript-native/bin/tsc');
const mostOutput = 64 * 1024 * 1024;

/**
 * The errors of TypeScript (the compiler that users install) in the files of a folder, as `path:line message`, paths relative to the folder.
 * Its declarations of packages are found as the folder finds them, so the build of this package counts, not its sources.
 */
export function typeErrors(
  folder: string,
  files: { readonly include: readonly string[] } | { readonly files: readonly string[] },
  options: CompilerOptions,
): readonly string[] {
  writeFiles(folder, { 'tsconfig.json': JSON.stringify({ compilerOptions: { ...options, noEmit: true }, ...files }) });
  const words = [compiler, '--project', folder, '--pretty', 'false'];
  const { stdout, status, error } = spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: mostOutput,
  });
  if (error !== undefined) throw error;
  const found = stdout
    .split('\n')
    .map((line) => line.replace(/^(.+?)\((\d+),\d+\): error (TS\d+: .*)$/, '$1:$2 $3'))
    .filter((line) => line !== '');
  if ((status === 0) !== (found.length === 0)) throw new Error(`tsc ended with ${String(status)}: ${stdout}`);
  return found;
}
