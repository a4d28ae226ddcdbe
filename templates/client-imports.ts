import type { ImportPart, Part } from './module.ts';

/** The types of those parts that users of a client need. */
const offeredTypes: readonly (readonly [from: string, names: readonly string[]])[] = [
  ['./client/client-error.js', ['ClientErrorKind']],
  ['./client/execute.js', ['CommandResult', 'EmittedEvent', 'FailedGuard', 'GuardTerm', 'Rejection']],
  ['./client/events.js', ['StoredEvent']],
  [
    './client/inspect.js',
    [
      'EachOptions',
      'FailedCommand',
      'Inspect',
      'Inspected',
      'InspectOptions',
      'Rehearsal',
      'RehearsedDecision',
      'RehearsedDifference',
      'RehearsedOutcome',
      'RehearsedProjection',
      'RehearseOptions',
      'RejectedCommand',
    ],
  ],
  [
    './client/options.js',
    [
      'ClientOptions',
      'CommandOptions',
      'Condition',
      'EventOptions',
      'Followed',
      'FollowOptions',
      'Handed',
      'HandedRow',
      'Moment',
      'NextOptions',
      'Refusal',
      'Rows',
      'SortBy',
      'Subscribed',
      'TableOptions',
      'Tags',
    ],
  ],
];

/** Parts that are the same for every schema and that users of a client need. */
export const reexports: readonly Part[] = [
  { kind: 'reexport', from: './client/client-error.js', types: false, names: [{ name: 'ClientError' }] },
  ...offeredTypes.map(([from, names]): Part => ({
    kind: 'reexport',
    from,
    types: true,
    names: names.map((name) => ({ name })),
  })),
];

/** The names that a client has for every schema. */
export const ownNames: readonly string[] = [
  'Client',
  'ClientCommands',
  'ClientState',
  'ClientEvents',
  'ClientFollow',
  'ClientProjections',
  'ClientInspect',
  'ClientSubscriptions',
  'ClientError',
  ...offeredTypes.flatMap(([, names]) => names),
];

/** Imports only the functions that the groups use. */
export function clientImports(groups: readonly string[], holdsEvents: boolean): readonly ImportPart[] {
  const asks = (...wanted: readonly string[]): boolean => wanted.some((group) => groups.includes(group));
  const imported = (from: string, types: boolean, ...names: readonly (string | false)[]): readonly ImportPart[] => {
    const kept = names.filter((name) => name !== false);
    return kept.length === 0 ? [] : [{ from, types, names: kept.map((name) => ({ name })) }];
  };
  return [
    ...imported('./client/connection.js', false, groups.length > 0 && 'connect'),
    ...imported('./client/events.js', false, asks('events') && 'events'),
    ...imported('./client/events.js', true, holdsEvents && 'StoredEvent'),
    ...imported('./client/execute.js', false, asks('commands') && 'execute'),
    ...imported(
      './client/execute.js',
      true,
      ...(asks('commands') ? ['CommandResult', 'EmittedEvent', 'Rejection'] : []),
    ),
    ...imported('./client/inspect.js', false, ...(asks('commands') ? ['inspect', 'rehearse'] : [])),
    ...imported(
      './client/inspect.js',
      true,
      ...(asks('commands') ? ['Inspect', 'Inspected', 'Rehearsal', 'RehearseOptions'] : []),
    ),
    ...imported('./client/follow.js', false, asks('events') && 'follow'),
    ...imported(
      './client/options.js',
      true,
      'ClientOptions',
      asks('commands') && 'CommandOptions',
      asks('events') && 'EventOptions',
      asks('events') && 'Followed',
      asks('events') && 'FollowOptions',
      asks('state', 'events', 'projections') && 'Rows',
      asks('subscriptions') && 'Subscribed',
      asks('state', 'projections') && 'TableOptions',
    ),
    ...imported('./client/rows.js', false, asks('state', 'projections') && 'rows'),
    ...imported('./client/subscription.js', false, asks('subscriptions') && 'subscribed'),
  ];
}
