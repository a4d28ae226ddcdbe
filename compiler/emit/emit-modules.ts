/**
 * Emits what is needed to run a catalog, and no more: JavaScript modules and their index, without ts-morph. Each file is named
 * for its content, so that an unchanged module keeps its name, and a change writes and loads only what it touches.
 */
import { domainModule, readModelModule, registryModule } from '../../templates/domain.ts';
import type { ModuleStructure } from '../../templates/module.ts';
import type { Block } from '../catalog/block.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { GeneratedFile } from './generated-file.ts';
import { printJavaScript } from './print-javascript.ts';
import { createReadModelDefinition } from './read-model.ts';
import { createBlockModules, headLines, registeredBlocks, sha256, type BlockModule } from './structures.ts';

export interface EmitOptions {
  /** The tool's version, for head comments. */
  readonly version: string;
  /** What EXPORT REGISTRY gives for this catalog. */
  readonly exportText: string;
}

export interface EmittedModules {
  /** Path of the index, which exports `domain`. */
  readonly entry: string;
  readonly files: readonly GeneratedFile[];
}

export function emitModules(catalog: Catalog, options: EmitOptions): EmittedModules {
  const { version, exportText } = options;
  const head = headLines(version, 'the registry', exportText);
  const files: GeneratedFile[] = [];
  const emit = (file: GeneratedFile): string => {
    files.push(file);
    return `./${file.path}`;
  };
  const modules = createBlockModules(catalog, version).map((module) => {
    const { kind, name } = module;
    return { kind, name, from: emit(emitBlock(module, version)) };
  });
  const blocks = registeredBlocks(catalog);
  const registry = emit(contentNamed(registryModule({ path: 'registry', head, blocks, exportText })));
  const readModel = emit(
    contentNamed(readModelModule({ path: 'read-model', head, readModel: createReadModelDefinition(catalog) })),
  );
  const index = domainModule({
    path: 'index',
    head,
    hash: sha256(exportText),
    modules,
    registryModule: registry,
    readModelModule: readModel,
    eventStores: catalog.blocks.eventstore.map(({ name, options: settings }) => ({ name, options: settings })),
  });
  return { entry: emit(contentNamed(index)).slice(2), files };
}

interface Emitted extends Pick<BlockModule, 'path' | 'sources'> {
  readonly version: string;
  readonly file: GeneratedFile;
}
const emitted = new WeakMap<Block, Emitted>();

/** A block's file; the one of the last time while nothing that it is made of has changed. */
function emitBlock(module: BlockModule, version: string): GeneratedFile {
  const [block] = module.sources;
  const known = block === undefined ? undefined : emitted.get(block);
  if (known?.version === version && known.path === module.path && same(known.sources, module.sources)) {
    return known.file;
  }
  const file = contentNamed(module.structure());
  if (block !== undefined) emitted.set(block, { version, path: module.path, sources: module.sources, file });
  return file;
}

/** Blocks are immutable, so one that has changed is another object. */
function same(a: readonly Block[], b: readonly Block[]): boolean {
  return a.length === b.length && a.every((block, index) => block === b[index]);
}

function contentNamed(structure: ModuleStructure): GeneratedFile {
  const text = printJavaScript(structure);
  return { path: `${structure.path}-${sha256(text).slice(0, 16)}.js`, text };
}
