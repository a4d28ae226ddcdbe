import type { AggregateDefinition, ProjectionDefinition } from '../../../language/contract/relation.ts';
import type { CommandDefinition } from '../../../language/contract/command.ts';
import type { DecisionDefinition } from '../../../language/contract/decision.ts';
import type { ReactionDefinition } from '../../../language/contract/reaction.ts';
import type { SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import { fail } from '../../../language/failure/failure.ts';

interface Names {
  readonly aggregates: ReadonlyMap<string, AggregateDefinition>;
  readonly projections: ReadonlyMap<string, ProjectionDefinition>;
  readonly commands: ReadonlyMap<string, CommandDefinition<object>>;
  /** By command. */
  readonly decisions: ReadonlyMap<string, DecisionDefinition<object, object>>;
}

const known = new WeakMap<Domain, Names>();

/** Made once per domain: a request costs the same in a registry of any size. */
function namesOf(domain: Domain): Names {
  const before = known.get(domain);
  if (before !== undefined) return before;
  const names = {
    aggregates: byName(domain.aggregates),
    projections: byName(domain.projections),
    commands: byName(domain.commands),
    decisions: new Map(domain.decisions.map((decision) => [decision.command, decision])),
  };
  known.set(domain, names);
  return names;
}

function byName<T extends { readonly name: string }>(blocks: readonly T[]): ReadonlyMap<string, T> {
  return new Map(blocks.map((block) => [block.name, block]));
}

/** The aggregate named by a path, exactly; 404 when there is none. */
export function aggregateOf(domain: Domain, name = ''): AggregateDefinition {
  const found = namesOf(domain).aggregates.get(name);
  if (found === undefined) throw fail('R0106', { kind: 'aggregate', name, known: [] });
  return found;
}

/** The projection named by a path, exactly; 404 when there is none. */
export function projectionOf(domain: Domain, name = ''): ProjectionDefinition {
  const found = namesOf(domain).projections.get(name);
  if (found === undefined) throw fail('R0106', { kind: 'projection', name, known: [] });
  return found;
}

/** The subscription named by a path, exactly; 404 when there is none. */
export function subscriptionOf(domain: Domain, name = ''): SubscriptionDefinition {
  const found = domain.subscriptions.find((subscription) => subscription.name === name);
  if (found === undefined) throw fail('R0106', { kind: 'subscription', name, known: [] });
  return found;
}

/** The reaction named by a path, exactly; 404 when there is none. */
export function reactionOf(domain: Domain, name = ''): ReactionDefinition<object, object> {
  const found = domain.reactions.find((reaction) => reaction.name === name);
  if (found === undefined) throw fail('R0106', { kind: 'reaction', name, known: [] });
  return found;
}

/** The command named by a path, exactly, and its decision; 404 when one of them is missing. */
export function commandOf(
  domain: Domain,
  name = '',
): { readonly command: CommandDefinition<object>; readonly decision: DecisionDefinition<object, object> } {
  const { commands, decisions } = namesOf(domain);
  const command = commands.get(name);
  if (command === undefined) throw fail('R0106', { kind: 'command', name, known: [] });
  const decision = decisions.get(name);
  if (decision === undefined) throw fail('R0107', { command: name });
  return { command, decision };
}
