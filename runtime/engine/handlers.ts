import type { CommandDefinition } from '../../language/contract/command.ts';
import type { DecisionDefinition } from '../../language/contract/decision.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { EventDefinition, EventField } from '../../language/contract/event.ts';
import { createEventReader, type EventReader } from '../store/event-reader.ts';
import { fail } from '../../language/failure/failure.ts';
import { generatedUpcasts } from './generated-upcasts.ts';
import type { Type } from '../../language/values/type.ts';
import {
  commandRules,
  keyTypeOf,
  withKeyType,
  withStreamIdLimit,
  withStrictUuids,
  type CommandRules,
} from './command-rules.ts';
import { withAllFaults } from './faulty-arguments.ts';
import { defaultEngineLimits } from './limits.ts';

/** A command with the one decision that answers it. */
export interface Handler {
  readonly command: CommandDefinition<object>;
  readonly decision: DecisionDefinition<object, object>;
}

/** The handler table: everything that deciding finds by name. Immutable; a registry change replaces it whole. */
export interface Handlers {
  readonly domain: Domain;
  readonly rules: CommandRules;
  /** The handler of a command; throws a `Failure` of kind `missing` that names what does not exist. */
  readonly of: (command: string) => Handler;
  readonly event: (name: string) => EventDefinition<object> | undefined;
  /**
   * Reads events that were stored under that name with this table's fields; reads no field of an event that the table
   * does not have.
   */
  readonly reader: (event: string) => EventReader<EventField>;
  /** The type of the ids of an aggregate's streams; undefined when any text can be one. */
  readonly keyType: (aggregate: string) => Type | undefined;
}

export interface HandlerRules {
  /** Name of the event store whose rules commands follow. */
  readonly eventStore?: string | undefined;
  readonly streamIdCharacters?: number;
}

export function createHandlers(domain: Domain, given: HandlerRules = {}): Handlers {
  const { eventStore, streamIdCharacters = defaultEngineLimits.streamIdCharacters } = given;
  const rules = commandRules(domain.eventStores, eventStore);
  const keys = new Map(domain.aggregates.map((aggregate) => [aggregate.name, keyTypeOf(aggregate)]));
  const ruled = (command: CommandDefinition<object>): CommandDefinition<object> => {
    const aggregate = decisions.get(command.name)?.aggregate ?? '';
    const limited = withStreamIdLimit(rules.strictUuid ? withStrictUuids(command) : command, streamIdCharacters);
    return withAllFaults(withKeyType(limited, aggregate, keys.get(aggregate)));
  };
  const decisions = new Map(domain.decisions.map((decision) => [decision.command, decision]));
  const commands = new Map(domain.commands.map((command) => [command.name, ruled(command)]));
  /** Created on first use: few events are ever replayed. */
  const readers = new Map<string, EventReader<EventField>>();
  const events = new Map(domain.events.map((event) => [event.name, event]));
  const renamed = new Map(
    domain.events.flatMap((event) => (event.upcasts ?? []).map((clause) => [clause.event, event])),
  );
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
    reader: (name) => {
      const known = readers.get(name) ?? readerOf(events.get(name) ?? renamed.get(name), name);
      readers.set(name, known);
      return known;
    },
    keyType: (aggregate) => keys.get(aggregate),
  };
}

function readerOf(event: EventDefinition<object> | undefined, stored: string): EventReader<EventField> {
  return event === undefined
    ? createEventReader(stored, [])
    : createEventReader(event.name, event.fields, generatedUpcasts(event));
}
