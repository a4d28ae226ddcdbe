/** Values that `:name` can have in a reaction: the fields of its events, and the facts of an event (docs/language.md#reaction). */
import type { EventBlock } from '../../../language/catalog/block.ts';
import { eventFacts } from '../../../language/contract/reaction.ts';
import { commonType } from '../../functions/typing.ts';
import type { EventInputs } from '../query/binding.ts';

type Inputs = EventInputs['inputs'];

/** The fields that all events have and store, then the facts that no field hides. */
export function inputsOf(events: readonly EventBlock[]): Inputs {
  const [first, ...others] = events;
  const fields = (first?.fields ?? []).flatMap((field): Inputs => {
    const same = others.map((event) =>
      event.fields.find(({ name }) => name.toLowerCase() === field.name.toLowerCase()),
    );
    const all = [field, ...same.flatMap((one) => one ?? [])];
    const type = commonType(all.map((one) => one.type));
    if (all.length < events.length || type === undefined || all.some(({ volatile }) => volatile)) return [];
    const sensitive = all.some((one) => one.sensitive);
    return [{ name: field.name, type, nullable: true, sensitive, isField: true }];
  });
  return [...fields, ...freeFacts(fields, (name) => name !== 'due')];
}

/** `:due`, which AFTER and AT cannot read, unless a field is called so. */
export function dueFact(inputs: Inputs): Inputs {
  return freeFacts(inputs, (name) => name === 'due');
}

function freeFacts(fields: Inputs, wanted: (name: string) => boolean): Inputs {
  const taken = new Set(fields.map(({ name }) => name.toLowerCase()));
  return eventFacts
    .filter(({ name }) => wanted(name) && !taken.has(name))
    .map((fact) => ({ ...fact, sensitive: false, isField: false }));
}
