/**
 * The modules that depend on all blocks; most changes of a block leave them unchanged, or change them in one place.
 * Takes a catalog and the modules of its blocks, gives the modules to print; a memory gives the previous objects for
 * equal parts.
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
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { clientFacts } from './client-facts.ts';
import type { EmitOptions } from './emit-modules.ts';
import { createKept } from '../memory/kept.ts';
import { createReadModelDefinition } from '../read-model.ts';
import { headLines, registeredBlocks, sha256, type BlockModule } from '../structures.ts';

export interface WholeModule {
  /** The source of the module: the same object while it is unchanged. */
  readonly parts: object;
  readonly structure: () => ModuleStructure;
}

/** The previous modules, for a process that repeatedly emits almost the same project. */
export interface ProjectMemory {
  readonly index: Keep<DomainParts>;
  readonly registry: Keep<RegistryParts>;
  readonly readModel: Keep<ReadModelParts>;
  readonly client: Keep<ClientParts>;
  /** Structures of the modules with very many pieces, so that only changed pieces are printed. */
  readonly structures: { readonly index: Keep<ModuleStructure>; readonly client: Keep<ModuleStructure> };
}
type Keep<T> = (next: T) => T;

export function createProjectMemory(): ProjectMemory {
  return {
    index: createKept(),
    registry: createKept(),
    readModel: createKept(),
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
  const client = kept.client({ path: 'client', head, ...clientFacts(catalog) });
  return [
    { parts: index, structure: () => kept.structures.index(domainModule(index)) },
    { parts: registry, structure: () => registryModule(registry) },
    { parts: readModel, structure: () => readModelModule(readModel) },
    { parts: client, structure: () => kept.structures.client(clientModule(client)) },
  ];
}
