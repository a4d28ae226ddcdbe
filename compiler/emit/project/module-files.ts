import type { ModuleStructure } from '../../../templates/module.ts';
import type { GeneratedFile } from './generated-file.ts';
import { printDeclarations, printJavaScript } from '../print/print-javascript.ts';
import { sourceMap } from '../print/source-map.ts';

/** The files of a module, given its TypeScript. */
export function moduleFiles(structure: ModuleStructure, typeScript: string): readonly GeneratedFile[] {
  const { path } = structure;
  const base = path.slice(path.lastIndexOf('/') + 1);
  const javaScript = printJavaScript(structure);
  return [
    { path: `${path}.ts`, text: typeScript },
    { path: `${path}.js`, text: `${javaScript}//# sourceMappingURL=${base}.js.map\n` },
    { path: `${path}.js.map`, text: sourceMap(javaScript, typeScript, { file: `${base}.js`, source: `${base}.ts` }) },
    { path: `${path}.d.ts`, text: printDeclarations(structure) },
  ];
}
