/**
 * Emits what is needed to run a catalog, and no more: JavaScript modules and their index, without ts-morph. Each file is named
 * for its content, so that an unchanged module keeps its name, and a change writes and loads only what it touches.
 */
import { domainModule, readModelModule, registryModule } from '../../templates/domain.ts';
import type { ModuleStructure } from '../../templates/module.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { GeneratedFile } from './generated-file.ts';
import { printJavaScript } from './print-javascript.ts';
import { createReadModelDefinition } from './read-model.ts';
import { createBlockModules, headLines, registeredBlocks, sha256 } from './structures.ts';

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
  const emit = (structure: ModuleStructure): string => {
    const text = printJavaScript(structure);
    const path = `${structure.path}-${sha256(text).slice(0, 16)}.js`;
    files.push({ path, text });
    return `./${path}`;
  };
  const modules = createBlockModules(catalog, version).map(({ kind, name, structure }) => ({
    kind,
    name,
    from: emit(structure),
  }));
  const blocks = registeredBlocks(catalog);
  const registry = emit(registryModule({ path: 'registry', head, blocks, exportText }));
  const readModel = emit(readModelModule({ path: 'read-model', head, readModel: createReadModelDefinition(catalog) }));
  const entry = emit(
    domainModule({
      path: 'index',
      head,
      hash: sha256(exportText),
      modules,
      registryModule: registry,
      readModelModule: readModel,
      eventStores: catalog.blocks.eventstore.map(({ name, options: settings }) => ({ name, options: settings })),
    }),
  );
  return { entry: entry.slice(2), files };
}
