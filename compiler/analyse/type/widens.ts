import type { EnumType, Type } from '../../../language/values/type.ts';

/**
 * Whether every value of `stored` is one of `now` in the same form, so that stored events need no change (docs/language.md#event): INT →
 * BIGINT → DECIMAL, VARCHAR(n) → a longer one or STRING.
 */
export function widens(stored: Type, now: Type): boolean {
  if (stored.kind === 'STRING' && now.kind === 'STRING') {
    if (now.enum !== undefined) return stored.enum !== undefined && isSameName(stored.enum, now.enum);
    const { length } = now;
    if (stored.enum !== undefined)
      return length === undefined || stored.enum.values.every((value) => Array.from(value).length <= length);
    return now.length === undefined || (stored.length !== undefined && stored.length <= now.length);
  }
  if (stored.kind === 'DECIMAL' && now.kind === 'DECIMAL') {
    return stored.scale <= now.scale && stored.precision - stored.scale <= now.precision - now.scale;
  }
  if (stored.kind === now.kind) return true;
  if (stored.kind === 'INT')
    return now.kind === 'BIGINT' || (now.kind === 'DECIMAL' && now.precision - now.scale >= 10);
  return stored.kind === 'BIGINT' && now.kind === 'DECIMAL' && now.precision === 18 && now.scale === 0;
}

/** The values of an ENUM change under rules of their own (`check-enum.ts`). */
function isSameName(a: EnumType, b: EnumType): boolean {
  return a.name.toLowerCase() === b.name.toLowerCase();
}

/** The types to which `widens` allows a stored type to change, in words; undefined if none is wider. */
export function widerTypes(stored: Type): string | undefined {
  switch (stored.kind) {
    case 'INT':
      return 'BIGINT or a DECIMAL with 10 or more digits before the point';
    case 'BIGINT':
      return 'DECIMAL(18,0)';
    case 'DECIMAL':
      return `a DECIMAL with ${stored.precision - stored.scale} or more digits before the point and ${stored.scale} or more behind it`;
    case 'STRING':
      if (stored.enum !== undefined) return 'STRING';
      return stored.length === undefined ? undefined : 'STRING or a longer VARCHAR';
    default:
      return undefined;
  }
}

/** Structural equality; the mark of a bare DECIMAL is ignored. */
export function sameType(a: Type, b: Type): boolean {
  switch (a.kind) {
    case 'STRING':
      return b.kind === 'STRING' && a.length === b.length && sameEnum(a.enum, b.enum);
    case 'DECIMAL':
      return b.kind === 'DECIMAL' && a.precision === b.precision && a.scale === b.scale;
    case 'LIST':
      return b.kind === 'LIST' && sameType(a.of, b.of);
    case 'STRUCT':
      return (
        b.kind === 'STRUCT' &&
        a.fields.length === b.fields.length &&
        a.fields.every((field, index) => {
          const other = b.fields[index];
          return other !== undefined && field.name === other.name && sameType(field.type, other.type);
        })
      );
    default:
      return a.kind === b.kind;
  }
}

function sameEnum(a: EnumType | undefined, b: EnumType | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.name === b.name && a.values.length === b.values.length && a.values.every((value, i) => value === b.values[i])
  );
}
