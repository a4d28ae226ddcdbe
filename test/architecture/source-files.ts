import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../kit/tool.ts';

/** A source file: its path, and the paths of its import statements. */
export interface SourceText {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly lines: number;
  readonly text: string;
  /** Project files imported or re-exported, types included, by path. */
  readonly imports: readonly string[];
  /** Imported paths whose values are needed when the file is loaded, without `import type` and `import()`. */
  readonly values: readonly string[];
  /** Packages imported, by the name before the first `/` (or the second, under a scope); Node's own are left out. */
  readonly packages: readonly string[];
}

function paths(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return path === 'templates/project' || entry.name === 'node_modules' ? [] : paths(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

/** As the formatter writes them: a statement begins its line and ends with the specifier. */
const valueImport = /^(?:import|export)\s+(?!type\b)(?:[^;'"`]*?\sfrom\s+)?'(\.[^']+)';/gm;

function resolved(path: string, specifier: string): string {
  return relative(root, join(root, dirname(path), specifier)).replaceAll('\\', '/');
}

function read(path: string): SourceText {
  const text = readFileSync(join(root, path), 'utf8');
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
  const local = specifiers.filter((name) => name.startsWith('.'));
  const outside = specifiers.filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
  return {
    path,
    lines: text.split('\n').length - 1,
    text,
    imports: local.map((name) => resolved(path, name)),
    values: [...text.matchAll(valueImport)].map(([, name = '']) => resolved(path, name)),
    packages: outside.map(packageName),
  };
}

/** Every TypeScript file under these folders of the project. */
export function readSources(folders: readonly string[]): readonly SourceText[] {
  return folders.flatMap(paths).sort().map(read);
}
