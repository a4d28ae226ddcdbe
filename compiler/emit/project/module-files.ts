/**
 * The paths of the files of a generated project: TypeScript, which people read, at the top, and the files that run
 * below `dist`, in the same folders. At the top are also the file that starts a server, and the one that users import.
 */
import type { ModuleStructure } from '../../../templates/module.ts';
import type { GeneratedFile } from './generated-file.ts';
import { printDeclarations, printJavaScript } from '../print/print-javascript.ts';
import { sourceMap } from '../print/source-map.ts';

/** The folder of JavaScript, source maps and declarations. */
export const RUNS = 'dist';

/** The files of a module, given its TypeScript. */
export function moduleFiles(structure: ModuleStructure, typeScript: string): readonly GeneratedFile[] {
  const { path } = structure;
  const javaScript = printJavaScript(structure);
  const map = sourceMap(javaScript, typeScript, { file: `${baseName(path)}.js`, source: sourceOf(path) });
  return filesOf(path, { typeScript, javaScript, map, declarations: printDeclarations(structure) });
}

export interface ModuleTexts {
  readonly typeScript: string;
  /** Without the line that names the source map. */
  readonly javaScript: string;
  readonly map: string;
  readonly declarations: string;
}

export function filesOf(
  path: string,
  { typeScript, javaScript, map, declarations }: ModuleTexts,
): readonly GeneratedFile[] {
  return [
    { path: `${path}.ts`, text: typeScript },
    { path: `${RUNS}/${path}.js`, text: `${javaScript}//# sourceMappingURL=${baseName(path)}.js.map\n` },
    { path: `${RUNS}/${path}.js.map`, text: map },
    { path: `${RUNS}/${path}.d.ts`, text: declarations },
  ];
}

/** The path of a module's TypeScript, as its source map names it. */
export function sourceOf(path: string): string {
  return `${'../'.repeat(path.split('/').length)}${path}.ts`;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `client.js`, which users import, and `server.js`, which they start: it loads the rest once that is known to be there. */
export function entryFiles(head: string): readonly GeneratedFile[] {
  const server = [
    `// ${head}`,
    "import { startServer } from 'schemac/runtime';",
    '',
    'await startServer({ module: import.meta.url, arguments: process.argv.slice(2) });',
    '',
  ];
  return [
    { path: 'client.js', text: `// ${head}\nexport * from './${RUNS}/client.js';\n` },
    { path: 'server.js', text: server.join('\n') },
  ];
}
