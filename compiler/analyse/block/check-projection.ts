import type { ProjectionBlock } from '../../../language/catalog/block.ts';
import type { BoundQuery, BoundSelect, SortKey } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { CreateProjection } from '../../syntax/ast.ts';
import { printQuery } from '../../syntax/print.ts';
import type { BlockContext } from '../environment/environment.ts';
import { aggregatesRead, blockBehind } from '../query/aggregates-read.ts';
import { bindQuery } from '../query/bind-query.ts';
import { checkDistinctNames, checkStorable } from '../query/column-list.ts';
import { createBinding } from '../query/create-binding.ts';
import { emptyScope } from '../query/scope.ts';
import { readRelations } from '../typed/walk.ts';
import { announcedClauses } from './row-clauses.ts';
import { checkExpansion } from './check-expansion.ts';
import type { Column } from '../../../language/contract/query.ts';

/** PROJECTION (docs/language.md#projection): a query over the registry, with columns that can be read by name. */
export function checkProjection(tree: CreateProjection, context: BlockContext): ProjectionBlock | undefined {
  const { environment, report } = context;
  const binding = createBinding(environment, report, { fixed: 'a projection' });
  const { query, open } = bindQuery(tree.query, binding, emptyScope, { ordered: true });
  if (open) return undefined;
  checkDistinctNames(query.columns, tree.name, binding, tree.query);
  checkStorable(query.columns, tree.name, binding);
  if (tree.visible === undefined) checkNothingGuarded(tree, query, context);
  return {
    kind: 'projection',
    name: tree.name.text,
    text: context.text,
    references: context.references(),
    query: withHiddenKeys(query),
    queryText: printQuery(tree.query),
    aggregates: aggregatesRead(query, environment),
    expansion: checkExpansion({ kind: 'projection', name: tree.name }, query, environment, report),
    ...announcedClauses(tree),
  };
}

/** Without VISIBLE a projection shows all of its rows to all callers that may read it, also where they come from rows that are hidden. */
function checkNothingGuarded(tree: CreateProjection, query: BoundQuery, { environment, report }: BlockContext): void {
  for (const { source } of readRelations(query)) {
    const read = blockBehind(source, environment);
    if (read?.visible === undefined) continue;
    report(diagnose('E0721', tree.name.span, { projection: tree.name.text, read: read.name }));
    return;
  }
}

/**
 * A projection's query with every sort key among its columns: a key that is not selected becomes a hidden column `order$1`, … (`$` differs
 * from all names that can be declared). A query over the projection can then keep its order.
 */
function withHiddenKeys(query: BoundQuery): BoundQuery {
  const { body } = query;
  if (body.kind !== 'select' || body.distinct || query.orderBy.every((key) => key.by === 'output')) return query;
  const columns: Column[] = [...query.columns];
  const items = [...body.items];
  const orderBy = query.orderBy.map((key, index): SortKey => {
    if (key.by === 'output') return key;
    const { type, nullable, sensitive } = key.expression;
    columns.push({ name: `order$${index + 1}`, type, nullable, sensitive, hidden: true });
    items.push(key.expression);
    return { direction: key.direction, nulls: key.nulls, by: 'output', index: items.length - 1 };
  });
  const select: BoundSelect = { ...body, items };
  return { ...query, columns, body: select, orderBy };
}
