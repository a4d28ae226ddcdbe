import type { Column } from '../../../language/contract/query.ts';
import type { Filter } from '../../../language/contract/selection.ts';
import { readInput } from '../../../language/values/input.ts';
import { ExactNumber, type JsonValue } from '../../../language/values/json.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import { quoted } from '../request/quoted.ts';
import { readItems } from './fields.ts';
import { mostListed, type FilterOperator } from './parameter-table.ts';

/** `problem` is a sentence about the parameter. */
export type ReadFilter = { readonly filter: Filter } | { readonly problem: string };

type ReadValue = { readonly value: Value } | { readonly problem: string };

/** The filter of `?column[operator]=text`, with values by the column's type; a text that is not exactly such a value is a problem. */
export function readFilter(parameter: string, column: Column, { test }: FilterOperator, text: string): ReadFilter {
  switch (test) {
    case 'in':
      return readList(parameter, column, text);
    case 'is_null':
      if (text !== 'true' && text !== 'false')
        return { problem: `parameter ${quoted(parameter)} takes true or false, not ${quoted(text)}` };
      return { filter: { column: column.name, test, holds: text === 'true' } };
    case 'like':
      if (/(?<!\\)(\\\\)*\\$/.test(text))
        return {
          problem: `the pattern of ${quoted(parameter)} ends with its escape character; write \\\\ for a backslash`,
        };
      return { filter: { column: column.name, test, value: text } };
    default: {
      const read = readValue(column, text);
      return 'problem' in read ? read : { filter: { column: column.name, test, value: read.value } };
    }
  }
}

function readList(parameter: string, column: Column, text: string): ReadFilter {
  const items = readItems(text);
  if (items === undefined) return { problem: `parameter ${quoted(parameter)} has a double quote that is not closed` };
  if (items.length > mostListed)
    return {
      problem: `parameter ${quoted(parameter)} lists ${items.length} values; at most ${mostListed} are allowed`,
    };
  const values: Value[] = [];
  for (const { quoted: inQuotes, rest } of items) {
    if (inQuotes !== undefined && rest !== '')
      return {
        problem: `parameter ${quoted(parameter)} has text behind the closing quote of ${quoted(inQuotes)}: ${quoted(rest)}`,
      };
    const read = readValue(column, inQuotes ?? rest);
    if ('problem' in read) return read;
    values.push(read.value);
  }
  return { filter: { column: column.name, test: 'in', values } };
}

function readValue(column: Column, text: string): ReadValue {
  const input = readInput(asJson(column.type, text), column.type);
  if (input.problem === undefined) return { value: input.value };
  return { problem: `column '${column.name}' takes ${input.problem.takes}, not ${quoted(text)}` };
}

/** The text as a caller would send it in JSON. */
function asJson({ kind }: Type, text: string): JsonValue {
  if (kind === 'BOOLEAN') return text === 'true' ? true : text === 'false' ? false : text;
  if (kind !== 'DOUBLE') return text;
  return /^-?\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,4})?$/i.test(text) ? new ExactNumber(text) : text;
}
