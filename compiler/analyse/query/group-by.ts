import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Expression } from '../../syntax/ast.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { isFaulty } from '../typed/typed.ts';
import type { SelectedItem } from './bind-select.ts';
import type { ExpressionContext } from './binding.ts';
import { namedColumn } from './order-by.ts';
import { sameExpression } from './same-expression.ts';
import { joinedNamed } from './scope.ts';
import { walkExpression } from '../typed/walk.ts';

/** GROUP BY: expressions, positions, and names; a name is first a column, then an alias of the select list, as in PostgreSQL. */
export function bindGroupBy(
  nodes: readonly Expression[],
  items: readonly SelectedItem[],
  context: ExpressionContext,
): readonly TypedExpression[] {
  return nodes.flatMap((node): readonly TypedExpression[] => {
    const selected = selectedBy(node, items, context);
    if (selected === 'refused') return [];
    const expression = selected === undefined ? bindExpression(node, context) : checkSelected(node, selected, context);
    return isFaulty(expression) ? [] : [expression];
  });
}

function selectedBy(
  node: Expression,
  items: readonly SelectedItem[],
  context: ExpressionContext,
): SelectedItem | 'refused' | undefined {
  if (node.kind === 'NumberLiteral') {
    const position = Number(node.text);
    const item = Number.isInteger(position) ? items[position - 1] : undefined;
    if (item !== undefined) return item;
    context.binding.report(diagnose('E0608', node.span, { clause: 'GROUP BY', position, columns: items.length }));
    return 'refused';
  }
  const [name, ...more] = node.kind === 'ColumnReference' ? node.path : [];
  if (name === undefined || more.length > 0) return undefined;
  if (joinedNamed(context.scope.joined, name.text).length > 0) return undefined;
  const same = (left: number, right: number): boolean => {
    const [a, b] = [items[left], items[right]];
    return a !== undefined && b !== undefined && sameExpression(a.expression, b.expression);
  };
  const index = namedColumn(name, 'GROUP BY', items, same, context.binding);
  return typeof index === 'number' ? items[index] : index;
}

/** An item of the select list that GROUP BY refers to must itself be allowed in GROUP BY. */
function checkSelected(node: Expression, item: SelectedItem, { binding, scope }: ExpressionContext): TypedExpression {
  const { expression } = item;
  walkExpression(expression, (part) => {
    if (part.kind === 'aggregate')
      binding.report(diagnose('E0602', node.span, { function: part.function, where: 'GROUP BY' }));
    if (part.kind === 'column' && part.relation === scope.lifted?.relation)
      binding.report(diagnose('E0602', node.span, { function: 'an aggregate of a subquery', where: 'GROUP BY' }));
    if (part.kind === 'window')
      binding.report(diagnose('E0604', node.span, { function: part.function, where: 'GROUP BY' }));
    return part.kind !== 'aggregate' && part.kind !== 'window';
  });
  if (binding.sensitivity === 'masks' && expression.sensitive) {
    binding.report(diagnose('E0702', node.span, { column: item.name, where: 'GROUP BY' }));
  }
  return expression;
}
