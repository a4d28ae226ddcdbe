import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { GeneratedFile } from '../../compiler/emit/project/generated-file.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { writeFiles } from '../kit/temp-folder.ts';
import { packageHere } from '../kit/started-module.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The strictest settings of a user's project for the generated code. */
const strictest: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['schemac-source'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  allowImportingTsExtensions: true,
  noEmit: true,
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
  // Declarations are generated too, and checked one by one.
  skipLibCheck: false,
};

/** TypeScript files by path, in one folder for each project. */
export type Projects = Readonly<Record<string, readonly GeneratedFile[]>>;

export const isTypeScript = ({ path }: GeneratedFile): boolean => path.endsWith('.ts') && !path.endsWith('.d.ts');
export const isDeclaration = ({ path }: GeneratedFile): boolean => path.endsWith('.d.ts');

/** TypeScript's errors in these files, as `path:line message: text of the line`. */
export function typeErrors(projects: Projects): readonly string[] {
  const base = join(root, 'test/emit/virtual');
  const texts = new Map<string, string>();
  for (const [project, files] of Object.entries(projects))
    for (const { path, text } of files) texts.set(`${base}/${project}/${path}`, text);
  const host = ts.createCompilerHost(strictest);
  const { fileExists, readFile, getSourceFile, directoryExists } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.directoryExists = (path) => path.startsWith(base) || (directoryExists?.(path) ?? true);
  host.getSourceFile = (path, options, ...rest) => {
    const text = texts.get(path);
    return text === undefined ? getSourceFile(path, options, ...rest) : ts.createSourceFile(path, text, options);
  };
  const program = ts.createProgram([...texts.keys()], strictest, host);
  const found = [...program.getSyntacticDiagnostics(), ...program.getGlobalDiagnostics()];
  // Files that are equal in every project, such as most of a client, are checked once.
  const distinct = new Map([...texts].map(([path, text]) => [text, path]));
  for (const path of distinct.values()) found.push(...program.getSemanticDiagnostics(program.getSourceFile(path)));
  return found.map(({ file, start, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ');
    if (file === undefined || start === undefined) return message;
    const { line } = file.getLineAndCharacterOfPosition(start);
    return `${file.fileName.replace(`${base}/`, '')}:${line + 1} ${message}: ${file.text.split('\n')[line] ?? ''}`;
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
  const run = files.filter(({ path }) => !path.endsWith('.ts'));
  writeFiles(folder, Object.fromEntries(run.map(({ path, text }) => [path, text])));
  writeFiles(folder, { 'package.json': '{"type":"module"}' });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(packageHere, join(folder, 'node_modules/schemac'), 'dir');
  const loaded = (await import(pathToFileURL(join(folder, entry)).href)) as { readonly domain: Domain };
  return loaded.domain;
}
