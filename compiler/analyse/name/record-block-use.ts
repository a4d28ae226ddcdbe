import type { Block } from '../../../language/catalog/block.ts';
import type { BlockKind } from '../../../language/contract/block-kind.ts';
import type { Name } from '../../syntax/ast.ts';
import type { Environment, Found } from '../environment/environment.ts';

/** Records the block that a name refers to, if there is one, with errors or without. */
export function recordBlockUse(
  kind: BlockKind,
  name: Name,
  found: Found<Block>,
  { recordUse }: Pick<Environment, 'recordUse'>,
): void {
  if (recordUse === undefined) return;
  if (found.status === 'found') recordUse(name.span, { kind, name: found.block.name });
  if (found.status === 'faulty') recordUse(name.span, { kind, name: found.name });
}
