/**
 * The binders of statements outside the schema. Each takes the registry, a tree and the names that the caller may see; gives the statement
 * with everything in it resolved and typed, or diagnostics.
 */
export { bindCaller } from './statement/bind-caller.ts';
export { bindExecute } from './statement/bind-execute.ts';
export { bindInspectDecision } from './statement/bind-inspect-decision.ts';
export { bindInspectProjection } from './statement/bind-inspect-projection.ts';
export { bindInspectReaction } from './statement/bind-inspect-reaction.ts';
export { bindMoment, type BoundMoment } from './statement/bind-moment.ts';
export { bindQuery } from './statement/bind-query.ts';
export { storesNamed } from './statement/stores-named.ts';
export { bindTable } from './statement/bind-table.ts';
