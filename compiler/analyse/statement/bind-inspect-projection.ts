import type { ProjectionBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { InspectProjection } from '../../syntax/ast.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';
import { isRegistrySchema } from '../name/name-rules.ts';
import { bindQuery } from '../query/bind-query.ts';
import { createBinding } from '../query/create-binding.ts';
import { resolveRelation, type ResolvedRelation } from '../query/resolve-relation.ts';
import { emptyScope } from '../query/scope.ts';
import type { BindScope, Bound, BoundInspectProjection, Registry } from '../environment/registry.ts';
import { callerBinding } from './bind-query.ts';
import { boundWith } from './bound.ts';
import { checkInspectStore, checkSource, sessionTarget } from './inspect-names.ts';
import { createStandIn } from './stand-in.ts';

/**
 * INSPECT PROJECTION (docs/language.md#inspections): the projection's own query, bound again with the source in place of its event
 * relations. The query is schema text, so marks follow its values; WHERE is the caller's own, so it may not use sensitive columns.
 */
export function bindInspectProjection(
  registry: Registry,
  statement: InspectProjection,
  scope: BindScope,
): Bound<BoundInspectProjection> {
  return boundWith((report) => {
    const caller = callerBinding(registry, scope, report);
    const { environment } = caller;
    const found = environment.find('projection', statement.projection.text);
    if (found.status !== 'found') reportUnknownBlock('projection', statement.projection, environment, report);
    checkInspectStore(statement.store, environment, report);
    const source = resolveRelation(statement.source, caller, emptyScope);
    if (!source.open) checkSource(statement.source, report);
    if (found.status !== 'found' || source.open) return undefined;
    const projection = found.block;
    const { target } = statement;
    const own = target.name.text.toLowerCase() === projection.name.toLowerCase();
    const rebuild =
      statement.schema === undefined && target.schema !== undefined && isRegistrySchema(target.schema.text) && own;
    const into = rebuild ? projection.name : sessionTarget(target, report);
    const problem = sourceProblem(source, projection, statement.source.name.text);
    if (problem !== undefined) {
      report(diagnose('E0910', statement.source.span, { projection: projection.name, problem }));
      return undefined;
    }
    const tree = environment.tree('projection', projection.name);
    if (tree?.kind !== 'CreateProjection' || into === undefined) return undefined;
    const standIn = createStandIn(source, statement, projection, caller);
    const binding = createBinding(environment, report, {
      nextId: caller.nextId,
      spans: caller.spans,
      fixed: 'a projection',
      standIn,
    });
    const { query, open } = bindQuery(tree.query, binding, emptyScope, { ordered: true });
    return open ? undefined : { projection: projection.name, query, target: into, rebuild };
  });
}

/** The source must hold events of an aggregate that the projection reads. */
function sourceProblem(source: ResolvedRelation, projection: ProjectionBlock, name: string): string | undefined {
  if (source.events === undefined) return `'${name}' holds no events`;
  const reads = source.source.kind !== 'events' || projection.aggregates.includes(source.source.aggregate);
  return reads ? undefined : `it does not read '${name}'`;
}
