import type { Span } from '../../../language/source/span.ts';
import type { Expression, Node } from '../../syntax/ast.ts';
import { walk } from '../../syntax/walk.ts';

/** The first part of an expression that reads something, and its description, for messages; nothing for a constant expression. */
export function firstReading(expression: Expression): { readonly span: Span; readonly found: string } | undefined {
  let first: { readonly span: Span; readonly found: string } | undefined;
  walk(expression, (node) => {
    const found = first === undefined ? readingOf(node) : undefined;
    if (found !== undefined) first = { span: node.span, found };
    return first === undefined;
  });
  return first;
}

function readingOf(node: Node): string | undefined {
  switch (node.kind) {
    case 'ColumnReference':
      return `the name ${node.path.map((name) => name.text).join('.')}`;
    case 'BindParameter':
      return `the command field :${node.name.text}`;
    case 'Query':
      return 'a query';
    default:
      return undefined;
  }
}
