import type { ReactionDefinition } from '../../../language/contract/reaction.ts';
import type { EventField } from '../../../language/contract/event.ts';
import { fail } from '../../../language/failure/failure.ts';
import { castValue } from '../../../language/values/cast.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import { unlessDamaged, unreadableFields, type EventReader } from '../../store/event-reader.ts';
import { unreadableText } from '../../store/unreadable-text.ts';
import type { EventSource } from './task.ts';

/** Facts that a reaction may read of an event in addition to its fields (`eventFacts`); `due` belongs to the branch. */
export interface EventFactValues {
  readonly stream_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly seq: bigint;
  readonly occurred_at: bigint;
  readonly global_position: bigint;
  readonly correlation_id: string | null;
}

/** A value of an event with its field. */
export interface FieldValue {
  readonly name: string;
  readonly type: Type;
  readonly value: Value;
}

/** The first argument of a reaction's functions: a property for each input, fields before facts. */
export function eventInput(
  { inputs }: Pick<ReactionDefinition<object, object>, 'inputs'>,
  facts: EventFactValues,
  fields: readonly FieldValue[],
  due: bigint | null,
): object {
  const named: Readonly<Record<string, Value>> = { ...facts };
  const input: Record<string, Value> = {};
  for (const { name, type } of inputs) {
    const field =
      fields.find((each) => each.name === name) ??
      fields.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const fact = name === 'due' ? due : (named[name] ?? null);
    // Several events share a field in a type that all of them fit.
    input[name] = field === undefined ? fact : castValue(field.value, field.type, type);
  }
  return input;
}

/** The facts and fields of an event in the log. */
export function storedEventFields(
  { event, at, correlationId }: EventSource,
  reader: EventReader<EventField>,
): { readonly facts: EventFactValues; readonly fields: readonly FieldValue[] } {
  const values = unlessDamaged(() => reader.values(event, at));
  // No command is to be made of a NULL in place of a value of the log.
  if (values === undefined)
    throw fail('R0417', { event: unreadableText(event, unreadableFields(reader, event, at)[0]) });
  return {
    facts: {
      stream_id: event.streamId,
      event_id: event.id,
      event_type: reader.event,
      seq: BigInt(event.seq),
      occurred_at: BigInt(at),
      global_position: BigInt(event.position),
      correlation_id: correlationId ?? null,
    },
    fields: reader.fields.map(({ name, type }, place) => ({ name, type, value: values[place] ?? null })),
  };
}

/** The input of an event in the log. */
export function storedEventInput(
  reaction: Pick<ReactionDefinition<object, object>, 'inputs'>,
  source: EventSource,
  reader: EventReader<EventField>,
  due: bigint | null,
): object {
  const { facts, fields } = storedEventFields(source, reader);
  return eventInput(reaction, facts, fields, due);
}
