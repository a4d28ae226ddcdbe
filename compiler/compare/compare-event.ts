import type { EventBlock } from '../../language/catalog/block.ts';
import { typeName } from '../../language/values/type.ts';
import { sameType, widens } from '../analyse/type/widens.ts';
import { difference, type Difference, type DifferenceCode } from './difference.ts';

/** Consequences of a changed event for readers of `$Events`; `isRead`: it is in the relation of an aggregate. */
export function compareEvent(before: EventBlock, after: EventBlock, isRead: boolean): readonly Difference[] {
  const changed = (code: DifferenceCode, message: string): Difference => difference(code, after, message);
  const now = new Map(after.fields.map((field) => [field.name.toLowerCase(), field]));
  const was = new Set(before.fields.map(({ name }) => name.toLowerCase()));
  const found: Difference[] = [];
  for (const field of before.fields) {
    const { name } = field;
    const other = now.get(name.toLowerCase());
    if (other === undefined) {
      if (!field.volatile)
        found.push(
          isRead
            ? changed('event-field-removed', `field '${name}' is no longer there for readers; the log keeps its values`)
            : changed('event-field-hidden', `field '${name}' is hidden; the log keeps its values`),
        );
      continue;
    }
    if (!sameType(field.type, other.type)) {
      const types = `from ${typeName(field.type)} to ${typeName(other.type)}`;
      found.push(
        widens(field.type, other.type)
          ? changed('event-field-widened', `field '${name}' widens ${types}`)
          : changed('event-field-retyped', `field '${name}' changes ${types} for readers`),
      );
    }
    if (other.volatile && !field.volatile)
      found.push(changed('event-field-hidden', `field '${name}' is no longer stored`));
    if (other.sensitive && !field.sensitive)
      found.push(changed('event-field-hidden', `field '${name}' is masked for callers without sensitive:read`));
    if (other.tag !== field.tag || (field.sensitive && !other.sensitive))
      found.push(changed('event-changed', `the marks of field '${name}' change`));
  }
  for (const { name } of after.fields)
    if (!was.has(name.toLowerCase())) found.push(changed('event-field-added', `new field '${name}'`));
  if (clauses(before) !== clauses(after))
    found.push(changed('clause-changed', 'its UPCAST clauses change: what reads it is built again'));
  return found;
}

/** Their expressions as text; the stored versions and counts play no part. */
function clauses({ upcasts = [] }: EventBlock): string {
  return JSON.stringify(upcasts.map(({ event, fields, values }) => [event, fields, values]));
}
