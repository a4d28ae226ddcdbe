/** The description that DESCRIBE gives of each kind of block. */
import { typeName, type Type } from '../../language/values/type.ts';
import type {
  AggregateBlock,
  Block,
  BlockOf,
  CommandBlock,
  DecisionBlock,
  EventBlock,
  EventUpcast,
  FunctionBlock,
  ProjectionBlock,
  SubscriptionBlock,
  ReactionBlock,
  TemplateBlock,
} from '../../language/catalog/block.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import { webhookText } from '../../language/contract/subscription.ts';
import type { BlockKind } from '../../language/contract/block-kind.ts';

/** A line of a description; without a value it is left out. */
type Property = readonly [name: string, value: string | undefined];

interface DescribedAs<B extends Block> {
  /** The properties that distinguish it in a list of all. */
  readonly summary: (block: B) => string;
  /** Its relations to other blocks. */
  readonly relations: (catalog: Catalog, block: B) => readonly Property[];
}

const kinds: { readonly [K in BlockKind]: DescribedAs<BlockOf<K>> } = {
  aggregate: {
    summary: ({ events }) => (events.length === 0 ? 'no events' : events.join(', ')),
    relations: aggregateRelations,
  },
  command: { summary: ({ fields }) => typed(fields).join(', '), relations: commandRelations },
  event: { summary: ({ fields }) => typed(fields).join(', '), relations: eventRelations },
  decision: {
    summary: (block) => `${block.command} on ${block.aggregate}: ${emitsOf(block).join(', ')}`,
    relations: (_, block) => decisionRelations(block),
  },
  projection: {
    summary: ({ query }) => typed(query.columns).join(', '),
    relations: (_, block) => projectionRelations(block),
  },
  eventstore: { summary: ({ options }) => options.map(({ key }) => key).join(', '), relations: () => [] },
  template: {
    summary: ({ parameters }) => parameters.map(({ name }) => name).join(', '),
    relations: templateRelations,
  },
  enum: {
    summary: ({ values }) => values.join(', '),
    relations: (catalog, block) => [
      ['values', list(block.values)],
      ['used by', usersOf(catalog, block)],
    ],
  },
  function: {
    summary: (block) => signatureOf(block),
    relations: (catalog, block) => [
      ['signature', signatureOf(block)],
      ['used by', usersOf(catalog, block)],
    ],
  },
  subscription: {
    summary: ({ columns }) => typed(columns).join(', '),
    relations: (_, block) => subscriptionRelations(block),
  },
  reaction: {
    summary: ({ events, branches }) => `${events.join(', ')}: ${commandsOf(branches).join(', ')}`,
    relations: (_, block) => reactionRelations(block),
  },
};

/** For blocks of the kind of this one. */
export function describedAs<B extends Block>({ kind }: B): DescribedAs<B> {
  return kinds[kind] as unknown as DescribedAs<B>; // the row of its own kind
}

function aggregateRelations(catalog: Catalog, block: AggregateBlock): readonly Property[] {
  const decisions = catalog.blocks.decision.filter((decision) => decision.aggregate === block.name);
  return [
    ['events', list(block.events)],
    ['decisions', list(decisions.map(({ name }) => name))],
    ['commands', list(decisions.map(({ command }) => command))],
    ['state', list(typed(block.state.columns))],
  ];
}

function commandRelations(catalog: Catalog, block: CommandBlock): readonly Property[] {
  const decision = catalog.blocks.decision.find(({ command }) => command === block.name);
  return [
    ['stream id', block.streamField],
    ['decision', decision?.name ?? 'none'],
    ['aggregate', decision?.aggregate],
  ];
}

function eventRelations(catalog: Catalog, block: EventBlock): readonly Property[] {
  const emitters = catalog.blocks.decision.filter((decision) => emitsOf(decision).includes(block.name));
  const aggregates = catalog.blocks.aggregate.filter((aggregate) => aggregate.events.includes(block.name));
  return [
    ['version', String(block.version)],
    ['reads stored', list((block.upcasts ?? []).map(storedShape))],
    ['emitted by', list(emitters.map(({ name }) => name)) ?? 'no decision'],
    ['aggregates', list(aggregates.map(({ name }) => name))],
    [
      'answered by',
      list(catalog.blocks.reaction.filter(({ events }) => events.includes(block.name)).map(({ name }) => name)),
    ],
  ];
}

/** `Filled (litres INT): version 1, 2`. */
function storedShape({ event, fields, versions }: EventUpcast): string {
  const shape = `${event} (${fields.map(({ name, type }) => `${name} ${typeName(type)}`).join(', ')})`;
  return versions.length === 0 ? `${shape}: no version` : `${shape}: version ${versions.join(', ')}`;
}

function decisionRelations(block: DecisionBlock): readonly Property[] {
  const branches = block.branches.map((branch, index): Property => {
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
    ['state', list(typed(block.state?.columns ?? []))],
    ['emits', list([...new Set(emitsOf(block))])],
    ...branches,
  ];
}

function reactionRelations(block: ReactionBlock): readonly Property[] {
  const of = block.aggregate === undefined ? '' : ` of ${block.aggregate}`;
  const branches = block.branches.map(({ label, command, dueText, unless, guardText }): Property => {
    const parts = [
      `${command} ${dueText ?? 'at once'}`,
      ...(unless.length === 0 ? [] : [`unless ${unless.join(', ')}`]),
      ...(guardText === undefined ? [] : [`where ${guardText}`]),
    ];
    return [`branch ${label}`, parts.join(', ')];
  });
  return [
    ['events', `${block.events.join(', ')}${of}`],
    ['begins', beginning(block.start)],
    ['state', list(typed(block.state?.columns ?? []))],
    ['commands', list(commandsOf(block.branches))],
    ...branches,
  ];
}

function beginning(start: ReactionBlock['start']): string {
  switch (start.at) {
    case 'start':
      return 'with the first event';
    case 'now':
      return 'with the events after its creation';
    case 'position':
      return `after position ${start.position}`;
    case 'timestamp':
      return `at ${start.timestamp}`;
  }
}

function commandsOf(branches: ReactionBlock['branches']): readonly string[] {
  return [...new Set(branches.map(({ command }) => command))];
}

function projectionRelations(block: ProjectionBlock): readonly Property[] {
  return [
    ['columns', list(typed(block.query.columns))],
    ['aggregates', list(block.aggregates)],
    ['query', block.queryText],
  ];
}

function subscriptionRelations({
  columns,
  aggregates,
  keyText,
  delivery,
  options,
  queryText,
}: SubscriptionBlock): readonly Property[] {
  return [
    ['columns', list(typed(columns))],
    ['aggregates', list(aggregates)],
    ['key', keyText ?? 'stream_id'],
    ['delivered to', delivery === undefined ? 'consumers that ask' : webhookText(delivery)],
    ['attempts', String(options.attempts)],
    ['on failure', options.onFailure],
    ['query', queryText],
  ];
}

function templateRelations(catalog: Catalog, block: TemplateBlock): readonly Property[] {
  const products = allBlocks(catalog).filter(({ stamp }) => stamp?.template === block.name);
  return [
    ['parameters', list(block.parameters.map(({ name, type }) => (type === undefined ? name : `${name} ${type}`)))],
    ['instances', list(block.instances.map(({ name, parameters }) => `${name} (${parameters})`))],
    ['products', list(products.map(({ kind, name }) => `${kind} ${name}`))],
  ];
}

/** `net(gross DECIMAL(12,2), rate DECIMAL(5,2)) DECIMAL(12,2)` */
export function signatureOf({ name, parameters, returns }: FunctionBlock): string {
  return `${name}(${typed(parameters).join(', ')}) ${typeName(returns)}`;
}

/** The blocks that name a block. */
function usersOf(catalog: Catalog, { kind, name }: Block): string | undefined {
  const users = allBlocks(catalog).filter(({ references }) => references.includes(`${kind}:${name}`));
  return list(users.map((user) => `${user.kind} ${user.name}`));
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

function typed(fields: readonly { readonly name: string; readonly type: Type }[]): readonly string[] {
  return fields.map(({ name, type }) => `${name} ${typeName(type)}`);
}
