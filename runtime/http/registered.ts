import type { AggregateDefinition, ProjectionDefinition } from '../contract/relation.ts';
import type { Domain } from '../contract/domain.ts';
import { Problem } from './problem.ts';

/** The aggregate that a path names, exactly; 404 when there is none. */
export function aggregateOf(domain: Domain, name: string | undefined): AggregateDefinition {
  const found = domain.aggregates.find((aggregate) => aggregate.name === name);
  if (found === undefined) throw new Problem(404, `there is no aggregate '${name}'`);
  return found;
}

/** The projection that a path names, exactly; 404 when there is none. */
export function projectionOf(domain: Domain, name: string | undefined): ProjectionDefinition {
  const found = domain.projections.find((projection) => projection.name === name);
  if (found === undefined) throw new Problem(404, `there is no projection '${name}'`);
  return found;
}
