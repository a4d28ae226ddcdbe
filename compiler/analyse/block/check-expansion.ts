import type { BoundQuery, RelationSource } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Name } from '../../syntax/ast.ts';
import type { Environment } from '../environment/environment.ts';
import { expansionOf, mostReferences } from '../query/expansion.ts';
import { readRelations } from '../typed/walk.ts';

/**
 * Checks how many relations a definition names when written out (`expansionOf`). Exceeding the limit is an error, reported only for the
 * first block of a chain; for a previously accepted definition it is a warning.
 */
export function checkExpansion(
  owner: { readonly kind: 'projection' | 'decision' | 'reaction'; readonly name: Name },
  query: BoundQuery,
  environment: Environment,
  report: Report,
): number {
  const within = (source: RelationSource): number => expansionBehind(source, environment);
  const count = expansionOf(query, within);
  if (count <= mostReferences) return count;
  const rests = readRelations(query).some(({ source }) => within(source) > mostReferences);
  if (rests) return count;
  const params = {
    block: `${owner.kind} '${owner.name.text}'`,
    count,
    limit: mostReferences,
    multiplied: multiplied(query, environment),
  };
  report(diagnose(environment.accepted ? 'E0631' : 'E0630', owner.name.span, params));
  return count;
}

function expansionBehind(source: RelationSource, environment: Environment): number {
  if (source.kind === 'projection') {
    const read = environment.find('projection', source.projection);
    return read.status === 'found' ? read.block.expansion : 0;
  }
  if (source.kind !== 'state') return 0;
  const read = environment.find('aggregate', source.aggregate);
  return read.status === 'found' ? expansionOf(read.block.state, () => 0) : 0;
}

/** Maximum number of multiplying projections that a message lists. */
const shown = 4;

/** The projection that adds most to the query, how often it is named there, and the same for its own query. */
function multiplied(query: BoundQuery, environment: Environment): readonly string[] {
  const found: string[] = [];
  let reading: BoundQuery | undefined = query;
  while (reading !== undefined && found.length < shown) {
    const times = new Map<string, number>();
    for (const { source } of readRelations(reading))
      if (source.kind === 'projection') times.set(source.projection, (times.get(source.projection) ?? 0) + 1);
    const added = ([name, count]: readonly [string, number]): number =>
      count * (1 + expansionBehind({ kind: 'projection', projection: name }, environment));
    const [most] = [...times].sort((a, b) => added(b) - added(a));
    if (most === undefined) break;
    const [name, count] = most;
    if (count > 1) found.push(`'${name}' ${count} times`);
    const read = environment.find('projection', name);
    reading = read.status === 'found' ? read.block.query : undefined;
  }
  return found;
}
