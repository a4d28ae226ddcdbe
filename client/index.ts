/**
 * `schemac/client`: the part of generated clients that is the same for every schema. Runs in browsers and in Node, and
 * imports nothing else of the package; apache-arrow is loaded when the first table is read as Arrow.
 */
export { ClientError, type ClientErrorKind } from './client-error.ts';
export { connect } from './connection.ts';
export { events, type StoredEvent } from './events.ts';
export {
  execute,
  type CommandResult,
  type EmittedEvent,
  type FailedGuard,
  type GuardTerm,
  type Rejection,
} from './execute.ts';
export { follow } from './follow.ts';
export {
  inspect,
  rehearse,
  type EachOptions,
  type FailedCommand,
  type Inspect,
  type Inspected,
  type InspectOptions,
  type Rehearsal,
  type RehearsedDecision,
  type RehearsedDifference,
  type RehearsedOutcome,
  type RehearsedProjection,
  type RehearseOptions,
  type RejectedCommand,
} from './inspect.ts';
export type {
  ClientOptions,
  CommandOptions,
  Condition,
  EventOptions,
  Followed,
  FollowOptions,
  HiddenStream,
  Handed,
  HandedRow,
  Moment,
  NextOptions,
  Refusal,
  Rows,
  SortBy,
  Subscribed,
  TableOptions,
  Tags,
} from './options.ts';
export { rows } from './rows.ts';
export { subscribed } from './subscription.ts';
