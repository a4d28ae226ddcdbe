/** Facts that differ between the kinds of block. CONTRIBUTING.md lists the files that a new kind touches. */
interface KindFacts {
  readonly statement: `Create${string}`;
  /** Its name in messages. */
  readonly word: string;
  /** Its place in an export: a kind comes after the kinds that its blocks name. */
  readonly exported: number;
}

/** Every kind of block, in the order of catalogs. The keyword is the kind in upper case; a list is named by it and an S. */
export const kindTable = {
  aggregate: { statement: 'CreateAggregate', word: 'aggregate', exported: 4 },
  command: { statement: 'CreateCommand', word: 'command', exported: 5 },
  event: { statement: 'CreateEvent', word: 'event', exported: 6 },
  decision: { statement: 'CreateDecision', word: 'decision', exported: 8 },
  projection: { statement: 'CreateProjection', word: 'projection', exported: 7 },
  eventstore: { statement: 'CreateEventStore', word: 'event store', exported: 0 },
  template: { statement: 'CreateTemplate', word: 'template', exported: 1 },
  enum: { statement: 'CreateEnum', word: 'enum', exported: 2 },
  function: { statement: 'CreateFunction', word: 'function', exported: 3 },
  claim: { statement: 'CreateClaim', word: 'claim', exported: 3 },
  subscription: { statement: 'CreateSubscription', word: 'subscription', exported: 9 },
  reaction: { statement: 'CreateReaction', word: 'reaction', exported: 10 },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type BlockKind = keyof typeof kindTable;
export const blockKinds = Object.keys(kindTable) as readonly BlockKind[];

/** The kinds in the order of an export. */
export const exportedKinds = [...blockKinds].sort((a, b) => kindTable[a].exported - kindTable[b].exported);

/** `CREATE AGGREGATE`, `DESCRIBE AGGREGATES`. */
export type BlockKeyword = Uppercase<BlockKind>;
export type KindsKeyword = `${BlockKeyword}S`;
export const blockKeywords = blockKinds.map((kind) => kind.toUpperCase()) as readonly BlockKeyword[];
export const kindsKeywords = blockKeywords.map((keyword): KindsKeyword => `${keyword}S`);

/** The statements that create blocks, each with the kind that it creates. */
export const kindsByStatement: ReadonlyMap<string, BlockKind> = new Map(
  blockKinds.map((kind) => [kindTable[kind].statement, kind]),
);

/** `kind:name`, the name in lower case: the one identity of a block. Names of one kind that differ only in case belong to one block. */
export type BlockKey = `${BlockKind}:${string}`;

export function blockKey(kind: BlockKind, name: string): BlockKey {
  return `${kind}:${name.toLowerCase()}`;
}
