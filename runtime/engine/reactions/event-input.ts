import type { EventField } from '../../../language/contract/event.ts';
import type { ReactionDefinition } from '../../../language/contract/reaction.ts';
import { castValue } from '../../../language/values/cast.ts';
import type { Value } from '../../../language/values/type.ts';
import type { EventReader } from '../../store/event-reader.ts';
import type { EventSource } from './task.ts';

/** The first argument of a reaction's functions: a property for each input, fields before facts. */
export function eventInput(
  { inputs }: Pick<ReactionDefinition<object, object>, 'inputs'>,
  { event, at, correlationId }: EventSource,
  reader: EventReader<EventField>,
  due: bigint | null,
): object {
  const values = reader.values(event, at);
  const facts: Readonly<Record<string, Value>> = {
    stream_id: event.streamId,
    event_id: event.id,
    event_type: reader.event,
    seq: BigInt(event.seq),
    occurred_at: BigInt(at),
    global_position: BigInt(event.position),
    correlation_id: correlationId ?? null,
    due,
  };
  const input: Record<string, Value> = {};
  for (const { name, type } of inputs) {
    const place = reader.fields.findIndex((field) => field.name.toLowerCase() === name.toLowerCase());
    const field = reader.fields[place];
    // Several events share a field in a type that all of them fit.
    input[name] = field === undefined ? (facts[name] ?? null) : castValue(values[place] ?? null, field.type, type);
  }
  return input;
}
