/**
 * The module structures of a catalog. Takes a catalog that has passed every check, gives one structure a module; decides nothing
 * and prints nothing.
 */
import { createHash } from 'node:crypto';
import type { RegisteredBlock } from '../../runtime/contract/domain.ts';
import { aggregateModule } from '../../templates/aggregate.ts';
import { commandModule } from '../../templates/command.ts';
import { decisionModule } from '../../templates/decision.ts';
import { eventModule } from '../../templates/event.ts';
import { createFileTable } from '../../templates/identifiers.ts';
import type { ModuleFacts } from '../../templates/module-facts.ts';
import type { ModuleStructure } from '../../templates/module.ts';
import { projectionModule } from '../../templates/projection.ts';
import type { Block, DecisionBlock } from '../catalog/block.ts';
import { blockKinds, findBlock, type Catalog } from '../catalog/catalog.ts';
import { compileAggregateQueries, compileProjectionQuery } from './standard-queries.ts';
import { createDecisionState } from './state-definition.ts';
import { createBranchPrinter } from './typescript/branch-printer.ts';

/** Kinds of block that have a module of their own. */
export const moduleKinds = ['aggregate', 'command', 'event', 'decision', 'projection'] as const;
export type ModuleKind = (typeof moduleKinds)[number];

export interface BlockModule {
  readonly kind: ModuleKind;
  readonly name: string;
  /** Under the output folder, without ending. */
  readonly path: string;
  /** The block and all that it names, directly or not: the module depends on nothing else. */
  readonly sources: readonly Block[];
  readonly structure: () => ModuleStructure;
}

type ModuleBlock = Block & { readonly kind: ModuleKind };

/** The modules of all blocks, by kind, each sorted by name. `version` is the tool's. */
export function createBlockModules(catalog: Catalog, version: string): readonly BlockModule[] {
  const { blocks } = catalog;
  const tables = new Map(moduleKinds.map((kind) => [kind, createFileTable(blocks[kind].map(({ name }) => name))]));
  const fileOf = (kind: ModuleKind, name: string): string => `${kind}s/${tables.get(kind)?.get(name) ?? 'unknown'}`;
  const references = createReferences(catalog);
  const module = (block: ModuleBlock): BlockModule => {
    const path = fileOf(block.kind, block.name);
    const facts = { path, head: headLines(version, `${block.kind} ${block.name}`, block.text) };
    const structure = (): ModuleStructure => blockStructure(catalog, block, facts, fileOf);
    return { kind: block.kind, name: block.name, path, sources: references(block), structure };
  };
  return moduleKinds.flatMap((kind) => (blocks[kind] as readonly ModuleBlock[]).map(module));
}

/** All blocks that one names, directly or not, itself first. */
function createReferences(catalog: Catalog): (block: Block) => readonly Block[] {
  const byName = new Map<string, Block>();
  for (const kind of blockKinds) for (const block of catalog.blocks[kind]) byName.set(`${kind}:${block.name}`, block);
  return (block) => {
    const found = new Set<Block>([block]);
    for (const next of found) {
      // What lands in an aggregate is not named by it, and shows in its relations all the same.
      const landing = next.kind === 'aggregate' ? next.events.map((name) => `event:${name}`) : [];
      for (const reference of [...next.references, ...landing]) {
        const referred = byName.get(reference);
        if (referred !== undefined) found.add(referred);
      }
    }
    return [...found];
  };
}

function blockStructure(
  catalog: Catalog,
  block: ModuleBlock,
  facts: ModuleFacts,
  fileOf: (kind: ModuleKind, name: string) => string,
): ModuleStructure {
  switch (block.kind) {
    case 'aggregate':
      return aggregateModule(block, { ...facts, ...compileAggregateQueries(catalog, block) });
    case 'command':
      return commandModule(block, facts);
    case 'event':
      return eventModule(block, facts);
    case 'decision':
      return decisionOf(catalog, block, facts, fileOf);
    case 'projection':
      return projectionModule(block, { ...facts, query: compileProjectionQuery(catalog, block) });
  }
}

function decisionOf(
  catalog: Catalog,
  block: DecisionBlock,
  facts: ModuleFacts,
  fileOf: (kind: ModuleKind, name: string) => string,
): ModuleStructure {
  return decisionModule(block, {
    ...facts,
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
}

/** The head comment of a module: what made it, and of what. */
export function headLines(version: string, source: string, text: string): readonly string[] {
  return [
    `@generated by schemac ${version}. Do not edit: the next build writes this file again.`,
    `Source: ${source}, SHA-256 ${sha256(text).slice(0, 16)}.`,
  ];
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The blocks as the registry in the log knows them. */
export function registeredBlocks(catalog: Catalog): readonly RegisteredBlock[] {
  return blockKinds.flatMap((kind) =>
    (catalog.blocks[kind] as readonly Block[]).map((block) => ({
      kind,
      name: block.name,
      text: block.text,
      ...(block.stamp === undefined ? {} : { template: block.stamp.template, instance: block.stamp.instance }),
      ...(block.kind === 'template' && block.instances.length > 0 ? { instances: block.instances } : {}),
    })),
  );
}
