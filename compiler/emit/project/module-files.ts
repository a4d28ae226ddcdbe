/**
 * The files of a generated project: TypeScript, which people read, at the top, and JavaScript, which runs, in the same
 * folders below `dist`. The files at the top that are started or imported are JavaScript, too.
 */
import type { ModuleStructure } from '../../../templates/module.ts';
import type { GeneratedFile } from './generated-file.ts';
import { printJavaScript } from '../print/print-javascript.ts';
import { sourceMap } from '../print/source-map.ts';
import { oneModule } from '../structures.ts';

/** The folder of JavaScript, with its `/`. */
export const RUNS = 'dist/';

/**
 * The files of a block, given the TypeScript of its modules: they run as one, below `folder`. The source map is in the
 * JavaScript.
 */
export function moduleFiles(
  structures: readonly ModuleStructure[],
  texts: readonly string[],
  folder: string,
): readonly GeneratedFile[] {
  const whole = oneModule(structures);
  const file = `${folder}${whole.path}.js`;
  const up = '../'.repeat(file.split('/').length - 1);
  const start = printJavaScript({ ...whole, parts: [] });
  const modules = structures.map((structure, index) => ({
    javaScript: printJavaScript({ ...structure, head: [], imports: [] }),
    typeScript: texts[index] ?? '',
    source: `${up}${structure.path}.ts`,
  }));
  const text = [start, ...modules.map(({ javaScript }) => javaScript)].join('\n');
  const map = Buffer.from(sourceMap(start, modules)).toString('base64');
  return [
    ...structures.map(({ path }, index) => ({ path: `${path}.ts`, text: texts[index] ?? '' })),
    { path: file, text: `${text}//# sourceMappingURL=data:application/json;base64,${map}\n` },
  ];
}

/** `server.js`, which users start: it loads the rest once that is known to be there. */
export function serverFile(head: string): GeneratedFile {
  const lines = [
    `// ${head}`,
    "import { startServer } from 'schemac/runtime';",
    '',
    'await startServer({ module: import.meta.url, arguments: process.argv.slice(2) });',
    '',
  ];
  return { path: 'server.js', text: lines.join('\n') };
}
