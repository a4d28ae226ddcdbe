/**
 * The part of a generated client that is the same for every schema: the modules of `templates/client`, which are
 * ordinary TypeScript, with the JavaScript, source map and declarations that TypeScript makes of each. Loads ts-morph,
 * which contains the compiler.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as TsMorph from 'ts-morph';
import type { ts as TypeScript } from 'ts-morph';
import type { GeneratedFile } from './generated-file.ts';
import { filesOf, sourceOf } from './module-files.ts';
import { brokenDeclarations } from '../print/broken-declarations.ts';

const folder = new URL('../../../templates/client/', import.meta.url);
/** By head comment, which contains only the tool's version. */
const compiled = new Map<string, readonly GeneratedFile[]>();

/** `head` is the line of the head comment. The same version of the tool gives the same bytes for every schema. */
export function clientFiles(head: string): readonly GeneratedFile[] {
  const known = compiled.get(head);
  if (known !== undefined) return known;
  const { ts } = createRequire(import.meta.url)('ts-morph') as typeof TsMorph;
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
  const files = names.sort().flatMap((name) => compiledModule(ts, name.slice(0, -'.ts'.length), head));
  compiled.set(head, files);
  return files;
}

function compiledModule(ts: typeof TypeScript, name: string, head: string): readonly GeneratedFile[] {
  const fileName = `${name}.ts`;
  const source = readFileSync(new URL(fileName, folder), 'utf8');
  // Here modules import each other's source, there the compiled modules.
  const text = `// ${head}\n\n${source.replace(/(?<= from '\.\/[a-z-]+)\.ts(?=';)/g, '.js')}`;
  const compilerOptions: TypeScript.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    isolatedDeclarations: true,
    declaration: true,
    sourceMap: true,
  };
  const { outputText, sourceMapText = '{}' } = ts.transpileModule(text, { compilerOptions, fileName });
  const declarations = ts.transpileDeclaration(text, { compilerOptions, fileName }).outputText;
  const path = `client/${name}`;
  const map = { ...(JSON.parse(sourceMapText) as object), sources: [sourceOf(path)] };
  return filesOf(path, {
    typeScript: text,
    // TypeScript adds a last line that names the map.
    javaScript: outputText.trimEnd().replace(/\n\/\/# sourceMappingURL=[^\n]*$/, '\n'),
    map: `${JSON.stringify(map)}\n`,
    declarations: `// ${head}\n${brokenDeclarations(declarations)}`,
  });
}
