/**
 * Emits a whole generated project: TypeScript for people, and below `dist` JavaScript with source maps for running and
 * declarations for types; the catalog, an entry and a client. The same catalog and options give the same bytes. Loads
 * ts-morph.
 */
import type { ModuleStructure } from '../../../templates/module.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { createBlockMemory } from '../memory/block-memory.ts';
import { catalogText } from './catalog-text.ts';
import { clientFiles } from './client-files.ts';
import type { EmitOptions } from './emit-modules.ts';
import type { GeneratedFile } from './generated-file.ts';
import { createManifest, MANIFEST } from './manifest.ts';
import { entryFiles, moduleFiles } from './module-files.ts';
import { createBlockModules, generatedBy, type BlockModule } from '../structures.ts';
import { createProjectMemory, wholeModules, type ProjectMemory, type WholeModule } from './whole-modules.ts';

export interface ProjectOptions extends EmitOptions {
  /**
   * Adds a `package.json` that makes Node read the folder as ES modules: for folders outside any package of that type.
   */
  readonly ownPackage?: boolean;
  /** Further files of the project, such as `openapi.json`; the manifest lists them too. */
  readonly files?: readonly GeneratedFile[];
}

export async function emitProject(
  catalog: Catalog,
  options: ProjectOptions,
  memory: ProjectMemory = createProjectMemory(),
): Promise<readonly GeneratedFile[]> {
  const { version } = options;
  const blocks = createBlockModules(catalog, version);
  const whole = wholeModules(catalog, blocks, options, memory);
  const files = await printed([
    ...blocks.map((block) => ({ structures: block.structures, kept: filesOfBlock(block, version) })),
    ...whole.map((module) => ({ structures: () => [module.structure()], kept: filesOfWhole(module) })),
  ]);
  files.push(...clientFiles(generatedBy(version)), ...entryFiles(generatedBy(version)));
  files.push({ path: 'catalog.json', text: catalogText(catalog) });
  if (options.ownPackage === true)
    files.push({ path: 'package.json', text: '{\n  "private": true,\n  "type": "module"\n}\n' });
  files.push(...(options.files ?? []));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...files, { path: MANIFEST, text: createManifest(version, files) }];
}

/** The printed files of one module. */
interface ModuleFiles {
  files: readonly GeneratedFile[] | undefined;
}
const byBlock = createBlockMemory<ModuleFiles>();
const byParts = new WeakMap<object, ModuleFiles>();

function filesOfBlock({ sources, paths }: BlockModule, version: string): ModuleFiles {
  return byBlock(sources, `${version} ${paths.join(' ')}`, () => ({ files: undefined }));
}

function filesOfWhole({ parts }: WholeModule): ModuleFiles {
  const kept = byParts.get(parts) ?? { files: undefined };
  byParts.set(parts, kept);
  return kept;
}

/** The files of all modules; only modules without printed files are printed. */
async function printed(
  modules: readonly { readonly structures: () => readonly ModuleStructure[]; readonly kept: ModuleFiles }[],
): Promise<GeneratedFile[]> {
  const fresh = modules.flatMap(({ structures, kept }) =>
    kept.files === undefined ? [{ kept, structures: structures() }] : [],
  );
  const { printTypeScript } = await import('../print/print-typescript.ts');
  const texts = printTypeScript(fresh.flatMap(({ structures }) => structures)).values();
  for (const { structures, kept } of fresh)
    kept.files = structures.flatMap((structure) => moduleFiles(structure, texts.next().value ?? ''));
  return modules.flatMap(({ kept }) => kept.files ?? []);
}
