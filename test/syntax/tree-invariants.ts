import * as assert from 'uvu/assert';
import type { Node } from '../../compiler/syntax/ast.ts';
import { childrenOf } from '../../compiler/syntax/children.ts';
import { walk } from '../../compiler/syntax/walk.ts';

/** Nodes whose children may be in another order than their keys: clauses and modifiers of free order, and TRIM(c FROM x). */
const freeOrder = new Set<Node['kind']>([
  'Query',
  'AggregateField',
  'CommandField',
  'CreateCommand',
  'InspectProjection',
  'InspectReaction',
  'FunctionCall',
]);

/** Checks that every node is inside its parent, after its elder sibling, in the same text. */
export function assertTreeInvariants(root: Node): void {
  walk(root, (node) => {
    assert.ok(node.span.start <= node.span.end, `${node.kind} ends before it starts`);
    let previous = node.span.start;
    for (const child of childrenOf(node)) {
      const where = `${child.kind} in ${node.kind}`;
      assert.is(child.span.file, node.span.file, where);
      assert.ok(child.span.start >= node.span.start && child.span.end <= node.span.end, `${where} stands outside`);
      if (!freeOrder.has(node.kind))
        assert.ok(child.span.start >= previous, `${where} stands before its elder sibling`);
      previous = Math.max(previous, child.span.end);
    }
  });
}
