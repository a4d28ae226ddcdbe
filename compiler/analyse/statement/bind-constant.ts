import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Expression, Node } from '../../syntax/ast.ts';
import { isCallerWord, isCurrentUserAlone } from '../expression/bind-caller.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { faulty } from '../typed/typed.ts';
import type { Binding, Site } from '../query/binding.ts';
import { emptyScope } from '../query/scope.ts';
import type { Span } from '../../../language/source/span.ts';
import { walk } from '../../syntax/walk.ts';

/** An expression of literals: no column, parameter or query is in scope. */
export function bindConstant(node: Expression, where: string, binding: Binding): TypedExpression {
  const reading = firstReading(node);
  if (reading !== undefined) {
    binding.report(diagnose('E0903', reading.span, { what: where, found: reading.found }));
    return faulty;
  }
  const site: Site = { where, aggregates: 'refused', windows: false, queries: false, sensitive: 'refused' };
  return bindExpression(node, { binding, scope: emptyScope, site });
}

/** The first part of an expression that reads something, and its description, for messages; nothing for a constant expression. */
function firstReading(expression: Expression): { readonly span: Span; readonly found: string } | undefined {
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
    case 'FunctionCall':
      return isCallerWord(node.name.text) ? `${node.name.text.toUpperCase()}, a part of the caller` : undefined;
    case 'ColumnReference':
      return isCurrentUserAlone(node)
        ? 'CURRENT_USER, a part of the caller'
        : `the name ${node.path.map((name) => name.text).join('.')}`;
    case 'BindParameter':
      return `the command field :${node.name.text}`;
    case 'Query':
      return 'a query';
    default:
      return undefined;
  }
}
