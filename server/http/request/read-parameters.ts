import type { Column } from '../../../language/contract/query.ts';
import type { Value } from '../../../language/values/type.ts';
import { canFilter, filterValue } from './filter-value.ts';
import { Problem } from '../answers/problem.ts';
import { parseQueryString } from './query-string.ts';
import { quoted } from './quoted.ts';
import type { Route } from '../pipeline/route.ts';

/** The query parameters of a read, checked and typed. */
export interface ReadParameters {
  readonly limit?: number;
  readonly offset?: number;
  readonly after?: bigint;
  readonly filters: readonly { readonly column: string; readonly value: Value }[];
}

const none: ReadParameters = { filters: [] };

/**
 * Reads the parameters `limit`, `offset`, `after` and `?column=value` that the route accepts. `?.limit=` means a column named `limit`. A
 * bad value, a repeated or an unknown parameter, and a sensitive column are refused (docs/http.md#pages-filters-positions).
 */
export function readParameters(
  queryString: string,
  takes: Route['query'],
  filterable: readonly Column[],
): ReadParameters {
  if (queryString === '') return none;
  const found: { limit?: number; offset?: number; after?: bigint } = {};
  const filters: { column: string; value: Value }[] = [];
  const seen = new Set<string>();
  const once = (key: string, name: string): void => {
    if (seen.has(key)) throw new Problem(400, `parameter '${name}' is given twice`);
    seen.add(key);
  };
  for (const [name, value] of parseQueryString(queryString)) {
    const parameter = parameterNamed(name, takes);
    if (parameter !== undefined) {
      once(parameter, name);
      if (parameter === 'after') found.after = BigInt(wholeNumber(name, value));
      else found[parameter] = wholeNumber(name, value);
      continue;
    }
    const column = columnNamed(name, takes, filterable);
    once(`.${column.name}`, name);
    filters.push({ column: column.name, value: filterValue(column, value) });
  }
  return { ...found, filters };
}

function parameterNamed(name: string, takes: Route['query']): 'limit' | 'offset' | 'after' | undefined {
  if ((name === 'limit' || name === 'offset') && takes.includes('page')) return name;
  return name === 'after' && takes.includes('after') ? name : undefined;
}

function columnNamed(name: string, takes: Route['query'], filterable: readonly Column[]): Column {
  const wanted = (name.startsWith('.') ? name.slice(1) : name).toLowerCase();
  // `LIMIT` is not `limit`, and only `.limit` is a column named `limit`.
  const isPlain = name.startsWith('.') || parameterNamed(wanted, takes) === undefined;
  if (takes.includes('filters') && isPlain) {
    const column = filterable.find((candidate) => candidate.name.toLowerCase() === wanted);
    if (column?.sensitive === true)
      throw new Problem(400, `column '${column.name}' is sensitive and cannot be filtered by`);
    if (column !== undefined) return column;
  }
  const columns = takes.includes('filters') ? filterable : [];
  const known = [
    ...(takes.includes('page') ? ['limit', 'offset'] : []),
    ...(takes.includes('after') ? ['after'] : []),
    ...columns.filter((column) => !column.sensitive && canFilter(column)).map((column) => nameOf(column, takes)),
  ];
  throw new Problem(
    400,
    `there is no parameter ${quoted(name)}; allowed: ${known.length === 0 ? 'none' : known.join(', ')}`,
  );
}

/** A column as a parameter: with a leading point if it has the name of another parameter. */
function nameOf({ name }: Column, takes: Route['query']): string {
  return parameterNamed(name.toLowerCase(), takes) === undefined ? name : `.${name}`;
}

function wholeNumber(name: string, value: string): number {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : NaN;
  if (!Number.isSafeInteger(number))
    throw new Problem(400, `parameter '${name}' takes a whole number from 0, not ${quoted(value)}`);
  return number;
}
