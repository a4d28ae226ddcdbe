import type { Column } from '../../../language/contract/query.ts';
import type { Filter, SortBy } from '../../../language/contract/selection.ts';
import { sentenceOf, type Fault } from '../../../language/failure/faults.ts';
import { lower } from '../../../language/values/case-mapping.ts';
import { parseTimestamp } from '../../../language/values/timestamp.ts';
import { typeName } from '../../../language/values/type.ts';
import { Problem } from '../wire/problem.ts';
import { parseQueryString, type QueryParameter } from '../request/query-string.ts';
import { quoted } from '../request/quoted.ts';
import type { AskedMoment } from '../../../runtime/store/journal/moment.ts';
import { readMoment } from './read-moment.ts';
import { readOrder, readSelect } from './column-lists.ts';
import { readFilter } from './filter.ts';
import { findColumn } from './find-column.ts';
import {
  equality,
  filterOperators,
  filtersOn,
  isNamed,
  isShadowed,
  nameOf,
  namedParameters,
  namesIn,
  operatorNames,
  repeatable,
  type FilterOperator,
  type ParameterName,
  type QueryPart,
} from './parameter-table.ts';

/** The query parameters of a read, checked and typed. */
export interface ReadParameters {
  readonly limit?: number;
  readonly offset?: number;
  readonly after?: bigint;
  /** Only events after the present end. */
  readonly afterEnd?: true;
  readonly follow?: boolean;
  /** Seconds. */
  readonly heartbeat?: number;
  readonly names?: boolean;
  readonly explain?: boolean;
  readonly filters: readonly Filter[];
  readonly order: readonly SortBy[];
  /** The columns of the answer; all shown ones if absent. */
  readonly select?: readonly string[];
  /** The moment whose answer is asked for. */
  readonly asOf?: AskedMoment;
  /** Only what there was up to this global position. */
  readonly until?: bigint;
  /** Only events from this time on, in µs since 1970. */
  readonly since?: bigint;
}

const none: ReadParameters = { filters: [], order: [] };

/**
 * Reads the parameters that the route takes (`parameter-table.ts`), filters on these columns among them. `?.limit=` means a column named
 * `limit`. Bad values, repeated and unknown parameters, and sensitive columns are refused, all in one answer
 * (docs/http.md#filters-order-columns).
 */
export function readParameters(
  queryString: string,
  parts: readonly QueryPart[],
  columns: readonly Column[],
): ReadParameters {
  if (queryString === '') return none;
  const found: { -readonly [K in keyof ReadParameters]: ReadParameters[K] } = { ...none };
  const filters: Filter[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  /** The values of a parameter that may be given several times. */
  const choices = new Map<string, readonly string[]>();
  const isRepeated = (key: string, { name }: QueryParameter): boolean => {
    const again = seen.has(key);
    if (again) faults.push({ field: name, message: `parameter ${quoted(name)} is given twice` });
    seen.add(key);
    return again;
  };
  for (const parameter of parseQueryString(queryString)) {
    const { name, value } = parameter;
    if (isNamed(name) && parts.includes(name)) {
      if (namedParameters[name].takes === 'tag') readTag(value, filters, faults);
      else if (!isRepeated(name, parameter)) readNamed(name, value, { parts, columns }, found, faults);
      continue;
    }
    const filtered = columnOf(name, parts, columns);
    if ('message' in filtered) {
      faults.push(filtered);
      continue;
    }
    const { column, operator } = filtered;
    if (operator === equality && parts.includes('follow') && repeatable.includes(column.name)) {
      choices.set(column.name, [...(choices.get(column.name) ?? []), value]);
      continue;
    }
    if (isRepeated(`${column.name}[${operator.test}]`, parameter)) continue;
    const read = readFilter(name, column, operator, value);
    if ('filter' in read) filters.push(read.filter);
    else faults.push({ field: name, message: read.problem + (parameter.plus ? plusIsBlank : '') });
  }
  for (const [column, values] of choices) {
    const [value = ''] = values;
    filters.push(values.length === 1 ? { column, test: 'equal', value } : { column, test: 'in', values });
  }
  if (faults.length > 0)
    throw new Problem(
      'H4003',
      sentenceOf(faults, (count) => `${count} parameters are wrong`),
      {},
      faults,
    );
  return { ...found, filters };
}

/** `field:value`, as the column `tags` has it. */
function readTag(text: string, filters: Filter[], faults: Fault[]): void {
  const [, field = '', value = ''] = /^([^:]+):(.*)$/s.exec(text) ?? [];
  if (field === '') faults.push({ field: 'tag', message: `parameter 'tag' takes field:value, not ${quoted(text)}` });
  else filters.push({ column: 'tags', test: 'has', value: `${field}:${lower(value)}` });
}

const plusIsBlank = '; a + in a query string is a blank, write %2B for a plus sign';

function readNamed(
  name: ParameterName,
  text: string,
  { parts, columns }: { readonly parts: readonly QueryPart[]; readonly columns: readonly Column[] },
  found: { -readonly [K in keyof ReadParameters]: ReadParameters[K] },
  faults: Fault[],
): void {
  switch (name) {
    case 'order':
    case 'select': {
      const read = name === 'order' ? readOrder(text, columns) : readSelect(text, columns);
      faults.push(...read.faults);
      Object.assign(found, { [name]: read.items });
      return;
    }
    case 'as_of': {
      const moment = readMoment(text);
      if (moment !== undefined) found.asOf = moment;
      else
        faults.push({
          field: name,
          message: `parameter 'as_of' takes a position from 0 or an ISO 8601 time, not ${quoted(text)}`,
        });
      return;
    }
    case 'since': {
      const time = parseTimestamp(text);
      if (time !== undefined) found.since = time;
      else faults.push({ field: name, message: `parameter 'since' takes an ISO 8601 time, not ${quoted(text)}` });
      return;
    }
    case 'follow':
    case 'names':
    case 'explain':
      if (text !== 'true' && text !== 'false')
        faults.push({ field: name, message: `parameter '${name}' takes true or false, not ${quoted(text)}` });
      else found[name] = text === 'true';
      return;
    case 'tag':
      return;
    default: {
      if (name === 'after' && text === 'end') {
        found.afterEnd = true;
        return;
      }
      const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
      if (name === 'heartbeat' && !(number >= 1 && number <= 60)) {
        faults.push({
          field: name,
          message: `parameter 'heartbeat' takes a number of seconds from 1 to 60, not ${quoted(text)}`,
        });
      } else if (!Number.isSafeInteger(number)) {
        faults.push({
          field: name,
          message: `parameter '${name}' takes a whole number from 0${name === 'after' && parts.includes('follow') ? ', or end' : ''}, not ${quoted(text)}`,
        });
      } else if (name === 'after' || name === 'until') found[name] = BigInt(number);
      else found[name] = number;
    }
  }
}

/** A column and its test, by the name of a parameter; an exact name of a column is that column, whatever it ends with. */
function columnOf(
  name: string,
  parts: readonly QueryPart[],
  columns: readonly Column[],
): { readonly column: Column; readonly operator: FilterOperator } | Fault {
  if (!parts.includes('filters')) return unknown(name, parts, columns);
  const isDotted = name.startsWith('.');
  const whole = isDotted ? name.slice(1) : name;
  const byName = (wanted: string): ReturnType<typeof findColumn> =>
    isDotted || !isShadowed(wanted, parts) ? findColumn(columns, wanted) : undefined;
  const own = byName(whole);
  if (own === 'several') return ambiguous(name, whole);
  if (own !== undefined) return filterable(name, own, equality, parts);
  const [, base = '', written = ''] = /^(.+)\[([^[\]]*)\]$/s.exec(whole) ?? [];
  const column = base === '' ? undefined : byName(base);
  if (column === 'several') return ambiguous(name, base);
  if (column === undefined) return unknown(name, parts, columns);
  const known = operatorNames.find((operator) => operator === written);
  return filterable(name, column, known === undefined ? undefined : filterOperators[known], parts);
}

function filterable(
  name: string,
  column: Column,
  operator: FilterOperator | undefined,
  parts: readonly QueryPart[],
): { readonly column: Column; readonly operator: FilterOperator } | Fault {
  if (column.sensitive) {
    return { field: name, message: `column '${column.name}' is sensitive and cannot be filtered by` };
  }
  if (operator?.fits(column.type) === true) return { column, operator };
  const allowed = `allowed: ${filtersOn(column, parts)
    .map(({ parameter }) => parameter)
    .join(', ')}`;
  const type = typeName(column.type);
  if (operator === equality) {
    return { field: name, message: `column '${column.name}' is ${type} and has no values to compare with`, allowed };
  }
  return { field: name, message: `${quoted(name)} is no filter on column '${column.name}', which is ${type}`, allowed };
}

function unknown(name: string, parts: readonly QueryPart[], columns: readonly Column[]): Fault {
  const filters = parts.includes('filters')
    ? columns.filter((column) => !column.sensitive && equality.fits(column.type)).map((column) => nameOf(column, parts))
    : [];
  const known = [...namesIn(parts), ...filters];
  return {
    field: name,
    message: `there is no parameter ${quoted(name)}`,
    allowed: `allowed: ${known.length === 0 ? 'none' : known.join(', ')}`,
  };
}

function ambiguous(name: string, column: string): Fault {
  return { field: name, message: `several columns are named ${quoted(column)}` };
}
