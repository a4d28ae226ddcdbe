import type { DescribedDomain } from './described.ts';
import type { Named } from './row-schemas.ts';

/** Groups of routes by the beginning of their paths. The names of aggregates have no spaces, so no aggregate has the name of a group. */
const groups: readonly (readonly [prefix: string, name: string, description: string])[] = [
  ['/api/events', 'All events', 'The events of all aggregates in the order of the log'],
  ['/api/archive', 'Archive', 'Events for an archive elsewhere'],
  ['/api/projections/', 'Projection queries', 'The rows of projections'],
  ['/api/subscriptions', 'Subscriptions', 'Rows for consumers that acknowledge them'],
  ['/api/reactions', 'Reactions', 'What answers events with commands, and what it still has to do'],
  ['/api/reg/', 'Block registry', 'The registered blocks, as tables'],
  ['/api/lang/', 'Schema text', 'The registry as text: all of it, or additions to it'],
  ['/api/query', 'SQL console', 'Read-only queries'],
  ['/api/inspect', 'Inspections', 'What commands would do, and what projections would show'],
  ['', 'This server', 'Whether it runs, and what it is'],
];

/** The group of an operation: its aggregate, or the group of its path. */
export function tagOf(path: string, { aggregate, decision }: Named): string {
  return aggregate?.name ?? decision?.aggregate ?? groups.find(([prefix]) => path.startsWith(prefix))?.[1] ?? '';
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The groups of a document that has these tags. */
export function tagsOf(used: ReadonlySet<string>, { aggregates }: DescribedDomain): readonly Tag[] {
  return [
    ...aggregates.map(({ name, docs }) => ({
      name,
      description: docs?.block ?? `State, events and commands of the aggregate ${name}`,
    })),
    ...groups.map(([, name, description]) => ({ name, description })),
  ].filter(({ name }) => used.has(name));
}
