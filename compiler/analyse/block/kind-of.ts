import { kindTable, type BlockKind } from '../../../language/contract/block-kind.ts';
import type { BlockStatement } from '../../syntax/ast.ts';

const kinds = Object.fromEntries(Object.entries(kindTable).map(([kind, { statement }]) => [statement, kind])) as {
  readonly [S in BlockStatement['kind']]: BlockKind; // every block statement is of a kind in the table
};

/** The kind of block that a statement creates. */
export function kindOf(tree: BlockStatement): BlockKind {
  return kinds[tree.kind];
}
