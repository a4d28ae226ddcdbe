import type { EventBlock, EventUpcast } from '../../../language/catalog/block.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { mapExpression } from '../../../language/catalog/map-expression.ts';
import { storedEventFacts } from '../../../language/contract/event.ts';
import type { UpcastTable } from '../../../language/contract/read-model.ts';
import { createPrinter } from './compile-query.ts';

/** The clauses of an event as the read model computes them. */
export function printUpcasts(catalog: Catalog, { fields, upcasts = [] }: EventBlock): readonly UpcastTable[] {
  const stored = new Set(fields.flatMap(({ name, volatile }) => (volatile ? [] : [name])));
  return upcasts.map(({ event, versions, fields: old, values }) => ({
    event,
    versions,
    fields: old,
    sqlite: values.filter(({ name }) => stored.has(name)).map(({ value }) => printValue(catalog, old, value)),
  }));
}

/** Facts of the event are columns behind the old fields. */
function printValue(
  catalog: Catalog,
  old: EventUpcast['fields'],
  value: EventUpcast['values'][number]['value'],
): string {
  const { printer } = createPrinter(catalog);
  const places = new Map<string, number>(old.map(({ name }, index) => [name, index]));
  for (const [index, { name }] of storedEventFacts.entries()) places.set(`:${name}`, old.length + index);
  printer.relations.set(0, { witness: 'r0.s0', column: (name) => `r0.s${places.get(name) ?? 0}` });
  const overRow = mapExpression(value, (part) => {
    if (part.kind !== 'argument') return undefined;
    const { name, ...facts } = part;
    return { ...facts, kind: 'column', relation: 0, column: `:${name}` };
  });
  return printer.expression(overRow);
}
