/**
 * Emits a whole generated project: TypeScript for people, JavaScript with source maps for running, declarations for types, the
 * catalog, an entry and a client. The same catalog and options give the same bytes. Loads ts-morph.
 */
import { clientModule, type ClientParts } from '../../templates/client.ts';
import { domainModule, readModelModule, registryModule } from '../../templates/domain.ts';
import type { ModuleStructure } from '../../templates/module.ts';
import { serverModule } from '../../templates/server.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { clientFiles } from './client-files.ts';
import type { EmitOptions } from './emit-modules.ts';
import type { GeneratedFile } from './generated-file.ts';
import { createManifest, MANIFEST } from './manifest.ts';
import { printDeclarations, printJavaScript } from './print-javascript.ts';
import { createReadModelDefinition } from './read-model.ts';
import { sourceMap } from './source-map.ts';
import { createBlockModules, generatedBy, headLines, registeredBlocks, sha256 } from './structures.ts';

export interface ProjectOptions extends EmitOptions {
  /** Adds a `package.json` that makes Node read the folder as ES modules: for folders outside any package of that type. */
  readonly ownPackage?: boolean;
  /** Further files of the project, such as `openapi.json`; the manifest lists them too. */
  readonly files?: readonly GeneratedFile[];
}

export async function emitProject(catalog: Catalog, options: ProjectOptions): Promise<readonly GeneratedFile[]> {
  const structures = projectStructures(catalog, options);
  const { printTypeScript } = await import('./print-typescript.ts');
  const texts = printTypeScript(structures);
  const files: GeneratedFile[] = structures.flatMap((structure, index) => moduleFiles(structure, texts[index] ?? ''));
  files.push(...clientFiles(generatedBy(options.version)));
  files.push({ path: 'catalog.json', text: `${JSON.stringify(catalog)}\n` });
  if (options.ownPackage === true)
    files.push({ path: 'package.json', text: '{\n  "private": true,\n  "type": "module"\n}\n' });
  files.push(...(options.files ?? []));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...files, { path: MANIFEST, text: createManifest(options.version, files) }];
}

function projectStructures(catalog: Catalog, { version, exportText }: ProjectOptions): readonly ModuleStructure[] {
  const head = headLines(version, 'the registry', exportText);
  const modules = createBlockModules(catalog, version);
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
    ...modules.map(({ structure }) => structure()),
    registryModule({ path: 'registry', head, blocks: registeredBlocks(catalog), exportText }),
    readModelModule({ path: 'read-model', head, readModel: createReadModelDefinition(catalog) }),
    index,
    serverModule({ path: 'server', head, indexModule: './index.js' }),
    clientModule({ path: 'client', head, ...clientBlocks(catalog) }),
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

function moduleFiles(structure: ModuleStructure, typeScript: string): readonly GeneratedFile[] {
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
