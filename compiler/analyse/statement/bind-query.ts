import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { defined } from '../../../language/values/defined.ts';
import type { Query } from '../../syntax/ast.ts';
import type { Environment } from '../environment/environment.ts';
import { bindQuery as bindQueryTree } from '../query/bind-query.ts';
import type { Binding } from '../query/binding.ts';
import { createBinding } from '../query/create-binding.ts';
import { emptyScope } from '../query/scope.ts';
import type { BindScope, Bound, Registry } from '../environment/registry.ts';
import { registryEnvironment } from '../incremental/registry-environment.ts';
import { boundWith } from './bound.ts';
import { checkLimits } from './check-limits.ts';

/**
 * A caller's own query (docs/language.md#sensitive-values): over the registry and the tables of the scope, with masks for a caller without
 * `sensitive:read`. Its columns keep their marks, so that no reader of the result can bypass them.
 */
export function bindQuery(registry: Registry, query: Query, scope: BindScope): Bound<BoundQuery> {
  return boundWith((report) => {
    if (!withinLimits(query, scope, report)) return undefined;
    const { query: bound, open } = bindQueryTree(query, callerBinding(registry, scope, report), emptyScope, {
      ordered: true,
    });
    return open ? undefined : bound;
  });
}

export function withinLimits(query: Query, scope: BindScope, report: Report): boolean {
  return scope.limits === undefined || checkLimits(query, scope.limits, report);
}

/** The binding of a caller's text. */
export function callerBinding(
  registry: Registry,
  scope: BindScope,
  report: Report,
  more: Partial<Binding> = {},
): Binding {
  const { storeRegistry, access, recordUse, commandColumns, given, spans } = scope;
  const environmentOf = (known: Registry): Environment => ({
    ...registryEnvironment(known, scope.lenientPayload),
    ...(recordUse === undefined ? {} : { recordUse }),
  });
  return createBinding(environmentOf(registry), report, {
    callers: 'after columns',
    sensitivity: scope.cleared ? 'clear' : 'masks',
    tables: scope.tables,
    ...defined<Partial<Binding>>({ access, commandColumns, given, spans }),
    ...(storeRegistry === undefined ? {} : { storeEnvironment: (store) => environmentOf(storeRegistry(store)) }),
    ...more,
  });
}
