import type { BlockKind } from './block-kind.ts';
import type { ClaimDefinition } from './caller.ts';
import type { CommandDefinition } from './command.ts';
import type { DecisionDefinition } from './decision.ts';
import type { EventDefinition } from './event.ts';
import type { ReactionDefinition } from './reaction.ts';
import type { ReadModelDefinition } from './read-model.ts';
import type { SubscriptionDefinition } from './subscription.ts';
import type { AggregateDefinition, ProjectionDefinition } from './relation.ts';

/** A block as the registry in the log knows it. */
export interface RegisteredBlock {
  readonly kind: BlockKind;
  readonly name: string;
  /** Canonical print, without OR REPLACE, with its doc comments. */
  readonly text: string;
  readonly template?: string;
  readonly instance?: string;
  /** For a template: its instances and their arguments. */
  readonly instances?: readonly { readonly name: string; readonly parameters: string }[];
}

/** Raised whenever generated modules change their shape: a folder that another version built is refused. */
export const domainFormat = 7;

/** A file in a generated folder while a build writes it: with it the other files are of two builds, or not all there. */
export const unfinishedBuild = 'build.unfinished';

/** The part of a domain that is data: the `catalog.json` of a generated folder. */
export interface DomainData {
  readonly format: typeof domainFormat;
  /** SHA-256 of the registry's export text. */
  readonly hash: string;
  readonly blocks: readonly RegisteredBlock[];
  /** The text of EXPORT REGISTRY. */
  readonly exportText: string;
  readonly readModel: ReadModelDefinition;
  readonly eventStores: readonly EventStoreDefinition[];
  readonly claims: readonly ClaimDefinition[];
  /** Roles that `HAS_ROLE` names, sorted. */
  readonly roles: readonly string[];
}

/**
 * A whole generated server as one immutable value: `generated/dist/index.js` exports it as `domain`, and a hot change replaces it. The types
 * `C`, `S` and `E` of the definitions are erased here; each decision is paired with its own command by name.
 */
export interface Domain extends DomainData {
  readonly aggregates: readonly AggregateDefinition[];
  readonly commands: readonly CommandDefinition<object>[];
  readonly events: readonly EventDefinition<object>[];
  readonly decisions: readonly DecisionDefinition<object, object>[];
  readonly projections: readonly ProjectionDefinition[];
  readonly subscriptions: readonly SubscriptionDefinition[];
  readonly reactions: readonly ReactionDefinition<object, object>[];
}

export interface EventStoreDefinition {
  readonly name: string;
  readonly options: readonly {
    readonly key: string;
    readonly value: string | number | boolean | readonly string[] | { readonly env: string };
  }[];
}
