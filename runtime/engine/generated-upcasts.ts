/** UPCAST clauses as generated modules compute them; the read model computes the same in SQL. */
import type { EventDefinition, StoredEventFacts } from '../../language/contract/event.ts';
import type { Value } from '../../language/values/type.ts';
import { leavesOfValues, type Upcast } from '../store/event-reader.ts';

type Payload = Readonly<Record<string, Value>>;

export function generatedUpcasts({ upcasts = [], fields }: EventDefinition<object>): readonly Upcast[] {
  return upcasts.map((clause) => ({
    ...clause,
    apply: (values, { id, streamId, seq }, at) => {
      const stored = Object.fromEntries(clause.fields.map(({ name }, place) => [name, values[place] ?? null]));
      const facts: StoredEventFacts = { event_id: id, stream_id: streamId, seq: BigInt(seq), occurred_at: BigInt(at) };
      // The compiler paired the function with its fields, whose types are erased in the definition.
      const payload = clause.apply(stored as never, facts) as Payload;
      return leavesOfValues(
        fields.map(({ name }) => payload[name] ?? null),
        fields,
      );
    },
  }));
}
