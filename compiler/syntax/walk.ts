import type { Node } from './ast.ts';
import { childrenOf } from './children.ts';

/**
 * Visits a node and all its descendants, parents before children, in the order of the text. `enter` returns `false` to skip a node's
 * children. Uses no recursion, so no tree is too deep for it.
 */
export function walk(root: Node, enter: (node: Node, depth: number) => unknown): void {
  const pending: { readonly node: Node; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (enter(at.node, at.depth) === false) continue;
    const children = childrenOf(at.node);
    for (let index = children.length - 1; index >= 0; index--) {
      pending.push({ node: children[index] as Node, depth: at.depth + 1 }); // index is in range
    }
  }
}

/** Every node of a kind at or below `root`, in the order of the text. */
export function findAll<K extends Node['kind']>(root: Node, kind: K): readonly Extract<Node, { readonly kind: K }>[] {
  const found: Extract<Node, { readonly kind: K }>[] = [];
  walk(root, (node) => {
    if (node.kind === kind) found.push(node as Extract<Node, { readonly kind: K }>); // by its kind
  });
  return found;
}
