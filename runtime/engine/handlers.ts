import type { CommandDefinition } from '../contract/command.ts';
import type { DecisionDefinition } from '../contract/decision.ts';
import type { Domain } from '../contract/domain.ts';
import type { EventDefinition } from '../contract/event.ts';
import { fail } from '../failure/failure.ts';
import { commandRules, withStrictUuids, type CommandRules } from './command-rules.ts';

/** A command with the one decision that answers it. */
export interface Handler {
  readonly command: CommandDefinition<object>;
  readonly decision: DecisionDefinition<object, object>;
}

/** The handler table: everything that deciding looks up by name. Immutable; a registry change replaces it whole. */
export interface Handlers {
  readonly domain: Domain;
  readonly rules: CommandRules;
  /** The handler of a command; a `Failure` of kind `missing` names what is not there. */
  readonly of: (command: string) => Handler;
  readonly event: (name: string) => EventDefinition<object> | undefined;
}

/** `eventStore` names the store whose rules commands follow. */
export function createHandlers(domain: Domain, eventStore?: string): Handlers {
  const rules = commandRules(domain.eventStores, eventStore);
  const commands = new Map(
    domain.commands.map((command) => [command.name, rules.strictUuid ? withStrictUuids(command) : command]),
  );
  const decisions = new Map(domain.decisions.map((decision) => [decision.command, decision]));
  const events = new Map(domain.events.map((event) => [event.name, event]));
  return {
    domain,
    rules,
    of: (name) => {
      const command = commands.get(name);
      if (command === undefined) throw fail('R0106', { kind: 'command', name, known: [] });
      const decision = decisions.get(name);
      if (decision === undefined) throw fail('R0107', { command: name });
      return { command, decision };
    },
    event: (name) => events.get(name),
  };
}
