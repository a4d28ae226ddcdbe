/**
 * The modules that tell of all blocks, which most changes of a block leave as they are, or change in one place. Takes a catalog and
 * the modules of its blocks, gives what to print; a memory gives for equal parts the objects of the time before.
 */
import { clientModule, type ClientParts } from '../../../templates/client.ts';
import {
  domainModule,
  readModelModule,
  registryModule,
  type DomainParts,
  type ReadModelParts,
  type RegistryParts,
} from '../../../templates/domain.ts';
import type { ModuleStructure } from '../../../templates/module.ts';
import { serverModule, type ServerParts } from '../../../templates/server.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { clientFacts } from './client-facts.ts';
import type { EmitOptions } from './emit-modules.ts';
import { createKept } from '../memory/kept.ts';
import { createReadModelDefinition } from '../read-model.ts';
import { headLines, registeredBlocks, sha256, type BlockModule } from '../structures.ts';

export interface WholeModule {
  /** All that it is made of: the same object while nothing of it has changed. */
  readonly parts: object;
  readonly structure: () => ModuleStructure;
}

/** What these modules were the last time, for a process that emits again what is mostly the same. */
export interface ProjectMemory {
  readonly index: Keep<DomainParts>;
  readonly registry: Keep<RegistryParts>;
  readonly readModel: Keep<ReadModelParts>;
  readonly server: Keep<ServerParts>;
  readonly client: Keep<ClientParts>;
  /** Of the modules with very many pieces, so that only those that have changed are printed. */
  readonly structures: { readonly index: Keep<ModuleStructure>; readonly client: Keep<ModuleStructure> };
}
type Keep<T> = (next: T) => T;

export function createProjectMemory(): ProjectMemory {
  return {
    index: createKept(),
    registry: createKept(),
    readModel: createKept(),
    server: createKept(),
    client: createKept(),
    structures: { index: createKept(), client: createKept() },
  };
}

export function wholeModules(
  catalog: Catalog,
  blocks: readonly BlockModule[],
  { version, exportText }: EmitOptions,
  kept: ProjectMemory,
): readonly WholeModule[] {
  const head = headLines(version, 'the registry');
  const index = kept.index({
    path: 'index',
    head,
    modules: blocks.map(({ kind, name, definitionPath }) => ({ kind, name, from: `./${definitionPath}.js` })),
    registryModule: './registry.js',
    readModelModule: './read-model.js',
    eventStores: catalog.blocks.eventstore.map(({ name, options }) => ({ name, options })),
  });
  const registry = kept.registry({
    path: 'registry',
    head: headLines(version, 'the registry', exportText),
    hash: sha256(exportText),
    blocks: registeredBlocks(catalog),
    exportText,
  });
  const readModel = kept.readModel({ path: 'read-model', head, readModel: createReadModelDefinition(catalog) });
  const server = kept.server({ path: 'server', head, indexModule: './index.js' });
  const client = kept.client({ path: 'client', head, ...clientFacts(catalog) });
  return [
    { parts: index, structure: () => kept.structures.index(domainModule(index)) },
    { parts: registry, structure: () => registryModule(registry) },
    { parts: readModel, structure: () => readModelModule(readModel) },
    { parts: server, structure: () => serverModule(server) },
    { parts: client, structure: () => kept.structures.client(clientModule(client)) },
  ];
}
