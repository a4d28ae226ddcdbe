/**
 * The module structures of a catalog. Takes a catalog that has passed every check, gives one structure for each module;
 * decides nothing and prints nothing.
 */
import { createHash } from 'node:crypto';
import { writtenText } from '../../language/catalog/documented.ts';
import type { RegisteredBlock } from '../../language/contract/domain.ts';
import { aggregateModule } from '../../templates/aggregate.ts';
import { commandModule } from '../../templates/command.ts';
import { decisionModules } from '../../templates/decision.ts';
import { eventModule } from '../../templates/event.ts';
import { createFileTable } from '../../templates/identifiers.ts';
import type { ModuleFacts } from '../../templates/module-facts.ts';
import type { ModuleStructure } from '../../templates/module.ts';
import { projectionModule } from '../../templates/projection.ts';
import { reactionModule } from '../../templates/reaction.ts';
import type { Block, DecisionBlock } from '../../language/catalog/block.ts';
import { blockKinds } from '../../language/contract/block-kind.ts';
import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import { subscriptionModule } from '../../templates/subscription.ts';
import { createReferences } from './project/references.ts';
import { rowCount } from './row-count.ts';
import { compileAggregateQueries, compileProjectionQuery } from './standard-queries.ts';
import { compileQuery } from './sqlite/compile-query.ts';
import { createDecisionState } from './state-definition.ts';
import { createBranchPrinter } from './typescript/branch-printer.ts';
import { upcastPrinter } from './typescript/upcast-printer.ts';

/** Kinds of block with a module of their own. */
export const moduleKinds = [
  'aggregate',
  'command',
  'event',
  'decision',
  'projection',
  'subscription',
  'reaction',
] as const;
export type ModuleKind = (typeof moduleKinds)[number];

export interface BlockModule {
  readonly kind: ModuleKind;
  readonly name: string;
  /** Under the output folder, without ending. */
  readonly path: string;
  /** The block and all that it names, directly or not: the module depends on nothing else. */
  readonly sources: readonly Block[];
  /** Paths of the modules of these blocks, which the module names. */
  readonly paths: readonly string[];
  /** The last one has the definition, and imports the one before it. */
  readonly structures: () => readonly ModuleStructure[];
}

type ModuleBlock = Block & { readonly kind: ModuleKind };

/** The modules of all blocks, by kind, each sorted by name. `version` is the tool's. */
export function* createBlockModules(catalog: Catalog, version: string): Generator<BlockModule> {
  const { blocks } = catalog;
  const tables = new Map<Block['kind'], ReadonlyMap<string, string>>(
    moduleKinds.map((kind) => [kind, createFileTable(blocks[kind].map(({ name }) => name))]),
  );
  const fileOf = (kind: ModuleKind, name: string): string => `${kind}s/${tables.get(kind)?.get(name) ?? 'unknown'}`;
  const references = createReferences(catalog);
  const module = (block: ModuleBlock): BlockModule => {
    const path = fileOf(block.kind, block.name);
    const structures = (): readonly ModuleStructure[] => {
      const head = headLines(version, `${block.kind} ${block.name}`, writtenText(block));
      return blockStructures(catalog, block, { path, head }, fileOf);
    };
    const sources = references(block);
    const paths = sources.flatMap(({ kind, name }) => tables.get(kind)?.get(name) ?? []);
    return { kind: block.kind, name: block.name, path, sources, paths, structures };
  };
  for (const kind of moduleKinds) for (const block of blocks[kind] as readonly ModuleBlock[]) yield module(block);
}

function blockStructures(
  catalog: Catalog,
  block: ModuleBlock,
  facts: ModuleFacts,
  fileOf: (kind: ModuleKind, name: string) => string,
): readonly ModuleStructure[] {
  switch (block.kind) {
    case 'aggregate':
      return [aggregateModule(block, { ...facts, ...compileAggregateQueries(catalog, block) })];
    case 'command':
      return [commandModule(block, { ...facts, printer: () => createBranchPrinter(block.name) })];
    case 'event':
      return [eventModule(block, { ...facts, printer: upcastPrinter })];
    case 'decision':
      return decisionOf(catalog, block, facts, fileOf);
    case 'projection':
      return [projectionModule(block, { ...facts, query: compileProjectionQuery(catalog, block) })];
    case 'subscription':
      return [
        subscriptionModule(block, {
          ...facts,
          query: compileQuery(block.query, catalog),
          count: compileQuery(rowCount(block.query), catalog),
        }),
      ];
    case 'reaction':
      return [
        reactionModule(block, {
          ...facts,
          commandModule: (command) => `../${fileOf('command', command)}.js`,
          state: createDecisionState(catalog, block),
          printer: () => createBranchPrinter(block.name, 'event'),
        }),
      ];
  }
}

function decisionOf(
  catalog: Catalog,
  block: DecisionBlock,
  facts: ModuleFacts,
  fileOf: (kind: ModuleKind, name: string) => string,
): readonly ModuleStructure[] {
  const { decide, definition } = decisionModules(block, {
    ...facts,
    // No block's name contains a dot, so this is not another block's file.
    definitionPath: `${facts.path}.definition`,
    decideModule: `./${facts.path.slice(facts.path.lastIndexOf('/') + 1)}.js`,
    commandModule: `../${fileOf('command', block.command)}.js`,
    eventModule: (event) => `../${fileOf('event', event)}.js`,
    event: (name) => {
      const event = findBlock(catalog, 'event', name);
      if (event === undefined) throw new Error(`event ${name} is not in the catalog`);
      return event;
    },
    state: createDecisionState(catalog, block),
    printer: () => createBranchPrinter(block.name),
  });
  return [decide, definition];
}

/** The modules of a block as one, so that they can use each other's exports. */
export function oneModule(structures: readonly ModuleStructure[]): ModuleStructure {
  const [first = { path: '', head: [] }] = structures;
  const values = structures.flatMap(({ imports }) =>
    imports.filter(({ from, types }) => !types && !from.startsWith('.')),
  );
  const imports = [...new Set(values.map(({ from }) => from))].map((from) => ({
    from,
    types: false,
    names: [
      ...new Map(
        values
          .filter((part) => part.from === from)
          .flatMap(({ names }) => names)
          .map((imported) => [imported.name, imported]),
      ).values(),
    ],
  }));
  return { path: first.path, head: first.head, imports, parts: structures.flatMap(({ parts }) => parts) };
}

/**
 * The head comment of a module: the tool's version and the source; the hash of the text only if the module depends on
 * the whole text.
 */
export function headLines(version: string, source: string, text?: string): readonly string[] {
  const sum = text === undefined ? '' : `, SHA-256 ${sha256(text).slice(0, 16)}`;
  return [generatedBy(version), `Source: ${source}${sum}.`];
}

export function generatedBy(version: string): string {
  return `@generated by schemac ${version}. Do not edit: the next build writes this file again.`;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The blocks in the form of the registry in the log. */
export function registeredBlocks(catalog: Catalog): readonly RegisteredBlock[] {
  return blockKinds.flatMap((kind) =>
    (catalog.blocks[kind] as readonly Block[]).map((block) => ({
      kind,
      name: block.name,
      text: writtenText(block),
      ...(block.stamp === undefined ? {} : { template: block.stamp.template, instance: block.stamp.instance }),
      ...(block.kind === 'template' && block.instances.length > 0 ? { instances: block.instances } : {}),
    })),
  );
}
