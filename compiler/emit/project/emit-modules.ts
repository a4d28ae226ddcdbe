/**
 * Emits only the parts needed to run a catalog: a JavaScript module for each block, and the rest of the domain as data,
 * without ts-morph. Each file is named by its content, so that a change writes and loads only the changed modules.
 */
import { rolesNamed } from './roles-named.ts';
import { domainFormat, type DomainData } from '../../../language/contract/domain.ts';
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
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
import { createBlockModules, oneModule, registeredBlocks, sha256, type ModuleKind } from '../structures.ts';

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
  readonly data: DomainData;
}

const memory = createBlockMemory<GeneratedFile>();

export function emitModules(catalog: Catalog, options: EmitOptions): EmittedModules {
  return atOnce(emitInSteps(catalog, options));
}

/** `emitModules` in steps: one for each module and each part of the read model. */
export function* emitInSteps(catalog: Catalog, options: EmitOptions): Steps<EmittedModules> {
  const { version } = options;
  const modules = yield* mapInSteps(
    createBlockModules(catalog, version),
    ({ kind, name, path, sources, structures }) => ({
      kind,
      name,
      sources,
      file: memory(sources, `${version} ${path}`, () => contentNamed(oneModule(structures()), kind)),
    }),
  );
  const readModel = yield* readModelInSteps(catalog, options.waiting);
  return {
    modules,
    data: domainData(catalog, options, readModel),
  };
}

/** The part of a domain that is data. */
export function domainData(
  catalog: Catalog,
  { exportText, waiting }: Omit<EmitOptions, 'version'>,
  readModel: ReadModelDefinition,
): DomainData {
  return {
    format: domainFormat,
    hash: sha256([exportText, ...waitingTexts(waiting)].join('\n')),
    blocks: registeredBlocks(catalog),
    exportText,
    readModel,
    eventStores: catalog.blocks.eventstore.map(({ name, options }) => ({ name, options })),
    claims: catalog.blocks.claim.map(({ name, type, sensitive, path }) => ({ name, type, sensitive, path })),
    roles: rolesNamed(catalog),
  };
}

/** The registered tables show blocks that wait, so that entity tags must distinguish them. */
function waitingTexts(waiting: readonly WaitingBlock[] = []): readonly string[] {
  return waiting.map(({ block, waitsFor }) => JSON.stringify([writtenText(block), waitsFor]));
}

function contentNamed(structure: ModuleStructure, kind: ModuleKind): GeneratedFile {
  const text = printLoadable(structure, kind);
  return { path: `${structure.path}-${sha256(text).slice(0, 16)}.cjs`, text };
}
