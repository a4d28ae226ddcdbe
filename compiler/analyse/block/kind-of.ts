import type { BlockKind } from '../../../language/contract/block-kind.ts';
import type { BlockStatement } from '../../syntax/ast.ts';

const kinds: { readonly [K in BlockStatement['kind']]: BlockKind } = {
  CreateAggregate: 'aggregate',
  CreateCommand: 'command',
  CreateEvent: 'event',
  CreateDecision: 'decision',
  CreateProjection: 'projection',
  CreateEventStore: 'eventstore',
  CreateTemplate: 'template',
};

/** The kind of block that a statement creates. */
export function kindOf(tree: BlockStatement): BlockKind {
  return kinds[tree.kind];
}
