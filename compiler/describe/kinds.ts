/** The description that DESCRIBE gives of each kind of block. */
import { typeName, type Type } from '../../language/values/type.ts';
import {
  namedBy,
  type AggregateBlock,
  type Block,
  type BlockOf,
  type ClaimBlock,
  type CommandBlock,
  type DecisionBlock,
  type EventBlock,
  type EventUpcast,
  type FunctionBlock,
  type SubscriptionBlock,
  type ReactionBlock,
  type RowClauses,
  type TemplateBlock,
} from '../../language/catalog/block.ts';
import { allBlocks, type Catalog } from '../../language/catalog/catalog.ts';
import { webhookText } from '../../language/contract/subscription.ts';
import type { BlockKind } from '../../language/contract/block-kind.ts';

/** A line of a description; without a value, or with an empty one, it is left out. */
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
  command: { summary: ({ fields }) => typed(fields), relations: commandRelations },
  event: { summary: ({ fields }) => typed(fields), relations: eventRelations },
  decision: {
    summary: (block) => `${block.command} on ${block.aggregate}: ${emitsOf(block).join(', ')}`,
    relations: (_, block) => decisionRelations(block),
  },
  projection: {
    summary: ({ query }) => typed(query.columns),
    relations: (_, block) => [
      ['columns', typed(block.query.columns)],
      ['aggregates', block.aggregates.join(', ')],
      ['query', block.queryText],
      ...clauses(block),
    ],
  },
  eventstore: { summary: ({ options }) => options.map(({ key }) => key).join(', '), relations: () => [] },
  template: {
    summary: ({ parameters }) => parameters.map(({ name }) => name).join(', '),
    relations: templateRelations,
  },
  enum: {
    summary: ({ values }) => values.join(', '),
    relations: (catalog, block) => [
      ['values', block.values.join(', ')],
      ['used by', usersOf(catalog, block)],
    ],
  },
  claim: {
    summary: claimType,
    relations: (catalog, block) => [
      ['type', claimType(block)],
      ['members', block.path.join(', ')],
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
    summary: ({ columns }) => typed(columns),
    relations: (_, block) => subscriptionRelations(block),
  },
  reaction: {
    summary: ({ events, branches }) => `${events.join(', ')}: ${commandsOf(branches)}`,
    relations: (_, block) => reactionRelations(block),
  },
};

function claimType({ type, sensitive }: ClaimBlock): string {
  return `${typeName(type)}${sensitive ? ' SENSITIVE' : ''}`;
}

/** For blocks of the kind of this one. */
export function describedAs<B extends Block>({ kind }: B): DescribedAs<B> {
  return kinds[kind] as unknown as DescribedAs<B>; // the row of its own kind
}

function aggregateRelations(catalog: Catalog, block: AggregateBlock): readonly Property[] {
  const decisions = catalog.blocks.decision.filter((decision) => decision.aggregate === block.name);
  return [
    ['events', block.events.join(', ')],
    ['decisions', namesOf(decisions)],
    ['commands', decisions.map(({ command }) => command).join(', ')],
    ['state', typed(block.state.columns)],
    ...clauses(block),
  ];
}

function clauses({ visible, clear }: RowClauses): readonly Property[] {
  return [
    ['visible', visible === 'all' ? 'to all' : visible && `where ${visible.text}`],
    ['in the clear', clear && `where ${clear.text}`],
  ];
}

function commandRelations(catalog: Catalog, block: CommandBlock): readonly Property[] {
  const decision = catalog.blocks.decision.find(({ command }) => command === block.name);
  return [
    ['stream id', block.streamField],
    ['decision', decision?.name ?? 'none'],
    ['aggregate', decision?.aggregate],
    ['allowed', block.allow && `where ${block.allow.text}`],
  ];
}

function eventRelations(catalog: Catalog, block: EventBlock): readonly Property[] {
  const emitters = catalog.blocks.decision.filter((decision) => emitsOf(decision).includes(block.name));
  const aggregates = catalog.blocks.aggregate.filter((aggregate) => aggregate.events.includes(block.name));
  return [
    ['version', String(block.version)],
    ['reads stored', (block.upcasts ?? []).map(storedShape).join(', ')],
    ['emitted by', namesOf(emitters) || 'no decision'],
    ['aggregates', namesOf(aggregates)],
    ['answered by', namesOf(catalog.blocks.reaction.filter(({ events }) => events.includes(block.name)))],
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
    ['state', typed(block.state?.columns ?? [])],
    ['emits', [...new Set(emitsOf(block))].join(', ')],
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
    ['state', typed(block.state?.columns ?? [])],
    ['commands', commandsOf(block.branches)],
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

function commandsOf(branches: ReactionBlock['branches']): string {
  return [...new Set(branches.map(({ command }) => command))].join(', ');
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
    ['columns', typed(columns)],
    ['aggregates', aggregates.join(', ')],
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
    [
      'parameters',
      block.parameters.map(({ name, type }) => (type === undefined ? name : `${name} ${type}`)).join(', '),
    ],
    ['instances', block.instances.map(({ name, parameters }) => `${name} (${parameters})`).join(', ')],
    ['products', products.map(({ kind, name }) => `${kind} ${name}`).join(', ')],
  ];
}

/** `net(gross DECIMAL(12,2), rate DECIMAL(5,2)) DECIMAL(12,2)` */
export function signatureOf({ name, parameters, returns }: FunctionBlock): string {
  return `${name}(${typed(parameters)}) ${typeName(returns)}`;
}

/** The blocks that name a block. */
function usersOf(catalog: Catalog, { kind, name }: Block): string {
  const users = allBlocks(catalog).filter((block) => namedBy(block).includes(`${kind}:${name}`));
  return users.map((user) => `${user.kind} ${user.name}`).join(', ');
}

function emitsOf(decision: DecisionBlock): readonly string[] {
  return decision.branches.flatMap((branch) => branch.emits.map(({ event }) => event));
}

function namesOf(blocks: readonly Block[]): string {
  return blocks.map(({ name }) => name).join(', ');
}

function typed(fields: readonly { readonly name: string; readonly type: Type }[]): string {
  return fields.map(({ name, type }) => `${name} ${typeName(type)}`).join(', ');
}
