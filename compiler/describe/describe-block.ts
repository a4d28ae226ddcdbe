/**
 * DESCRIBE of one block: its definition and its relations. Takes a catalog, gives a table of texts; it never contains a store's `ENV`
 * values or passwords, because the catalog has none.
 */
import { typeName } from '../../language/values/type.ts';
import type {
  AggregateBlock,
  Block,
  CommandBlock,
  DecisionBlock,
  EventBlock,
  ProjectionBlock,
  TemplateBlock,
} from '../../language/catalog/block.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import { properties, type DescribedTable } from './described.ts';

type Entry = readonly [string, string | undefined];

/** `waits`: the blocks that a waiting block waits for, in words. */
export function describeBlock(catalog: Catalog, block: Block, waits?: string): DescribedTable {
  const stamp: Entry = [
    'template',
    block.stamp === undefined ? undefined : `${block.stamp.template} (${block.stamp.instance})`,
  ];
  return properties([
    ['kind', block.kind],
    ['name', block.name],
    ['waits for', waits],
    ...relationsOf(catalog, block),
    stamp,
    ['definition', block.text],
  ]);
}

function relationsOf(catalog: Catalog, block: Block): readonly Entry[] {
  switch (block.kind) {
    case 'aggregate':
      return aggregateRelations(catalog, block);
    case 'command':
      return commandRelations(catalog, block);
    case 'event':
      return eventRelations(catalog, block);
    case 'decision':
      return decisionRelations(block);
    case 'projection':
      return projectionRelations(block);
    case 'template':
      return templateRelations(catalog, block);
    case 'eventstore':
      return [];
    default:
      return block satisfies never;
  }
}

function aggregateRelations(catalog: Catalog, block: AggregateBlock): readonly Entry[] {
  const decisions = catalog.blocks.decision.filter((decision) => decision.aggregate === block.name);
  return [
    ['events', list(block.events)],
    ['decisions', list(decisions.map(({ name }) => name))],
    ['commands', list(decisions.map(({ command }) => command))],
    ['state', list(block.state.columns.map(({ name, type }) => `${name} ${typeName(type)}`))],
  ];
}

function commandRelations(catalog: Catalog, block: CommandBlock): readonly Entry[] {
  const decision = catalog.blocks.decision.find(({ command }) => command === block.name);
  return [
    ['stream id', block.streamField],
    ['decision', decision?.name ?? 'none'],
    ['aggregate', decision?.aggregate],
  ];
}

function eventRelations(catalog: Catalog, block: EventBlock): readonly Entry[] {
  const emitters = catalog.blocks.decision.filter((decision) => emitsOf(decision).includes(block.name));
  const aggregates = catalog.blocks.aggregate.filter((aggregate) => aggregate.events.includes(block.name));
  return [
    ['version', String(block.version)],
    ['emitted by', list(emitters.map(({ name }) => name)) ?? 'no decision'],
    ['aggregates', list(aggregates.map(({ name }) => name))],
  ];
}

function decisionRelations(block: DecisionBlock): readonly Entry[] {
  const branches = block.branches.map((branch, index): Entry => {
    const emits = branch.emits.map((emit) =>
      emit.stream === undefined ? emit.event : `${emit.event} to ${emit.aggregate}`,
    );
    const guard = branch.guardText === undefined ? 'always' : `where ${branch.guardText}`;
    return [
      branch.label === undefined ? `branch ${index + 1}` : `branch ${branch.label}`,
      `${emits.join(', ')} ${guard}`,
    ];
  });
  return [
    ['aggregate', block.aggregate],
    ['command', block.command],
    ['state', list((block.state?.columns ?? []).map(({ name, type }) => `${name} ${typeName(type)}`))],
    ['emits', list([...new Set(emitsOf(block))])],
    ...branches,
  ];
}

function projectionRelations(block: ProjectionBlock): readonly Entry[] {
  return [
    ['columns', list(block.query.columns.map(({ name, type }) => `${name} ${typeName(type)}`))],
    ['aggregates', list(block.aggregates)],
    ['query', block.queryText],
  ];
}

function templateRelations(catalog: Catalog, block: TemplateBlock): readonly Entry[] {
  const products = allBlocks(catalog).filter(({ stamp }) => stamp?.template === block.name);
  return [
    ['parameters', list(block.parameters.map(({ name, type }) => (type === undefined ? name : `${name} ${type}`)))],
    ['instances', list(block.instances.map(({ name, parameters }) => `${name} (${parameters})`))],
    ['products', list(products.map(({ kind, name }) => `${kind} ${name}`))],
  ];
}

function allBlocks(catalog: Catalog): readonly Block[] {
  return Object.values(catalog.blocks).flatMap((blocks: readonly Block[]) => blocks);
}

function emitsOf(decision: DecisionBlock): readonly string[] {
  return decision.branches.flatMap((branch) => branch.emits.map(({ event }) => event));
}

function list(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.join(', ');
}
