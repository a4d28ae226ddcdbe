/** The lists of columns in `order` and `select`. */
import type { Column } from '../../../language/contract/query.ts';
import type { SortBy } from '../../../language/contract/selection.ts';
import type { Fault } from '../../../language/failure/faults.ts';
import { typeName } from '../../../language/values/type.ts';
import { quoted } from '../request/quoted.ts';
import { readItems, type ListItem } from './fields.ts';
import { findColumn } from './find-column.ts';
import { canOrder } from './parameter-table.ts';

export interface ReadList<T> {
  readonly items: readonly T[];
  readonly faults: readonly Fault[];
}

/** `select=a,"b,c"`: the columns by their registered names. */
export function readSelect(text: string, columns: readonly Column[]): ReadList<string> {
  return readColumns('select', text, (item) => {
    if (item.quoted !== undefined && item.rest !== '') return behindQuote('select', item.quoted, item.rest);
    const name = item.quoted ?? item.rest;
    const column = findColumn(columns, name);
    return column === undefined || column === 'several'
      ? unfound('select', name, column, columns)
      : [column, column.name];
  });
}

/**
 * `order=a.desc,"b,c".asc.nullsfirst`. A plain item that is a column as a whole is that column: `x.desc` may be a name. NULLs are in the
 * language's place unless the item says otherwise: last ascending, first descending.
 */
export function readOrder(text: string, columns: readonly Column[]): ReadList<SortBy> {
  return readColumns('order', text, (item) => {
    const found = sortKeyOf(item, columns);
    if ('message' in found) return found;
    const { column, ...how } = found;
    if (canOrder(column)) return [column, { column: column.name, ...how }];
    const why = column.sensitive ? 'is sensitive' : `is ${typeName(column.type)}`;
    return { field: 'order', message: `column '${column.name}' ${why} and cannot be sorted by` };
  });
}

function readColumns<T>(
  parameter: string,
  text: string,
  read: (item: ListItem) => readonly [Column, T] | Fault,
): ReadList<T> {
  const list = readItems(text);
  if (list === undefined)
    return { items: [], faults: [{ field: parameter, message: `${parameter} has a double quote that is not closed` }] };
  const items: T[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const item of list) {
    const found = read(item);
    if ('message' in found) {
      faults.push(found);
      continue;
    }
    const [{ name }, result] = found;
    if (seen.has(name)) faults.push({ field: parameter, message: `${parameter} names column '${name}' twice` });
    seen.add(name);
    items.push(result);
  }
  return { items, faults };
}

type SortKey = Omit<SortBy, 'column'> & { readonly column: Column };

const words: readonly string[] = ['asc', 'desc', 'nullsfirst', 'nullslast'];

/** Direction, then place of NULLs, each at most once. */
const ending = /^(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?$/;

function sortKeyOf({ quoted: inQuotes, rest }: ListItem, columns: readonly Column[]): SortKey | Fault {
  if (inQuotes !== undefined) {
    const found = findColumn(columns, inQuotes);
    if (found === undefined || found === 'several') return unfound('order', inQuotes, found, columns);
    return ending.test(rest) ? sortKey(found, rest) : behindQuote('order', inQuotes, rest);
  }
  // The longest name that is a column.
  for (let name = rest; ;) {
    const found = findColumn(columns, name);
    const how = rest.slice(name.length);
    if (found === 'several') return unfound('order', name, found, columns);
    if (found !== undefined && ending.test(how)) return sortKey(found, how);
    const point = name.lastIndexOf('.');
    if (point === -1 || !words.includes(name.slice(point + 1))) break;
    name = name.slice(0, point);
  }
  return unfound('order', rest, undefined, columns);
}

function sortKey(column: Column, how: string): SortKey {
  const [, direction = 'asc', nulls] = ending.exec(how) ?? [];
  const isDescending = direction === 'desc';
  return {
    column,
    direction: isDescending ? 'DESC' : 'ASC',
    nulls: nulls === undefined ? (isDescending ? 'FIRST' : 'LAST') : nulls === 'nullsfirst' ? 'FIRST' : 'LAST',
  };
}

function unfound(
  parameter: 'order' | 'select',
  name: string,
  found: 'several' | undefined,
  all: readonly Column[],
): Fault {
  if (found === 'several')
    return { field: parameter, message: `${parameter}: several columns are named ${quoted(name)}` };
  const known = parameter === 'order' ? all.filter(canOrder) : all;
  return {
    field: parameter,
    message: `${parameter}: there is no column ${quoted(name)}`,
    allowed: `allowed: ${known.map((column) => column.name).join(', ')}${parameter === 'order' ? ', each with .asc or .desc, .nullsfirst or .nullslast' : ''}`,
  };
}

function behindQuote(parameter: string, name: string, rest: string): Fault {
  return {
    field: parameter,
    message: `${parameter} has text behind the closing quote of ${quoted(name)}: ${quoted(rest)}`,
  };
}
