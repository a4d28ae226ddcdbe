import { diagnose } from '../../diagnostics/diagnose.ts';
import { nearestNames } from '../../diagnostics/suggestion.ts';
import type { SelectStar } from '../../syntax/ast.ts';
import { columnOfScope } from '../expression/bind-column.ts';
import { maskedItem } from '../sensitive/mask.ts';
import type { SelectedItem } from './bind-select.ts';
import type { ExpressionContext } from './binding.ts';
import type { RelationScope } from './scope.ts';

/** `*` and `t.*`: all columns but hidden ones; columns that USING merged come first and once. */
export function expandStar(node: SelectStar, context: ExpressionContext): readonly SelectedItem[] {
  const { scope, binding } = context;
  const { qualifier } = node;
  if (qualifier === undefined) {
    if (scope.relations.length === 0) binding.report(diagnose('E0612', node.span, {}));
    const merged = scope.merged.map(({ name, expression }) => item(name, expression));
    return [...merged, ...scope.relations.flatMap((relation) => columnsOf(relation, hiddenBy(relation)))];
  }
  const wanted = qualifier.text.toLowerCase();
  const relation = scope.relations.find((candidate) => candidate.name?.toLowerCase() === wanted);
  if (relation !== undefined) return columnsOf(relation, () => false);
  const known = scope.relations.flatMap((candidate) => candidate.name ?? []);
  binding.report(
    diagnose('E0213', qualifier.span, { name: qualifier.text, nearest: nearestNames(qualifier.text, known), known }),
  );
  return [];

  function columnsOf(from: RelationScope, skip: (name: string) => boolean): readonly SelectedItem[] {
    return from.columns
      .filter((column) => column.hidden !== true && !skip(column.name))
      .map((column) => item(column.name, columnOfScope(from, column, binding)));
  }
  function hiddenBy(from: RelationScope): (name: string) => boolean {
    return (name) =>
      scope.merged.some((m) => m.name.toLowerCase() === name.toLowerCase() && m.relations.includes(from.id));
  }
  function item(name: string, expression: SelectedItem['expression']): SelectedItem {
    const masked = maskedItem(expression, binding);
    binding.spans.set(masked, node.span);
    return { name, expression: masked, aliased: false };
  }
}
