/** Conditions on columns in a body, as the generated client has them: `{"outcome": "rejected", "at": {"gte": "2026-01-01"}}`. */
import type { Column } from '../../../language/contract/query.ts';
import type { Filter } from '../../../language/contract/selection.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../../language/values/json.ts';
import { Problem } from '../wire/problem.ts';
import { readParameters } from './read-parameters.ts';
import type { Member } from '../request/body-members.ts';

/** Parameters of a read, `column` or `column[operator]`, and their values. */
type Conditions = readonly (readonly [parameter: string, value: string])[];

const scalar = { type: ['string', 'number', 'boolean'] };

export const conditions: Member<Conditions> = {
  takes: 'an object of columns, each with a value, or with an object of operators and their values',
  schema: {
    type: 'object',
    additionalProperties: {
      anyOf: [scalar, { type: 'object', additionalProperties: { anyOf: [scalar, { type: 'array', items: scalar }] } }],
    },
  },
  read: (value) => {
    if (!(value instanceof Map)) return undefined;
    const found: (readonly [string, string])[] = [];
    for (const [column, condition] of value as JsonObject) {
      const alone = scalarText(condition);
      if (alone !== undefined) {
        found.push([column, alone]);
        continue;
      }
      if (!(condition instanceof Map)) return undefined;
      for (const [operator, operand] of condition as JsonObject) {
        const text = Array.isArray(operand) ? listText(operand) : scalarText(operand);
        if (text === undefined) return undefined;
        found.push([`${column}[${operator}]`, text]);
      }
    }
    return found;
  },
};

function scalarText(value: JsonValue): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}

function listText(items: readonly JsonValue[]): string | undefined {
  const texts = items.map(scalarText);
  return texts.includes(undefined) ? undefined : texts.map((text) => `"${text?.replaceAll('"', '""')}"`).join(',');
}

/** The filters on these columns; conditions that do not fit are refused as the member of this name. */
export function filtersOf(name: string, given: Conditions, columns: readonly Column[]): readonly Filter[] {
  const text = given.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  try {
    return readParameters(text, ['filters'], columns).filters;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const faults = error.faults.map(({ field: _, ...fault }) => ({ ...fault, field: name, pointer: `/${name}` }));
    throw new Problem('H4005', `'${name}': ${error.message}`, {}, faults);
  }
}
