/**
 * Emits what is needed to run a catalog, and no more: a JavaScript module a block, and the rest of the domain as data, without
 * ts-morph. Each file is named for its content, so that a change writes and loads only the modules that it touches.
 */
import type { Domain } from '../../runtime/contract/domain.ts';
import type { ModuleStructure } from '../../templates/module.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { WaitingBlock } from '../catalog/waiting-block.ts';
import { createBlockMemory } from './block-memory.ts';
import type { GeneratedFile } from './generated-file.ts';
import { printJavaScript } from './print-javascript.ts';
import { createReadModelDefinition } from './read-model.ts';
import { createBlockModules, registeredBlocks, sha256, type ModuleKind } from './structures.ts';

export interface EmitOptions {
  /** The tool's version, for head comments. */
  readonly version: string;
  /** What EXPORT REGISTRY gives for this catalog. */
  readonly exportText: string;
  /** Blocks that are shown and not run. */
  readonly waiting?: readonly WaitingBlock[];
}

/** A block's module, which exports its definition under the name of its kind. */
export interface EmittedModule {
  readonly kind: ModuleKind;
  readonly file: GeneratedFile;
}

export interface EmittedModules {
  /** In the order of the domain's lists. */
  readonly modules: readonly EmittedModule[];
  readonly rest: Omit<Domain, `${ModuleKind}s`>;
}

const memory = createBlockMemory<GeneratedFile>();

export function emitModules(catalog: Catalog, { version, exportText, waiting }: EmitOptions): EmittedModules {
  return {
    modules: createBlockModules(catalog, version).map(({ kind, path, sources, structure }) => ({
      kind,
      file: memory(sources, `${version} ${path}`, () => contentNamed(structure())),
    })),
    rest: {
      format: 1,
      hash: sha256(exportText),
      blocks: registeredBlocks(catalog),
      exportText,
      readModel: createReadModelDefinition(catalog, waiting),
      eventStores: catalog.blocks.eventstore.map(({ name, options }) => ({ name, options })),
    },
  };
}

function contentNamed(structure: ModuleStructure): GeneratedFile {
  const text = printJavaScript(structure);
  return { path: `${structure.path}-${sha256(text).slice(0, 16)}.js`, text };
}
