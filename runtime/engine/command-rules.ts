import type { CommandDefinition } from '../../language/contract/command.ts';
import type { EventStoreDefinition } from '../../language/contract/domain.ts';
import type { AggregateDefinition } from '../../language/contract/relation.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { castValue } from '../../language/values/cast.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { scalarText } from '../../language/values/scalar-text.ts';
import { isLongerThan, length } from '../../language/values/text.ts';
import { typeName, type Type } from '../../language/values/type.ts';
import { isUuid } from '../../language/values/uuid.ts';
import { defaultRejectedInSecond, recordedCommands, type RecordingRules } from './recording.ts';

/** Rules of an event store for every command (docs/language.md#event-store). */
export interface CommandRules {
  /** `id.command_id.required` */
  readonly commandIdRequired: boolean;
  /** `strict.uuid_format`: UUID fields take canonical UUIDs only. */
  readonly strictUuid: boolean;
  /** `envelope.*` */
  readonly recording: RecordingRules;
}

/**
 * The rules of the event store that events go to: the named one, else the only one, else the one with `default = true`.
 * A domain without such a store has no rules.
 */
export function commandRules(stores: readonly EventStoreDefinition[], named: string | undefined): CommandRules {
  const store =
    named !== undefined
      ? stores.find(({ name }) => name === named)
      : stores.length === 1
        ? stores[0]
        : stores.find((candidate) => isOn(candidate, 'default'));
  return {
    commandIdRequired: isOn(store, 'id.command_id.required'),
    strictUuid: isOn(store, 'strict.uuid_format'),
    recording: {
      commands: recordedCommands.find((each) => each === settingOf(store, 'envelope.commands')) ?? 'keyed',
      sensitiveArguments: isOn(store, 'envelope.sensitive_arguments'),
      rejectedInSecond: countOf(store, 'envelope.commands_per_second') ?? defaultRejectedInSecond,
    },
  };
}

function isOn(store: EventStoreDefinition | undefined, name: string): boolean {
  return settingOf(store, name) === true;
}

function countOf(store: EventStoreDefinition | undefined, name: string): number | undefined {
  const value = settingOf(store, name);
  return typeof value === 'number' ? value : undefined;
}

function settingOf(store: EventStoreDefinition | undefined, name: string): unknown {
  return store?.options.find(({ key }) => key.toLowerCase() === name)?.value;
}

/** The command, which refuses a stream id with more characters. */
export function withStreamIdLimit(command: CommandDefinition<object>, characters: number): CommandDefinition<object> {
  return {
    ...command,
    decode: (sent) => {
      const decoded = command.decode(sent);
      const id = command.streamId(decoded);
      if (!isLongerThan(id, characters)) return decoded;
      throw fail('R0103', {
        command: command.name,
        field: command.streamField,
        takes: `the id of a stream, of 1 to ${characters} characters`,
        given: `one of ${length(id)}`,
      });
    },
  };
}

/** The command, which refuses values that are not canonical UUIDs in its UUID fields. */
export function withStrictUuids(command: CommandDefinition<object>): CommandDefinition<object> {
  const fields = command.fields.filter(({ type }) => type.kind === 'UUID');
  return fields.length === 0 ? command : { ...command, decode: (sent) => (check(sent), command.decode(sent)) };

  function check(sent: JsonObject): void {
    for (const { name, sensitive } of fields) {
      const given = sent.get(name);
      if (typeof given !== 'string' || isUuid(given)) continue;
      throw fail('R0103', {
        command: command.name,
        field: name,
        takes: 'UUID (as 123e4567-e89b-12d3-a456-426614174000)',
        given: sensitive ? 'the given value' : JSON.stringify(given.slice(0, 40)),
      });
    }
  }
}

/** The command, which refuses a stream id that is not a value of the type of its aggregate's KEY field. */
export function withKeyType(
  command: CommandDefinition<object>,
  aggregate: string,
  key: Type | undefined,
): CommandDefinition<object> {
  if (key === undefined) return command;
  return {
    ...command,
    decode: (sent) => {
      const decoded = command.decode(sent);
      const id = command.streamId(decoded);
      if (isIdOf(key, id)) return decoded;
      const takes = `the id of a stream of ${aggregate}, which is ${typeName(key)}`;
      throw fail('R0103', {
        command: command.name,
        field: command.streamField,
        takes,
        given: JSON.stringify(id.slice(0, 40)),
      });
    },
  };
}

/** The type of an aggregate's KEY field, when not every text is a value of it. */
export function keyTypeOf({ keyField, stateColumns }: AggregateDefinition): Type | undefined {
  const type = stateColumns.find(({ name }) => name === keyField)?.type;
  const bounded = type?.kind === 'STRING' && (type.length !== undefined || type.enum !== undefined);
  return bounded || type?.kind === 'INT' || type?.kind === 'BIGINT' ? type : undefined;
}

/**
 * Whether a text is the canonical form of a value of the type: `7`, not `07` or a text too long, which would be other
 * streams of the same KEY.
 */
export function isIdOf(type: Type, id: string): boolean {
  try {
    return scalarText(castValue(id, { kind: 'STRING' }, type)) === id;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
