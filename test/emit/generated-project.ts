import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { GeneratedFile } from '../../compiler/emit/project/generated-file.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { packageHere } from '../kit/started-module.ts';
import { root } from '../kit/tool.ts';
import { typeErrors, type CompilerOptions } from '../kit/type-errors.ts';

/** The strictest settings of a user's project for the generated code. */
const strictest: CompilerOptions = {
  target: 'es2022',
  lib: ['es2022'],
  module: 'nodenext',
  types: ['node'],
  allowImportingTsExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: false,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  // Declarations are generated too; those of packages are not ours.
  skipLibCheck: false,
};

/** TypeScript files by path, in one folder for each project. */
export type Projects = Readonly<Record<string, readonly GeneratedFile[]>>;

export const isTypeScript = ({ path }: GeneratedFile): boolean => path.endsWith('.ts') && !path.endsWith('.d.ts');

/** TypeScript's errors in these files, in one program: most of its time is spent on the declarations of the server and of Node. */
export function projectErrors(projects: Projects): Promise<readonly string[]> {
  return withTempFolder((folder) => {
    for (const [project, files] of Object.entries(projects))
      writeFiles(folder, Object.fromEntries(files.map(({ path, text }) => [`${project}/${path}`, text])));
    writeFiles(folder, { 'package.json': '{"type":"module"}' });
    const modules = join(folder, 'node_modules');
    mkdirSync(modules);
    symlinkSync(root, join(modules, 'schemac'), 'dir');
    for (const name of ['@types', 'apache-arrow'])
      symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir');
    const found = typeErrors(folder, { include: Object.keys(projects) }, strictest);
    return Promise.resolve(found.filter((error) => !error.startsWith('node_modules/')));
  });
}

/** The JavaScript that TypeScript prints for a generated module. */
export function transpiled(text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

/** JavaScript in one layout and without comments, so that texts compare by their tokens. */
export function normalised(text: string): string {
  const source = ts.createSourceFile('module.js', text, ts.ScriptTarget.ES2022, false, ts.ScriptKind.JS);
  return ts.createPrinter({ removeComments: true }).printFile(source);
}

/** Writes generated JavaScript into a folder that finds `schemac` as an installation would, and imports its domain. */
export async function importDomain(
  folder: string,
  files: readonly GeneratedFile[],
  entry = 'dist/index.js',
): Promise<Domain> {
  const run = files.filter(({ path }) => /\.js(on)?$/.test(path));
  writeFiles(folder, Object.fromEntries(run.map(({ path, text }) => [path, text])));
  writeFiles(folder, { 'package.json': '{"type":"module"}' });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(packageHere, join(folder, 'node_modules/schemac'), 'dir');
  const loaded = (await import(pathToFileURL(join(folder, entry)).href)) as { readonly domain: Domain };
  return loaded.domain;
}
