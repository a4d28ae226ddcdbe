/**
 * Emits only the parts needed to run a catalog: a JavaScript module for each block, and the rest of the domain as data,
 * without ts-morph. Each file is named by its content, so that a change writes and loads only the changed modules.
 */
import { domainFormat, type Domain } from '../../../language/contract/domain.ts';
import type { ModuleStructure } from '../../../templates/module.ts';
import type { Block } from '../../../language/catalog/block.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { writtenText } from '../../../language/catalog/documented.ts';
import type { WaitingBlock } from '../../../language/catalog/waiting-block.ts';
import { atOnce, mapInSteps, type Steps } from '../../../language/source/steps.ts';
import { createBlockMemory } from '../memory/block-memory.ts';
import type { GeneratedFile } from './generated-file.ts';
import { printLoadable } from '../print/print-javascript.ts';
import { readModelInSteps } from '../read-model.ts';
import { createBlockModules, registeredBlocks, sha256, type ModuleKind } from '../structures.ts';

export interface EmitOptions {
  /** The tool's version, for head comments. */
  readonly version: string;
  /** The text that EXPORT REGISTRY gives for this catalog. */
  readonly exportText: string;
  /** Blocks that are shown and cannot run. */
  readonly waiting?: readonly WaitingBlock[];
}

/**
 * A block's CommonJS module: it exports a function that takes the exports of `schemac/runtime` and gives the block's
 * definition.
 */
export interface EmittedModule {
  readonly kind: ModuleKind;
  readonly name: string;
  /** The block and all that it names: the module depends on nothing else. */
  readonly sources: readonly Block[];
  readonly file: GeneratedFile;
}

export interface EmittedModules {
  /** In the order of the domain's lists. */
  readonly modules: readonly EmittedModule[];
  readonly rest: Omit<Domain, `${ModuleKind}s`>;
}

const memory = createBlockMemory<GeneratedFile>();

export function emitModules(catalog: Catalog, options: EmitOptions): EmittedModules {
  return atOnce(emitInSteps(catalog, options));
}

/** The same, one step for each module and each part of the read model. */
export function* emitInSteps(catalog: Catalog, { version, exportText, waiting }: EmitOptions): Steps<EmittedModules> {
  const blocks = createBlockModules(catalog, version);
  yield;
  const modules = yield* mapInSteps(blocks, ({ kind, name, path, sources, structures }) => ({
    kind,
    name,
    sources,
    file: memory(sources, `${version} ${path}`, () => contentNamed(oneModule(structures(), path), kind)),
  }));
  const readModel = yield* readModelInSteps(catalog, waiting);
  return {
    modules,
    rest: {
      format: domainFormat,
      hash: sha256([exportText, ...waitingTexts(waiting)].join('\n')),
      blocks: registeredBlocks(catalog),
      exportText,
      readModel,
      eventStores: catalog.blocks.eventstore.map(({ name, options }) => ({ name, options })),
    },
  };
}

/** The registered tables show blocks that wait, so that entity tags must distinguish them. */
function waitingTexts(waiting: readonly WaitingBlock[] = []): readonly string[] {
  return waiting.map(({ block, waitsFor }) => JSON.stringify([writtenText(block), waitsFor]));
}

/** The modules of a block as one, so that they can use each other's exports. */
function oneModule(structures: readonly ModuleStructure[], path: string): ModuleStructure {
  const values = structures.flatMap(({ imports }) =>
    imports.filter(({ from, types }) => !types && !from.startsWith('.')),
  );
  const names = new Map(values.flatMap((part) => part.names).map((imported) => [imported.name, imported]));
  return {
    path,
    head: structures[0]?.head ?? [],
    imports: names.size === 0 ? [] : [{ from: 'schemac/runtime', types: false, names: [...names.values()] }],
    parts: structures.flatMap(({ parts }) => parts),
  };
}

function contentNamed(structure: ModuleStructure, kind: ModuleKind): GeneratedFile {
  const text = printLoadable(structure, kind);
  return { path: `${structure.path}-${sha256(text).slice(0, 16)}.cjs`, text };
}
