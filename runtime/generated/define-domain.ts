import type { CommandCheck, CommandDefinition } from '../../language/contract/command.ts';
import type { DecisionDefinition } from '../../language/contract/decision.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { EventDefinition } from '../../language/contract/event.ts';

/** Definitions with their own argument, state and payload types, as generated modules export them. */
export interface TypedDomain extends Omit<Domain, 'commands' | 'events' | 'decisions'> {
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
      context: Parameters<DecisionDefinition<object, object>['decide']>[2],
    ) => ReturnType<DecisionDefinition<object, object>['decide']>;
  })[];
}

/**
 * The domain of generated modules. Their types are erased here: the arguments of a decision come from its own command's
 * decoder and its own STATE, which the compiler paired.
 */
export function defineDomain(domain: TypedDomain): Domain {
  const defined = domain as unknown as Domain;
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
