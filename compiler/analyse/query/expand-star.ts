import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { SelectStar } from '../../syntax/ast.ts';
import { columnOfJoined, columnOfScope, relationNamed } from '../expression/bind-column.ts';
import { maskedItem } from '../sensitive/mask.ts';
import type { SelectedItem } from './bind-select.ts';
import type { ExpressionContext } from './binding.ts';
import type { RelationScope } from './scope.ts';

/** `*` and `t.*`: all columns except hidden ones; in a join the columns merged by USING come first and once, and `t.*` has them in the order of t. */
export function expandStar(node: SelectStar, context: ExpressionContext): readonly SelectedItem[] {
  const { scope, binding } = context;
  const { qualifier } = node;
  if (qualifier === undefined) {
    if (scope.relations.length === 0) binding.report(diagnose('E0612', node.span, {}));
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
