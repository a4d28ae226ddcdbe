/**
 * Emits a whole generated project: TypeScript for people, and JavaScript with source maps for running; the catalog as
 * data, an entry and a client. The same catalog and options give the same bytes. Loads ts-morph.
 */
import { clientModule, type ClientParts } from '../../../templates/client.ts';
import { domainModule } from '../../../templates/domain.ts';
import type { ModuleStructure } from '../../../templates/module.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { createBlockMemory } from '../memory/block-memory.ts';
import { createKept } from '../memory/kept.ts';
import { domainData, type EmitOptions } from './emit-modules.ts';
import type { GeneratedFile } from './generated-file.ts';
import { createManifest, MANIFEST } from './manifest.ts';
import { printJavaScript } from '../print/print-javascript.ts';
import { createReadModelDefinition } from '../read-model.ts';
import { createBlockModules, generatedBy, headLines, type BlockModule, oneModule } from '../structures.ts';
import type { ClientBlocks } from '../../../templates/client-blocks.ts';
import { docsPart } from '../../../language/catalog/documented.ts';
import { sourceMap } from '../print/source-map.ts';

export interface ProjectOptions extends EmitOptions {
  /**
   * Adds a `package.json` that makes Node read the folder as ES modules: for folders outside any package of that type.
   */
  readonly ownPackage?: boolean;
  /** Further files of the project, such as `openapi.json`; the manifest lists them too. */
  readonly files?: readonly GeneratedFile[];
}

/** The previous client, for a process that repeatedly emits almost the same project: only changed pieces are printed. */
export interface ProjectMemory {
  readonly parts: (next: ClientParts) => ClientParts;
  readonly structure: (next: ModuleStructure) => ModuleStructure;
}

export function createProjectMemory(): ProjectMemory {
  return { parts: createKept(), structure: createKept() };
}

export async function emitProject(
  catalog: Catalog,
  options: ProjectOptions,
  memory: ProjectMemory = createProjectMemory(),
): Promise<readonly GeneratedFile[]> {
  const { version } = options;
  const head = headLines(version, 'the registry');
  const blocks = Array.from(createBlockModules(catalog, version));
  const client = memory.parts({ path: 'client', head, ...clientFacts(catalog) });
  const files = await printed([
    ...blocks.map((block) => ({ structures: block.structures, folder: RUNS, kept: filesOfBlock(block, version) })),
    { structures: () => [memory.structure(clientModule(client))], folder: '', kept: filesOfClient(client) },
  ]);
  const modules = blocks.map(({ kind, name, path }) => ({ kind, name, from: `./${path}.js` }));
  const index = domainModule({ path: 'index', head, modules, catalog: '../catalog.json' });
  files.push({ path: `${RUNS}index.js`, text: printJavaScript(index) }, serverFile(generatedBy(version)));
  const data = domainData(catalog, options, createReadModelDefinition(catalog));
  files.push({ path: 'catalog.json', text: catalogText(data) });
  if (options.ownPackage === true)
    files.push({ path: 'package.json', text: '{\n  "private": true,\n  "type": "module"\n}\n' });
  files.push(...(options.files ?? []));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...files, { path: MANIFEST, text: createManifest(version, files) }];
}

/** The printed files of a block, or of the client. */
interface ModuleFiles {
  files: readonly GeneratedFile[] | undefined;
}
const byBlock = createBlockMemory<ModuleFiles>();
const byParts = new WeakMap<ClientParts, ModuleFiles>();

function filesOfBlock({ sources, paths }: BlockModule, version: string): ModuleFiles {
  return byBlock(sources, `${version} ${paths.join(' ')}`, () => ({ files: undefined }));
}

function filesOfClient(parts: ClientParts): ModuleFiles {
  const kept = byParts.get(parts) ?? { files: undefined };
  byParts.set(parts, kept);
  return kept;
}

/** The files of all modules; only modules without printed files are printed. */
async function printed(
  modules: readonly {
    readonly structures: () => readonly ModuleStructure[];
    readonly folder: string;
    readonly kept: ModuleFiles;
  }[],
): Promise<GeneratedFile[]> {
  const fresh = modules.flatMap(({ structures, folder, kept }) =>
    kept.files === undefined ? [{ folder, kept, structures: structures() }] : [],
  );
  const { printTypeScript } = await import('../print/print-typescript.ts');
  const texts = printTypeScript(fresh.flatMap(({ structures }) => structures)).values();
  for (const { structures, folder, kept } of fresh) {
    const own = structures.map(() => texts.next().value ?? '');
    kept.files = moduleFiles(structures, own, folder);
  }
  return modules.flatMap(({ kept }) => kept.files ?? []);
}

/** Data as JSON: a line for each member of an object, and for each item of a list, so that a change shows as one line. */
function catalogText(data: object): string {
  return `${linesOf(data, '\n')}\n`;
}

function linesOf(data: unknown, end: string): string {
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  const inside = `${end}  `;
  const pieces = Array.isArray(data)
    ? data.map((item) => JSON.stringify(item))
    : Object.entries(data).map(([key, value]) => `${JSON.stringify(key)}: ${linesOf(value, inside)}`);
  const [open, close] = Array.isArray(data) ? '[]' : '{}';
  return pieces.length === 0 ? `${open}${close}` : `${open}${inside}${pieces.join(`,${inside}`)}${end}${close}`;
}

/**
 * The parts of blocks that a client shows: it shows no guards, texts or queries, so that most changes leave it
 * unchanged.
 */
function clientFacts({ blocks }: Catalog): ClientBlocks {
  return {
    aggregates: blocks.aggregate.map((block) => ({
      name: block.name,
      ...docsPart(block),
      events: block.events,
      columns: block.state.columns,
    })),
    commands: blocks.command.map((block) => ({ name: block.name, ...docsPart(block), fields: block.fields })),
    decisions: blocks.decision.map(({ name, aggregate, command, state, branches }) => ({
      name,
      aggregate,
      command,
      columns: state?.columns ?? [],
      events: [...new Set(branches.flatMap(({ emits }) => emits.map(({ event }) => event)))].sort(),
    })),
    events: blocks.event.map((block) => ({ name: block.name, ...docsPart(block), fields: block.fields })),
    projections: blocks.projection.map((block) => ({
      name: block.name,
      ...docsPart(block),
      columns: block.query.columns,
    })),
    subscriptions: blocks.subscription.flatMap((block) =>
      block.delivery === undefined ? [{ name: block.name, ...docsPart(block), columns: block.columns }] : [],
    ),
  };
}

/** The folder of JavaScript, with its `/`. TypeScript, which people read, is in the same folders at the top. */
const RUNS = 'dist/';

/**
 * The files of a block, given the TypeScript of its modules: they run as one, below `folder`. The source map is in the
 * JavaScript.
 */
function moduleFiles(
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
function serverFile(head: string): GeneratedFile {
  const lines = [
    `// ${head}`,
    "import { startServer } from 'schemac/runtime';",
    '',
    'await startServer({ module: import.meta.url, arguments: process.argv.slice(2) });',
    '',
  ];
  return { path: 'server.js', text: lines.join('\n') };
}
