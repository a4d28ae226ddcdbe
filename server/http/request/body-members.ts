import type { JsonObject, JsonValue } from '../../../language/values/json.ts';
import { ExactNumber } from '../../../language/values/json.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import { Problem } from '../wire/problem.ts';
import { quoted } from './quoted.ts';

/** A member of a JSON body: the allowed values in words and as a JSON Schema, and its value, undefined if it is refused. */
export interface Member<T> {
  readonly takes: string;
  readonly schema: JsonSchema;
  readonly read: (value: JsonValue) => T | undefined;
}
export type Members = Readonly<Record<string, Member<unknown>>>;

export function wholeNumber(least: number, most: number): Member<number> {
  const isUnbounded = most === Number.MAX_SAFE_INTEGER;
  return {
    takes: isUnbounded ? `a whole number from ${least} on` : `a whole number from ${least} to ${most}`,
    schema: { type: 'integer', minimum: least, ...(isUnbounded ? {} : { maximum: most }) },
    read: (value) => {
      const number = numberOf(value);
      return number !== undefined && number >= least && number <= most ? number : undefined;
    },
  };
}

export const positionOrEnd: Member<number | 'end'> = {
  takes: "a position or 'end'",
  schema: { anyOf: [{ type: 'integer', minimum: 0 }, { const: 'end' }] },
  read: (value) => {
    if (value === 'end') return value;
    const number = numberOf(value);
    return number !== undefined && number >= 0 ? number : undefined;
  },
};

export const flag: Member<boolean> = {
  takes: 'true or false',
  schema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

export const token: Member<string> = {
  takes: 'the text of a lease',
  schema: { type: 'string', maxLength: 64 },
  read: (value) => (typeof value === 'string' && value.length <= 64 ? value : undefined),
};

export const sentence: Member<string> = {
  takes: 'a text of at most 1000 characters',
  schema: { type: 'string', maxLength: 1000 },
  read: (value) => (typeof value === 'string' && value.length <= 1000 ? value : undefined),
};

/** Positions, at most those of a lease. */
export const positions: Member<readonly number[]> = {
  takes: 'a list of at most 1000 positions',
  schema: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 1000 },
  read: (value) => {
    if (!Array.isArray(value) || value.length > 1000) return undefined;
    const numbers = value.flatMap((item: JsonValue) => numberOf(item) ?? []);
    return numbers.length === value.length ? numbers : undefined;
  },
};

function numberOf(value: JsonValue): number | undefined {
  const number = value instanceof ExactNumber ? Number(value.text) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** The members of a body by their names; unknown, missing and ill-typed ones are refused. */
export function bodyMembers(
  body: JsonObject,
  { members, required = [] }: { readonly members: Members; readonly required?: readonly string[] },
): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  for (const [name, value] of body) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member === undefined) {
      const known = Object.keys(members);
      throw wrong(
        name,
        `the body has no member ${quoted(name)}; it takes ${known.length === 0 ? 'none' : known.join(', ')}`,
      );
    }
    const read = member.read(value);
    if (read === undefined) throw wrong(name, `'${name}' takes ${member.takes}`);
    given[name] = read;
  }
  const missing = required.find((name) => !Object.hasOwn(given, name));
  if (missing !== undefined) throw wrong(missing, `'${missing}' is missing; it takes ${members[missing]?.takes ?? ''}`);
  return given;
}

function wrong(field: string, message: string): Problem {
  return new Problem('H4005', message, {}, [{ field, message, pointer: `/${field}` }]);
}
