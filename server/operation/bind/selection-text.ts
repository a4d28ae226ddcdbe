import { printName, quoteString } from '../../../compiler/index.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Comparison, Filter, Selection, SortBy } from '../../../language/contract/selection.ts';
import type { Type, Value } from '../../../language/values/type.ts';

/** A relation that is selected from. */
export interface Selected {
  readonly columns: readonly Column[];
  /** The types of its events, of an event relation. */
  readonly events: readonly string[];
}

/** The text of a query, and the types of its parameters. */
interface SelectionText {
  readonly text: string;
  readonly given: readonly { readonly name: string; readonly type: Type }[];
}

/**
 * A selection as the query that a person would write for it, with all keys of its order. Names are those of the registry, and values are the
 * parameters `:p0`, `:p1` …, so that selections that differ in values have one text.
 */
export function selectionText(
  { relation, columns, filters, after, until, limit, offset }: Selection,
  { columns: known, events }: Selected,
  order: readonly SortBy[],
): SelectionText {
  const types: Type[] = [];
  const parameter = (type: Type): string => `:p${types.push(type) - 1}`;
  const conditions = filters.map((filter) => conditionOf(filter, known, parameter));
  if (after !== undefined) conditions.push(`global_position > ${parameter(position)}`);
  if (until !== undefined) conditions.push(`global_position <= ${parameter(position)}`);
  const items = columns === 'count' ? 'COUNT(*) AS "count"' : columns.map((name) => itemOf(name, events)).join(', ');
  const keys = order.map(({ column, direction, nulls }) => `${path(column)} ${direction} NULLS ${nulls}`);
  const isPage = columns !== 'count';
  const text = [
    `SELECT ${items} FROM Reg.${printName({ text: relation })}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ...(isPage && keys.length > 0 ? [`ORDER BY ${keys.join(', ')}`] : []),
    ...(isPage && limit !== undefined ? [`LIMIT ${limit}`] : []),
    ...(isPage && offset !== undefined ? [`OFFSET ${offset}`] : []),
  ].join(' ');
  return { text, given: types.map((type, index) => ({ name: `p${index}`, type })) };
}

/** The values of the parameters, in the order of their numbers. */
export function valuesOf({ filters, after, until }: Selection): readonly Value[] {
  const values: Value[] = [];
  for (const filter of filters)
    if (filter.test === 'in') values.push(...filter.values);
    else if (filter.test !== 'is_null') values.push(filter.value);
  if (after !== undefined) values.push(after);
  if (until !== undefined) values.push(until);
  return values;
}

const position: Type = { kind: 'BIGINT' };
const string: Type = { kind: 'STRING' };

function conditionOf(filter: Filter, known: readonly Column[], parameter: (type: Type) => string): string {
  const column = path(filter.column);
  const { type = string } = known.find(({ name }) => name === filter.column) ?? {};
  switch (filter.test) {
    case 'is_null':
      return `${column} IS ${filter.holds ? '' : 'NOT '}NULL`;
    case 'in':
      return `${column} IN (${filter.values.map(() => parameter(type)).join(', ')})`;
    case 'has':
      return `${parameter(string)} = ANY (${column})`;
    default:
      return `${column} ${operators[filter.test]} ${parameter(filter.test === 'like' ? string : type)}`;
  }
}

const operators: Readonly<Record<Comparison, string>> = {
  equal: '=',
  not_equal: '<>',
  less: '<',
  less_equal: '<=',
  greater: '>',
  greater_equal: '>=',
  like: 'LIKE',
};

function itemOf(name: string, events: readonly string[]): string {
  if (name !== 'data IS NOT NULL') return `${path(name)} AS ${printName({ text: name })}`;
  // A payload object exists for each type of event that the aggregate has now, and for no earlier type.
  const exists = events.length === 0 ? 'FALSE' : `event_type IN (${events.map(quoteString).join(', ')})`;
  return `${exists} AS ${printName({ text: name })}`;
}

/** `data.litres` is a field of the column `data`. */
function path(column: string): string {
  const names = column.startsWith('data.') ? ['data', column.slice(5)] : [column];
  return names.map((text) => printName({ text })).join('.');
}
