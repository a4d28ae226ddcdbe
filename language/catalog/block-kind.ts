/** The kinds of block that a registry holds. */
export type BlockKind = 'aggregate' | 'command' | 'event' | 'decision' | 'projection' | 'eventstore' | 'template';
