import type { Column } from '../../../language/contract/query.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { SortKey } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { Name, OrderItem } from '../../syntax/ast.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { isFaulty } from '../typed/typed.ts';
import type { SelectedItem } from './bind-select.ts';
import type { Binding, ExpressionContext } from './binding.ts';
import { sameExpression } from './same-expression.ts';

/** NULLs sort last ascending and first descending by default (docs/language.md#types). */
export function directionOf(item: OrderItem): Pick<SortKey, 'direction' | 'nulls'> {
  const direction = item.direction ?? 'ASC';
  return { direction, nulls: item.nulls ?? (direction === 'ASC' ? 'LAST' : 'FIRST') };
}

/** ORDER BY of a SELECT: positions, names of the select list, else any expression over what is in scope. */
export function bindSelectOrder(
  order: readonly OrderItem[],
  items: readonly SelectedItem[],
  distinct: boolean,
  context: ExpressionContext,
): readonly SortKey[] {
  const { binding } = context;
  const selectedKey = (item: OrderItem, index: number): readonly SortKey[] => {
    const expression = items[index]?.expression;
    // The text of an INTERVAL has not its order; rows of DISTINCT can only be sorted by their own columns.
    return expression?.type.kind === 'INTERVAL' && !distinct
      ? [{ ...directionOf(item), by: 'expression', expression }]
      : [{ ...directionOf(item), by: 'output', index }];
  };
  return order.flatMap((item): readonly SortKey[] => {
    const same = (left: number, right: number): boolean => sameItems(items[left]?.expression, items[right]?.expression);
    const named = outputIndex(item, items, same, binding);
    if (named === 'refused') return [];
    if (named !== undefined) {
      refuseSensitive(item, items[named], binding);
      return selectedKey(item, named);
    }
    const expression = bindExpression(item.expression, context);
    if (isFaulty(expression)) return [];
    const selected = items.findIndex((candidate) => sameExpression(candidate.expression, expression));
    if (selected >= 0) return selectedKey(item, selected);
    if (distinct) {
      binding.report(diagnose('E0610', item.span, {}));
      return [];
    }
    return [{ ...directionOf(item), by: 'expression', expression }];
  });
}

/** ORDER BY over anything but a SELECT: positions and names of result columns. */
export function bindOutputOrder(
  order: readonly OrderItem[],
  columns: readonly Column[],
  open: boolean,
  binding: Binding,
  isSet: boolean,
): readonly SortKey[] {
  if (open) return [];
  return order.flatMap((item): readonly SortKey[] => {
    const index = outputIndex(item, columns, () => false, binding);
    if (index === 'refused') return [];
    if (index !== undefined) return [{ ...directionOf(item), by: 'output', index }];
    const { expression } = item;
    const name = expression.kind === 'ColumnReference' && expression.path.length === 1 ? expression.path[0] : undefined;
    if (name !== undefined) {
      const nearest = nearestNames(
        name.text,
        columns.map((column) => column.name),
      );
      binding.report(diagnose('E0203', name.span, { name: name.text, nearest }));
    } else if (isSet || columns.length > 0) {
      binding.report(diagnose('E0609', expression.span, {}));
    }
    return [];
  });
}

function sameItems(left: TypedExpression | undefined, right: TypedExpression | undefined): boolean {
  return left !== undefined && right !== undefined && sameExpression(left, right);
}

/**
 * The result column that an item names by position or name; undefined when it is an expression. A name may belong to several columns only
 * if they are the `same` expression.
 */
function outputIndex(
  item: OrderItem,
  columns: readonly { readonly name: string }[],
  same: (left: number, right: number) => boolean,
  binding: Binding,
): number | 'refused' | undefined {
  const { expression } = item;
  if (expression.kind === 'NumberLiteral') {
    const position = Number(expression.text);
    if (Number.isInteger(position) && columns[position - 1] !== undefined) return position - 1;
    binding.report(diagnose('E0608', expression.span, { clause: 'ORDER BY', position, columns: columns.length }));
    return 'refused';
  }
  const name = expression.kind === 'ColumnReference' && expression.path.length === 1 ? expression.path[0] : undefined;
  if (name === undefined) return undefined;
  return namedColumn(name, 'ORDER BY', columns, same, binding);
}

/** The only result column of that name, undefined for none; several different ones are reported. */
export function namedColumn(
  name: Name,
  clause: 'ORDER BY' | 'GROUP BY',
  columns: readonly { readonly name: string }[],
  same: (left: number, right: number) => boolean,
  binding: Binding,
): number | 'refused' | undefined {
  const lower = name.text.toLowerCase();
  const [first, ...others] = columns.flatMap((column, index) => (column.name.toLowerCase() === lower ? [index] : []));
  if (first === undefined) return undefined;
  const other = others.find((index) => !same(first, index));
  if (other === undefined) return first;
  binding.report(diagnose('E0623', name.span, { clause, name: name.text, first: first + 1, second: other + 1 }));
  return 'refused';
}

function refuseSensitive(item: OrderItem, selected: SelectedItem | undefined, binding: Binding): void {
  if (binding.sensitivity !== 'masks' || selected?.expression.sensitive !== true) return;
  binding.report(diagnose('E0702', item.expression.span, { column: selected.name, where: 'ORDER BY' }));
}
