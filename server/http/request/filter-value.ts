import type { Column } from '../../../language/contract/query.ts';
import { readInput } from '../../../language/values/input.ts';
import { ExactNumber, type JsonValue } from '../../../language/values/json.ts';
import { typeName, type Type, type Value } from '../../../language/values/type.ts';
import { Problem } from '../answers/problem.ts';
import { quoted } from './quoted.ts';

/** The value of `?column=text` by the column's type; a text that is not a value of the type is refused (400). */
export function filterValue(column: Column, text: string): Value {
  const given = asJson(column.type, text);
  if (given === undefined)
    throw new Problem(400, `column '${column.name}' is ${typeName(column.type)} and cannot be filtered by`);
  const input = readInput(given, column.type);
  if (input.problem === undefined) return input.value;
  throw new Problem(400, `column '${column.name}' takes ${input.problem.takes}, not ${quoted(text)}`);
}

/** Whether `?column=text` can name a value of the column at all. */
export function canFilter({ type }: Column): boolean {
  return asJson(type, '') !== undefined;
}

/** The text as a caller would send it in JSON; undefined if values of the type have several spellings. */
function asJson(type: Type, text: string): JsonValue | undefined {
  switch (type.kind) {
    case 'JSON':
    case 'LIST':
    case 'STRUCT':
      return undefined;
    case 'BOOLEAN':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'DOUBLE':
      return /^-?\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,4})?$/i.test(text) ? new ExactNumber(text) : text;
    default:
      return text;
  }
}
