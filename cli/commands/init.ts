import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Run } from '../declaration.ts';
import { inputFault, usageFault } from '../exit-fault.ts';
import { writeJsonLine } from '../shell.ts';
import { declaredDependency, extendManifest } from '../project/extend-manifest.ts';
import { projectFiles, projectTemplates, type ProjectFile } from '../project/project-files.ts';
import { packageArchive } from '../project/package-archive.ts';
import { unknownTemplate } from '../project/unknown-template.ts';
import type { Shell } from '../shell.ts';
import { packageFolder, productVersion } from '../version.ts';
import { makeFolder } from '../../runtime/store/disk/make-folder.ts';

/** `schemac init [dir] [--template name]`: writes a project. Existing files stay unchanged, and are named. */
export const runInit: Run = (shell, [word = '.'], flags) => {
  const template = (flags['template'] as string | undefined) ?? 'tasks';
  const known = projectTemplates();
  if (!known.includes(template)) throw usageFault(unknownTemplate('project', template, known));
  const folder = resolve(shell.cwd, word);
  checkFolder(folder, word);
  const { range, archive } = ownDependency();
  const vendor = declaresUs(folder) ? undefined : archive;
  const files: readonly ProjectFile[] = [
    ...projectFiles(template, { name: packageName(basename(folder)), schemac: range, vendor }),
    ...(vendor === undefined ? [] : [{ path: vendor, text: packageArchive(packageFolder()) }]),
  ];
  // All files are planned before the first one is written.
  const steps = files.map((file) => planFile(folder, file));
  for (const step of steps) layDown(folder, step);
  const enter = word === '.' ? '' : `cd ${word} && `;
  const install = existsSync(join(folder, 'node_modules/schemac')) ? '' : 'npm install && ';
  const next = `${enter}${install}npm test && npm run dev`;
  if (flags['json'] === true) {
    const shown = steps.map(({ path, change }) => ({ path: join(word, path), change }));
    writeJsonLine(shell.output, { files: shown, next });
    return Promise.resolve(0);
  }
  for (const step of steps) tell(shell, word, step);
  shell.messages.write(`\nNext: ${next}\n`);
  return Promise.resolve(0);
};

/** Refuses the folder of a project, whose schema would get the blocks of the example. Files are added to those of any other folder. */
function checkFolder(folder: string, shown: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw inputFault(`'${shown}' is a file; name a folder`);
  const found = ['schemac.config.json', 'schema'].filter((name) => existsSync(join(folder, name)));
  if (found.length > 0) throw inputFault(`the folder '${shown}' is a project already; it contains ${found.join(', ')}`);
}

/** Whether the project's `package.json` already says where this package comes from. */
function declaresUs(folder: string): boolean {
  const path = join(folder, 'package.json');
  return existsSync(path) && declaredDependency(readFileSync(path, 'utf8'), 'schemac') !== undefined;
}

/** The plan for a file: the text to write, if any, and the remark about an existing file. */
interface Step {
  readonly path: string;
  readonly change: 'written' | 'kept' | 'extended';
  readonly text?: string | Uint8Array;
  readonly said?: string;
}

/** An existing file stays, except that a `package.json` gets its missing parts. */
function planFile(folder: string, { path, text }: ProjectFile): Step {
  const target = join(folder, path);
  if (!existsSync(target)) return { path, text, change: 'written' };
  if (path !== 'package.json' || typeof text !== 'string') return { path, said: 'kept', change: 'kept' };
  const { text: extended, added } = extendManifest(readFileSync(target, 'utf8'), text);
  if (added.length === 0) return { path, said: 'kept', change: 'kept' };
  return { path, text: extended, said: `added ${added.join(', ')} to`, change: 'extended' };
}

function layDown(folder: string, { path, text }: Step): void {
  if (text === undefined) return;
  makeFolder(dirname(join(folder, path)));
  writeFileSync(join(folder, path), text);
}

function tell(shell: Shell, shown: string, { path, said }: Step): void {
  if (said === undefined) shell.output.write(`${join(shown, path)}\n`);
  else shell.messages.write(`${said} ${join(shown, path)}, which already existed\n`);
}

/** The folder's name as a valid npm package name. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-._]+|-+$/g, '');
  return name === '' ? 'schema-project' : name.slice(0, 200);
}

/** The dependency on this package in a project's `package.json`. */
interface OwnDependency {
  readonly range: string;
  /** The archive of this package in the project, if `npm ci` could not find the package elsewhere. */
  readonly archive?: string;
}

/** A version if npm installed this package from a registry; else an archive in the project, so that CI and Docker need nothing else. */
export function ownDependency(own = packageFolder()): OwnDependency {
  const version = productVersion();
  if (isFromRegistry(own)) return { range: `^${version}` };
  const archive = `vendor/schemac-${version}.tgz`;
  return { range: `file:${archive}`, archive };
}

/** npm records in `node_modules` where it took each package from. */
function isFromRegistry(own: string): boolean {
  const modules = dirname(own);
  const lock = join(modules, '.package-lock.json');
  if (basename(modules) !== 'node_modules' || !existsSync(lock)) return false;
  const { packages = {} } = JSON.parse(readFileSync(lock, 'utf8')) as {
    readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
  };
  return /^https?:/.test(packages['node_modules/schemac']?.resolved ?? '');
}
