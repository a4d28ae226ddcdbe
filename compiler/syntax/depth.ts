import type { Node } from './ast.ts';
import { walk } from './walk.ts';

/**
 * Maximum depth of a tree, in nodes, so that it can be read by recursion. Trees get deep by long chains of operators, joins and set
 * operations, which lean to the left; 200 nested subqueries stay below.
 */
export const maximumDepth = 1_200;

/** The first node that is deeper than that, if any. */
export function findDeepNode(root: Node): Node | undefined {
  let found: Node | undefined;
  walk(root, (node, depth) => {
    if (depth > maximumDepth) found ??= node;
    return found === undefined;
  });
  return found;
}
