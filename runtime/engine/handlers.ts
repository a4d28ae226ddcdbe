import type { ClaimDefinition } from '../../language/contract/caller.ts';
import type { CommandDefinition, CommandField } from '../../language/contract/command.ts';
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
  /** Set if the command has ALLOW, or a DEFAULT or the decision reads the caller: the claims that these name, by name. */
  readonly claims?: readonly ClaimDefinition[];
  /** Fields with a part of the caller as their DEFAULT. */
  readonly callerDefaults: readonly CommandField[];
  /** The first outcome under a key belongs to the subject that sent it, because its answer may not be for others. */
  readonly isOwned: boolean;
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
  const handlers = new Map(
    domain.decisions.flatMap((decision) => {
      const command = commands.get(decision.command);
      return command === undefined ? [] : [[command.name, handlerOf(domain, command, decision)] as const];
    }),
  );
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
      const handler = handlers.get(name);
      if (handler !== undefined) return handler;
      throw commands.has(name) ? fail('R0107', { command: name }) : fail('R0106', { kind: 'command', name, known: [] });
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

function handlerOf(
  { aggregates, claims }: Domain,
  command: CommandDefinition<object>,
  decision: DecisionDefinition<object, object>,
): Handler {
  const callerDefaults = command.fields.filter((field) => field.callerDefault !== undefined);
  const named = [command.callerClaims, decision.callerClaims, command.allow && []].filter((each) => each !== undefined);
  const read = new Set(named.flat());
  const hidesRows = aggregates.find(({ name }) => name === decision.aggregate)?.visible !== undefined;
  const readsCaller = named.length > 0;
  return {
    command,
    decision,
    callerDefaults,
    isOwned: readsCaller || hidesRows,
    ...(readsCaller && { claims: claims.filter(({ name }) => read.has(name)).sort(byName) }),
  };
}

function byName(a: ClaimDefinition, b: ClaimDefinition): number {
  return a.name < b.name ? -1 : 1;
}

function readerOf(event: EventDefinition<object> | undefined, stored: string): EventReader<EventField> {
  return event === undefined
    ? createEventReader(stored, [])
    : createEventReader(event.name, event.fields, generatedUpcasts(event));
}
