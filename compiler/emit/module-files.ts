import type { ModuleStructure } from '../../templates/module.ts';
import type { GeneratedFile } from './generated-file.ts';
import { printDeclarations, printHead, printJavaScript } from './print-javascript.ts';
import { sourceMap } from './source-map.ts';

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

/** A large module whose head alone changes again and again. */
export interface SameModule {
  /** Its files where all but the head is as it was the last time; undefined where it must be printed. */
  readonly again: (structure: ModuleStructure) => readonly GeneratedFile[] | undefined;
  readonly keep: (structure: ModuleStructure, files: readonly GeneratedFile[]) => void;
}

export function createSameModule(): SameModule {
  let last:
    | { readonly content: string; readonly head: readonly string[]; readonly files: readonly GeneratedFile[] }
    | undefined;
  return {
    again: (structure) => {
      if (last?.content !== contentOf(structure) || last.head.length !== structure.head.length) return undefined;
      const [before, now] = [printHead(last.head), printHead(structure.head)];
      return last.files.map(({ path, text }) => ({
        path,
        text: text.startsWith(before) ? now + text.slice(before.length) : text,
      }));
    },
    keep: (structure, files) => {
      last = { content: contentOf(structure), head: structure.head, files };
    },
  };
}

function contentOf({ head: _head, ...content }: ModuleStructure): string {
  return JSON.stringify(content);
}
