/**
 * Emits a whole generated project: TypeScript for people, JavaScript with source maps for running, declarations for types, the
 * catalog, an entry and a client. The same catalog and options give the same bytes. Loads ts-morph.
 */
import { clientModule, type ClientParts } from '../../templates/client.ts';
import { domainModule, readModelModule, registryModule } from '../../templates/domain.ts';
import type { ModuleStructure } from '../../templates/module.ts';
import { serverModule } from '../../templates/server.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { createBlockMemory } from './block-memory.ts';
import { catalogText } from './catalog-text.ts';
import { clientFiles } from './client-files.ts';
import type { EmitOptions } from './emit-modules.ts';
import type { GeneratedFile } from './generated-file.ts';
import { createManifest, MANIFEST } from './manifest.ts';
import { createSameModule, moduleFiles } from './module-files.ts';
import { createReadModelDefinition } from './read-model.ts';
import {
  createBlockModules,
  generatedBy,
  headLines,
  registeredBlocks,
  sha256,
  type BlockModule,
} from './structures.ts';

export interface ProjectOptions extends EmitOptions {
  /** Adds a `package.json` that makes Node read the folder as ES modules: for folders outside any package of that type. */
  readonly ownPackage?: boolean;
  /** Further files of the project, such as `openapi.json`; the manifest lists them too. */
  readonly files?: readonly GeneratedFile[];
}

export async function emitProject(catalog: Catalog, options: ProjectOptions): Promise<readonly GeneratedFile[]> {
  const modules = createBlockModules(catalog, options.version);
  const variant = `${options.version} ${modules.map(({ path }) => path).join(' ')}`; // modules name each other's files
  const printed = modules.map(({ sources }) => memory(sources, variant, (): Printed => ({ files: undefined })));
  const fresh = modules.flatMap(({ structure }, index) => (printed[index]?.files === undefined ? [structure()] : []));
  const head = headLines(options.version, 'the registry', options.exportText);
  const client = clientModule({ path: 'client', head, ...clientBlocks(catalog) });
  const sameClient = lastClient.again(client);
  const whole = wholeStructures(catalog, modules, head, options);
  const structures = [...fresh, ...whole, ...(sameClient === undefined ? [client] : [])];
  const { printTypeScript } = await import('./print-typescript.ts');
  const texts = printTypeScript(structures);
  const made = structures.map((structure, index) => moduleFiles(structure, texts[index] ?? ''));
  for (const each of printed) each.files ??= made.shift() ?? [];
  if (sameClient === undefined) lastClient.keep(client, made.at(-1) ?? []);
  else made.push(sameClient);
  const files: GeneratedFile[] = [...printed.flatMap((each) => each.files ?? []), ...made.flat()];
  files.push(...clientFiles(generatedBy(options.version)));
  files.push({ path: 'catalog.json', text: catalogText(catalog) });
  if (options.ownPackage === true)
    files.push({ path: 'package.json', text: '{\n  "private": true,\n  "type": "module"\n}\n' });
  files.push(...(options.files ?? []));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...files, { path: MANIFEST, text: createManifest(options.version, files) }];
}

/** The files of one block's module. */
interface Printed {
  files: readonly GeneratedFile[] | undefined;
}
const memory = createBlockMemory<Printed>();
/** Most changes leave the client as it is, and it is the largest module. */
const lastClient = createSameModule();

/** The modules that tell of all blocks. */
function wholeStructures(
  catalog: Catalog,
  modules: readonly BlockModule[],
  head: readonly string[],
  { exportText }: ProjectOptions,
): readonly ModuleStructure[] {
  const index = domainModule({
    path: 'index',
    head,
    hash: sha256(exportText),
    modules: modules.map(({ kind, name, path }) => ({ kind, name, from: `./${path}.js` })),
    registryModule: './registry.js',
    readModelModule: './read-model.js',
    eventStores: catalog.blocks.eventstore.map(({ name, options }) => ({ name, options })),
  });
  return [
    registryModule({ path: 'registry', head, blocks: registeredBlocks(catalog), exportText }),
    readModelModule({ path: 'read-model', head, readModel: createReadModelDefinition(catalog) }),
    index,
    serverModule({ path: 'server', head, indexModule: './index.js' }),
  ];
}

function clientBlocks({ blocks }: Catalog): Omit<ClientParts, 'path' | 'head'> {
  const {
    aggregate: aggregates,
    command: commands,
    decision: decisions,
    event: events,
    projection: projections,
  } = blocks;
  return { aggregates, commands, decisions, events, projections };
}
