/**
 * Whether an answer with events can continue by another registry than it began with. Most changes leave the events as they were, and
 * continuing by the registry in force costs nothing extra.
 */
import type { Domain } from '../../../language/contract/domain.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { AggregateTable } from '../../../language/contract/read-model.ts';
import type { EventKind } from '../../../runtime/store/store.ts';

/**
 * Whether everything an answer by `then` shows of an aggregate's events, of the types `stored`, is the same by `now`: payloads may have
 * gained fields of new names, and the aggregate may have gained events that were never stored.
 */
export function showsTheSame(then: Domain, now: Domain, aggregate: string, stored: readonly EventKind[]): boolean {
  const [before, after] = [formIn(then, aggregate), formIn(now, aggregate)];
  if (before === undefined || after === undefined) return false;
  const had = new Set(stored.filter((kind) => kind.aggregate === aggregate).map(({ event }) => event));
  return keepsColumns(before.columns, after.columns) && keepsEvents(before.table, after.table, had);
}

interface EventForm {
  readonly columns: readonly Column[];
  readonly table: AggregateTable;
}

function formIn({ aggregates, readModel }: Domain, aggregate: string): EventForm | undefined {
  const columns = aggregates.find(({ name }) => name === aggregate)?.eventColumns;
  const table = readModel.aggregates.find((one) => one.aggregate === aggregate);
  return columns === undefined || table === undefined ? undefined : { columns, table };
}

function keepsColumns(before: readonly Column[], after: readonly Column[]): boolean {
  const found = new Set(leavesOf(after));
  return leavesOf(before).every((leaf) => found.has(leaf));
}

/** Columns, and each field of a payload, with all their properties. */
function leavesOf(columns: readonly Column[]): readonly string[] {
  return columns.flatMap(({ type, ...column }) =>
    (type.kind === 'STRUCT' ? type.fields : [type]).map((leaf) => JSON.stringify([column, leaf])),
  );
}

function keepsEvents(before: AggregateTable, after: AggregateTable, stored: ReadonlySet<string>): boolean {
  const shown = new Set(before.payload.map(({ name }) => name.toLowerCase()));
  const known = new Map(before.events.map(({ name, fields }) => [name, fields.map((field) => JSON.stringify(field))]));
  if (JSON.stringify(upcastsOf(before)) !== JSON.stringify(upcastsOf(after))) return false;
  const kept = after.events.filter(({ name }) => known.has(name));
  return (
    kept.length === before.events.length &&
    after.events.every(({ name, fields }) => {
      const were = known.get(name);
      if (were === undefined) return !stored.has(name);
      const gained = fields.filter((field) => !were.includes(JSON.stringify(field)));
      // A tag is computed for older events too, and a field shares its column with the same field of another event.
      const apart = gained.every((field) => !field.tag && !shown.has(field.name.toLowerCase()));
      return apart && fields.length - gained.length === were.length;
    })
  );
}

function upcastsOf({ events }: AggregateTable): readonly unknown[] {
  return events.flatMap(({ name, upcasts }) => (upcasts === undefined ? [] : [[name, upcasts]]));
}
