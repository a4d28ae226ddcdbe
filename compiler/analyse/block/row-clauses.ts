import type { CallerCondition, RowClauses } from '../../../language/catalog/block.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Expression, RowClauseNodes } from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print.ts';
import type { BlockContext } from '../environment/environment.ts';
import { bindCondition } from '../expression/bind-condition.ts';
import type { Site } from '../query/binding.ts';
import { createBinding } from '../query/create-binding.ts';
import { scopeOver } from '../query/scope.ts';

/** VISIBLE and CLEAR of a relation (docs/callers.md#visible): conditions over its columns, which are those of relation 0. */
export function rowClausesOf(
  { visible, clear }: RowClauseNodes,
  relation: { readonly name: string; readonly columns: readonly Column[] },
  context: BlockContext,
): RowClauses {
  const conditionOf = (node: Expression, where: 'VISIBLE' | 'CLEAR'): CallerCondition => {
    const binding = createBinding(context.environment, context.report, { fixed: where, callers: 'before columns' });
    const id = binding.nextId();
    const scope = scopeOver({ id, ...relation, open: false, optional: false });
    const site: Site = { where, aggregates: 'refused', windows: false, queries: true, sensitive: 'masked' };
    return { text: printExpression(node), condition: bindCondition(node, { binding, scope, site }) };
  };
  const condition = visible?.condition;
  return {
    ...(visible === undefined ? {} : { visible: condition === undefined ? 'all' : conditionOf(condition, 'VISIBLE') }),
    ...(clear === undefined ? {} : { clear: conditionOf(clear, 'CLEAR') }),
  };
}
