import type { CommandAllow, CommandCheck, CommandDefinition } from '../../../language/contract/command.ts';
import type { BranchDefinition, DecisionDefinition } from '../../../language/contract/decision.ts';
import type { EventDefinition } from '../../../language/contract/event.ts';
import type { ReactionDefinition } from '../../../language/contract/reaction.ts';
import type { AggregateDefinition, ProjectionDefinition } from '../../../language/contract/relation.ts';
import type { SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import type { HttpOptions } from '../options.ts';
import type { HttpSettings } from '../settings.ts';

/** The properties of a registry in the document; every `Domain` has them. */
export interface DescribedDomain {
  readonly hash: string;
  readonly aggregates: readonly Pick<AggregateDefinition, 'name' | 'docs' | 'stateColumns' | 'eventColumns'>[];
  readonly commands: readonly DescribedCommand[];
  readonly events: readonly Pick<EventDefinition<object>, 'name' | 'docs' | 'fields'>[];
  readonly decisions: readonly DescribedDecision[];
  readonly subscriptions: readonly Pick<SubscriptionDefinition, 'name' | 'docs' | 'columns'>[];
  readonly reactions: readonly Pick<ReactionDefinition<object, object>, 'name'>[];
  readonly projections: readonly Pick<ProjectionDefinition, 'name' | 'docs' | 'columns' | 'aggregates'>[];
}

/** A command with the texts of its CHECKs, and what JSON Schema can say of them; of its ALLOW only what a refused caller reads. */
export interface DescribedCommand extends Pick<CommandDefinition<object>, 'name' | 'docs' | 'fields'> {
  readonly checks?: readonly Pick<CommandCheck<object>, 'text' | 'message' | 'field' | 'limits'>[];
  readonly allow?: Pick<CommandAllow<object>, 'message'>;
}

/** A decision without its guards: with them the document would change at each change of one. */
export interface DescribedDecision extends Pick<DecisionDefinition<object, object>, 'name' | 'command' | 'aggregate'> {
  readonly branches: readonly Pick<BranchDefinition, 'label' | 'events'>[];
}

/** The properties of a server in the document. */
export interface DescribedServer extends Pick<HttpOptions, 'version'> {
  readonly settings: Pick<HttpSettings, 'limits' | 'api' | 'auth'>;
}
