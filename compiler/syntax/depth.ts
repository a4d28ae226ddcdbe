import type { Node } from './ast.ts';
import { walk } from './walk.ts';

/**
 * How deep a tree may be, in nodes, so that whoever reads it may do so by recursion. Long chains of operators, joins and set
 * operations lean to the left and are what makes trees deep; 200 nested subqueries stay below.
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
