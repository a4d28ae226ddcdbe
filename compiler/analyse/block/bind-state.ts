import type { DecisionBlock } from '../../../language/catalog/block.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Name, Query } from '../../syntax/ast.ts';
import { alwaysOneRow } from '../expression/bind-subquery.ts';
import { bindQuery } from '../query/bind-query.ts';
import type { Binding } from '../query/binding.ts';
import { checkDistinctNames } from '../query/column-list.ts';
import { emptyScope } from '../query/scope.ts';
import { checkExpansion } from './check-expansion.ts';
import { stateDefaults } from './state-defaults.ts';

export interface BoundState {
  readonly query: BoundQuery;
  /** As seen by guards and assignments. */
  readonly columns: readonly Column[];
  readonly open: boolean;
  readonly defaults: DecisionBlock['stateDefaults'];
}

interface Owner {
  readonly kind: 'decision' | 'reaction';
  readonly name: Name;
}

/** STATE of a decision or a reaction: any query over the registry and `:field`. Its columns are read by name. */
export function bindState(node: Query, owner: Owner, binding: Binding): BoundState {
  const { query, open } = bindQuery(node, binding, emptyScope, { ordered: true });
  if (!open) {
    checkDistinctNames(
      query.columns,
      { ...owner.name, text: `STATE of ${owner.name.text}`, span: node.span },
      binding,
      node,
    );
    checkExpansion(owner, query, binding.environment, binding.report);
  }
  const defaults = open ? undefined : stateDefaults(query, binding.environment);
  return { query, columns: stateColumns(query, defaults?.answered ?? []), open, defaults: defaults?.lookup };
}

/** Without a row every column is NULL, unless there is always a row, or DEFAULTs replace it. */
function stateColumns(query: BoundQuery, answered: readonly number[]): readonly Column[] {
  const always = alwaysOneRow(query);
  return query.columns.map((column, index) => {
    return always || answered.includes(index) ? column : { ...column, nullable: true };
  });
}
