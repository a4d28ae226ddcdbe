import type { ProjectionBlock } from '../../../language/catalog/block.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { CreateProjection } from '../../syntax/ast.ts';
import { printQuery } from '../../syntax/print.ts';
import type { BlockContext, Environment } from '../incremental/environment.ts';
import { bindQuery } from '../query/bind-query.ts';
import { checkDistinctNames, checkStorable } from '../query/column-list.ts';
import { createBinding } from '../query/create-binding.ts';
import { withHiddenKeys } from '../query/hidden-keys.ts';
import { emptyScope } from '../query/scope.ts';
import { checkExpansion } from './check-expansion.ts';
import { readRelations } from '../query/walk.ts';

/** PROJECTION (docs/language.md#projection): a query over the registry, with columns that can be read by name. */
export function checkProjection(tree: CreateProjection, context: BlockContext): ProjectionBlock | undefined {
  const { environment, report } = context;
  const binding = createBinding(environment, report, { fixed: 'a projection' });
  const { query, open } = bindQuery(tree.query, binding, emptyScope, { ordered: true });
  if (open) return undefined;
  checkDistinctNames(query.columns, tree.name, binding, tree.query);
  checkStorable(query.columns, tree.name, binding);
  return {
    kind: 'projection',
    name: tree.name.text,
    text: context.text,
    references: context.references(),
    query: withHiddenKeys(query),
    queryText: printQuery(tree.query),
    aggregates: aggregatesRead(query, environment),
    expansion: checkExpansion({ kind: 'projection', name: tree.name }, query, environment, report),
  };
}

/** Aggregates behind a query, directly or through projections, sorted. */
export function aggregatesRead(query: BoundQuery, environment: Environment): readonly string[] {
  const found = new Set<string>();
  for (const { source } of readRelations(query)) {
    if (source.kind === 'events' || source.kind === 'state') found.add(source.aggregate);
    if (source.kind !== 'projection') continue;
    const read = environment.find('projection', source.projection);
    if (read.status === 'found') for (const aggregate of read.block.aggregates) found.add(aggregate);
  }
  return Array.from(found).sort();
}
