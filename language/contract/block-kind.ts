/** The kinds of block that a registry holds. */
export type BlockKind = 'aggregate' | 'command' | 'event' | 'decision' | 'projection' | 'eventstore' | 'template';

/** `kind:name`, the name in lower case: the one identity of a block. Names of one kind that differ only in case belong to one block. */
export type BlockKey = `${BlockKind}:${string}`;

export function blockKey(kind: BlockKind, name: string): BlockKey {
  return `${kind}:${name.toLowerCase()}`;
}
