import { readFileSync } from 'node:fs';
import type { CommandCheck, CommandDefinition } from '../../language/contract/command.ts';
import type { DecisionContext, DecisionDefinition } from '../../language/contract/decision.ts';
import type { Domain, DomainData } from '../../language/contract/domain.ts';
import type { EventDefinition } from '../../language/contract/event.ts';
import type { ReactionBranchDefinition, ReactionDefinition } from '../../language/contract/reaction.ts';

/** Definitions with their own argument, state and payload types, as generated modules export them. */
export interface TypedDefinitions extends Omit<
  Domain,
  keyof DomainData | 'commands' | 'events' | 'decisions' | 'reactions'
> {
  readonly commands: readonly (Omit<CommandDefinition<object>, 'streamId' | 'checks'> & {
    readonly streamId: (command: never) => string;
    readonly checks?: readonly CommandCheck<never>[];
  })[];
  readonly events: readonly (Omit<EventDefinition<object>, 'encode'> & {
    readonly encode: (payload: never) => string;
  })[];
  readonly decisions: readonly (Omit<DecisionDefinition<object, object>, 'decide'> & {
    readonly decide: (
      command: never,
      state: never,
      context: DecisionContext,
    ) => ReturnType<DecisionDefinition<object, object>['decide']>;
  })[];
  readonly reactions: readonly (Omit<ReactionDefinition<object, object>, 'branches'> & {
    readonly branches: readonly (Omit<ReactionBranchDefinition<object, object>, 'due' | 'known' | 'execute'> & {
      readonly due?: (event: never, context: DecisionContext) => bigint | null;
      readonly known?: (event: never) => object;
      readonly execute: (event: never, state: never, context: DecisionContext) => object | null;
    })[];
  })[];
}

/**
 * The domain of generated modules and of their `catalog.json`. Their types are erased here: the arguments of a
 * decision come from its own command's decoder and its own STATE, which the compiler paired.
 */
export function defineDomain(definitions: TypedDefinitions, catalog?: URL): Domain {
  // Modules of an older version give the data too, with the format by which they are refused.
  const data: unknown = catalog === undefined ? {} : JSON.parse(readFileSync(catalog, 'utf8'));
  const defined = { ...(data as DomainData), ...definitions } as unknown as Domain;
  definedHere.add(defined);
  return defined;
}

const definedHere = new WeakSet<Domain>();

/**
 * Whether the modules of this domain import this runtime, and not another copy, whose failures and values this one
 * would not recognise.
 */
export function isDefinedHere(domain: Domain): boolean {
  return definedHere.has(domain);
}
