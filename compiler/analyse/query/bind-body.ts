import type { Column } from '../../../language/contract/query.ts';
import type { BoundBody, SortKey } from '../../../language/catalog/query.ts';
import type { OrderItem, Query, QueryBody } from '../../syntax/ast.ts';
import { bindQuery } from './bind-query.ts';
import { bindSelect } from './bind-select.ts';
import { bindSetOperation } from './bind-set-operation.ts';
import { bindValues } from './bind-values.ts';
import type { Binding } from './binding.ts';
import type { Scope } from './scope.ts';

export interface BodyOutcome {
  readonly body: BoundBody;
  readonly columns: readonly Column[];
  readonly open: boolean;
  /** A SELECT binds its own ORDER BY, which may use columns that are not selected. */
  readonly orderBy?: readonly SortKey[];
}

export function bindBody(node: QueryBody, binding: Binding, scope: Scope, orderBy: readonly OrderItem[]): BodyOutcome {
  switch (node.kind) {
    case 'Select':
      return bindSelect(node, orderBy, binding, scope);
    case 'SetOperation':
      return bindSetOperation(node, binding, scope);
    case 'Values':
      return bindValues(node, binding, scope);
    case 'Query':
      return bindInnerQuery(node, binding, scope);
  }
}

function bindInnerQuery(node: Query, binding: Binding, scope: Scope): BodyOutcome {
  const { query, open } = bindQuery(node, binding, scope, { ordered: false });
  return { body: { kind: 'query', query }, columns: query.columns, open };
}
