import type { Block } from '../../../language/catalog/block.ts';
import type { BlockKind } from '../../../language/contract/block-kind.ts';
import type { Name } from '../../syntax/ast.ts';
import type { Environment, Found } from '../incremental/environment.ts';

/** Notes the block that a name refers to, if there is one, with errors or without. */
export function noteBlock(kind: BlockKind, name: Name, found: Found<Block>, { note }: Environment): void {
  if (note === undefined) return;
  if (found.status === 'found') note(name.span, { kind, name: found.block.name });
  if (found.status === 'faulty') note(name.span, { kind, name: found.name });
}
