import type { Column } from '../../../language/contract/query.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundSelect } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Expression, OrderItem, Select, SelectStar } from '../../syntax/ast.ts';
import { checkWindows } from '../expression/named-window.ts';
import { bindCondition } from '../expression/bind-condition.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { convert } from '../expression/convert.ts';
import { resultType, isFaulty } from '../typed/typed.ts';
import { maskedItem } from '../sensitive/mask.ts';
import type { BodyOutcome } from './bind-body.ts';
import { bindFrom } from './bind-from.ts';
import type { Binding, ExpressionContext, Site } from './binding.ts';
import { bounds, fitsColumns, isPastColumns } from './check-bounds.ts';
import { checkGrouped } from './check-grouped.ts';
import { bindSelectOrder, namedColumn } from './order-by.ts';
import { createLiftedAggregates, overGroups } from './lifted-aggregates.ts';
import { outputName } from './output-name.ts';
import { innerScope, type RelationScope, type Scope, joinedNamed } from './scope.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import { columnOfJoined, columnOfScope, relationNamed } from '../expression/bind-column.ts';
import { sameExpression } from './same-expression.ts';
import { walkExpression } from '../typed/walk.ts';

/** A column of the result, with its origin. */
export interface SelectedItem {
  readonly name: string;
  readonly expression: TypedExpression;
  /** Absent for a column that a star expands to. */
  readonly node?: Expression;
}

const listSite: Site = {
  where: 'the select list',
  aggregates: 'allowed',
  windows: true,
  queries: true,
  sensitive: 'masked',
};

export function bindSelect(node: Select, order: readonly OrderItem[], binding: Binding, outer: Scope): BodyOutcome {
  const from = node.from === undefined ? undefined : bindFrom(node.from, binding, outer);
  let aggregated = node.groupBy.length > 0 || node.having !== undefined;
  const lifted = createLiftedAggregates();
  const scope: Scope = {
    ...innerScope(outer),
    lifted,
    aggregated: () => {
      aggregated = true;
    },
    ...(from === undefined ? {} : { relations: from.relations, joined: from.joined }),
  };
  // The bounds report any further ones.
  const windows = node.windows.slice(0, bounds.namedWindows);
  const context = (site: Site): ExpressionContext => ({ binding, scope, site, windows });
  const where = node.where === undefined ? undefined : bindCondition(node.where, context(conditionSite('WHERE')));
  const items = bindItems(node, context(listSite));
  const groupBy = bindGroupBy(node.groupBy, items, context(conditionSite('GROUP BY')));
  const having =
    node.having === undefined
      ? undefined
      : bindCondition(node.having, context({ ...conditionSite('HAVING'), aggregates: 'allowed' }));
  const orderBy = bindSelectOrder(
    order,
    items,
    node.distinct,
    context({ ...listSite, where: 'ORDER BY', sensitive: 'refused' }),
  );
  checkWindows(windows, [...node.items, ...order], context(listSite));
  const isPartial = isPastColumns('starred', binding) || scope.relations.some((relation) => relation.open);
  const open = isPartial && node.items.some((item) => item.kind === 'SelectStar');
  if (aggregated) {
    const sorted = orderBy.flatMap((key) => (key.by === 'expression' ? [key.expression] : []));
    checkGrouped(
      [...items.map((item) => item.expression), ...(having === undefined ? [] : [having]), ...sorted],
      groupBy,
      scope,
      binding,
    );
  }
  if (node.distinct) refuseSensitiveDistinct(node, items, binding);
  const body: BoundSelect = {
    kind: 'select',
    distinct: node.distinct,
    items: items.map((item) => item.expression),
    ...(from === undefined ? {} : { from: from.relation }),
    ...(where === undefined ? {} : { where }),
    groupBy,
    aggregated,
    ...(having === undefined ? {} : { having }),
  };
  const over = overGroups(body, orderBy, lifted, binding);
  return { body: over.select, columns: items.map(columnOfItem), open, orderBy: over.orderBy };
}

/** Clauses that choose rows: no aggregates unless allowed, no windows, and for callers no sensitive columns. */
function conditionSite(where: string): Site {
  return { where, aggregates: 'refused', windows: false, queries: true, sensitive: 'refused' };
}

function bindItems(node: Select, context: ExpressionContext): readonly SelectedItem[] {
  const { binding } = context;
  return node.items.flatMap((item): readonly SelectedItem[] => {
    if (item.kind === 'SelectStar') return expandStar(item, context);
    const bound = bindExpression(item.expression, context);
    const expression = maskedItem(convert(bound, resultType(bound.type), binding), binding);
    binding.spans.set(expression, item.expression.span);
    const name = item.alias?.text ?? outputName(item.expression);
    return [{ name, expression, node: item.expression }];
  });
}

function columnOfItem({ name, expression }: SelectedItem): Column {
  return { name, type: expression.type, nullable: expression.nullable, sensitive: expression.sensitive };
}

function refuseSensitiveDistinct(node: Select, items: readonly SelectedItem[], binding: Binding): void {
  if (binding.sensitivity !== 'masks') return;
  const item = items.find((candidate) => candidate.expression.sensitive);
  if (item !== undefined)
    binding.report(diagnose('E0702', item.node?.span ?? node.span, { column: item.name, where: 'DISTINCT' }));
}

/** `*` and `t.*`: all columns except hidden ones; in a join the columns merged by USING come first and once, and `t.*` has them in the order of t. */
function expandStar(node: SelectStar, context: ExpressionContext): readonly SelectedItem[] {
  const { scope, binding } = context;
  const { qualifier } = node;
  if (qualifier === undefined) {
    if (scope.relations.length === 0) binding.report(diagnose('E0612', node.span, {}));
    if (!fitsColumns('starred', scope.joined.length, node, binding)) return [];
    return scope.joined
      .filter((column) => column.kind === 'merged' || column.column.hidden !== true)
      .map((column) => item(column.name, columnOfJoined(column, scope.relations, binding)));
  }
  const relation = relationNamed(qualifier.text, scope)?.relation;
  if (relation !== undefined) return columnsOf(relation);
  const known = scope.relations.flatMap((candidate) => candidate.name ?? []);
  binding.report(
    diagnose('E0213', qualifier.span, { name: qualifier.text, nearest: nearestNames(qualifier.text, known), known }),
  );
  return [];

  function columnsOf(from: RelationScope): readonly SelectedItem[] {
    if (!fitsColumns('starred', from.columns.length, node, binding)) return [];
    return from.columns
      .filter((column) => column.hidden !== true)
      .map((column) => item(column.name, columnOfScope(from, column, binding)));
  }
  function item(name: string, expression: SelectedItem['expression']): SelectedItem {
    const masked = maskedItem(expression, binding);
    binding.spans.set(masked, node.span);
    return { name, expression: masked };
  }
}

/** GROUP BY: expressions, positions, and names; a name is first a column, then an alias of the select list, as in PostgreSQL. */
function bindGroupBy(
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
