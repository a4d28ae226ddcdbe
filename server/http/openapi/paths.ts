/** The paths of a document: the rows of the route table, with the names of registered blocks in place of the parameters that take them. */
import type { Route } from '../route.ts';
import type { Components } from './components.ts';
import type { DescribedDomain, DescribedServer } from './described.ts';
import { operationOf } from './operation.ts';
import type { Operation } from './document.ts';
import type { Named } from './row-schemas.ts';

type Paths = Record<string, Record<string, Operation>>;

/**
 * A path with a parameter for an aggregate, a command or a projection would say nothing of its rows, and would name the same requests as
 * those with names (`/aggregates/{agg}/state` and `/aggregates/Bike/{id}`), so each is there with each name instead.
 */
export function pathsOf(
  server: DescribedServer,
  domain: DescribedDomain,
  routes: readonly Route[],
  components: Components,
): Paths {
  const paths: Paths = {};
  for (const route of routes)
    for (const { id, path, named } of placesOf(route, domain)) {
      const operation = operationOf({ ...route, path }, id, named, { server, domain, components });
      (paths[path] ??= {})[route.method.toLowerCase()] = operation;
    }
  return paths;
}

interface DescribedPlace {
  readonly id: string;
  readonly path: string;
  readonly named: Named;
}

function placesOf(
  route: Route,
  { aggregates, decisions, projections, subscriptions, reactions }: DescribedDomain,
): readonly DescribedPlace[] {
  const fill = (id: string, names: Readonly<Record<string, string>>, named: Named): DescribedPlace => ({
    id,
    path: route.path.replaceAll(/\{(\w+)\}/g, (whole, key: string) => names[key] ?? whole),
    named,
  });
  if (route.path.includes('{command}'))
    return decisions.map((decision) => {
      const { command, aggregate } = decision;
      return fill(`${route.name}_${command}`, { agg: aggregate, command }, { decision });
    });
  if (route.path.includes('{agg}'))
    return aggregates.map((aggregate) =>
      fill(`${route.name}_of_${aggregate.name}`, { agg: aggregate.name }, { aggregate }),
    );
  if (route.path.startsWith('/api/projections/{name}'))
    return projections.map((projection) =>
      fill(`${route.name}_${projection.name}`, { name: projection.name }, { projection }),
    );
  if (route.path.startsWith('/api/subscriptions/{name}'))
    return subscriptions.map((subscription) =>
      fill(`${route.name}_${subscription.name}`, { name: subscription.name }, { subscription }),
    );
  if (route.path.startsWith('/api/reactions/{name}'))
    return reactions.map((reaction) => fill(`${route.name}_${reaction.name}`, { name: reaction.name }, { reaction }));
  return [{ id: route.name, path: route.path, named: {} }];
}
