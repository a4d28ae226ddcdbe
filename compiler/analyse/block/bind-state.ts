import type { DecisionBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery, BoundRelation } from '../../../language/catalog/query.ts';
import type { Column } from '../../../language/contract/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Name, Query } from '../../syntax/ast.ts';
import { alwaysOneRow } from '../expression/bind-subquery.ts';
import { bindQuery } from '../query/bind-query.ts';
import type { Binding } from '../query/binding.ts';
import { checkDistinctNames } from '../query/column-list.ts';
import { emptyScope } from '../query/scope.ts';
import { walkExpression } from '../typed/walk.ts';
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
    const relation = unkeyed(query);
    if (relation !== undefined) binding.report(diagnose('E0435', node.span, { owner: owner.name.text, relation }));
  }
  const defaults = open ? undefined : stateDefaults(query, binding.environment);
  return { query, columns: stateColumns(query, defaults?.answered ?? []), open, defaults: defaults?.lookup };
}

/** Parts of a condition that can choose one row; columns alone choose among all rows of their relations. */
const choosing: ReadonlySet<TypedExpression['kind']> = new Set([
  'argument',
  'caller',
  'literal',
  'in-query',
  'exists',
  'scalar-query',
]);

/** The events or states of which a query reads every row, because no condition compares them with a value. */
function unkeyed(query: BoundQuery): string | undefined {
  const { body, limit } = query;
  if (body.kind !== 'select' || body.from === undefined || limit !== undefined || alwaysOneRow(query)) return undefined;
  const conditions = [body.where, body.having];
  const rowsOf = (from: BoundRelation): readonly (string | undefined)[] => {
    if (from.kind === 'derived') return [undefined];
    if (from.kind === 'relation') {
      const { source } = from;
      if (source.kind === 'state') return [`${source.aggregate}$Agg`];
      return [source.kind === 'events' ? `${source.aggregate}$Events` : undefined];
    }
    conditions.push(from.on);
    return [...rowsOf(from.left), ...rowsOf(from.right)];
  };
  const relations = rowsOf(body.from);
  let isChosen = relations.includes(undefined);
  for (const condition of conditions)
    if (condition !== undefined)
      walkExpression(condition, ({ kind }) => {
        if (choosing.has(kind)) isChosen = true;
        return !isChosen;
      });
  return isChosen ? undefined : relations[0];
}

/** Without a row every column is NULL, unless there is always a row, or DEFAULTs replace it. */
function stateColumns(query: BoundQuery, answered: readonly number[]): readonly Column[] {
  const always = alwaysOneRow(query);
  return query.columns.map((column, index) => {
    return always || answered.includes(index) ? column : { ...column, nullable: true };
  });
}
