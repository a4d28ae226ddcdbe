import type { ImportPart, Part } from './module.ts';

/** The names that the parts that are the same for every schema take. */
export const ownNames = [
  'Client',
  'ClientCommands',
  'ClientState',
  'ClientEvents',
  'ClientFollow',
  'ClientProjections',
  'ClientInspect',
  'ClientSubscriptions',
  'ClientError',
  'ClientErrorKind',
  'ClientOptions',
  'CommandOptions',
  'CommandResult',
  'Condition',
  'EachOptions',
  'EmittedEvent',
  'EventOptions',
  'FailedCommand',
  'FailedGuard',
  'GuardTerm',
  'Followed',
  'Inspect',
  'Inspected',
  'InspectOptions',
  'FollowOptions',
  'Handed',
  'HandedRow',
  'Moment',
  'NextOptions',
  'Refusal',
  'Rehearsal',
  'RehearsedDecision',
  'RehearsedDifference',
  'RehearsedOutcome',
  'RehearsedProjection',
  'RehearseOptions',
  'RejectedCommand',
  'Rejection',
  'Rows',
  'SortBy',
  'StoredEvent',
  'Subscribed',
  'TableOptions',
  'Tags',
];

/** What users of a client need of those parts. */
export const reexports: readonly Part[] = [
  { kind: 'reexport', from: './client/client-error.js', types: false, names: [{ name: 'ClientError' }] },
  { kind: 'reexport', from: './client/client-error.js', types: true, names: [{ name: 'ClientErrorKind' }] },
  ...[
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
  ].map(([from, names]): Part => ({
    kind: 'reexport',
    from: from as string,
    types: true,
    names: (names as readonly string[]).map((name) => ({ name })),
  })),
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
