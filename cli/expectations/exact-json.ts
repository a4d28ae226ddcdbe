import { ExactNumber, isList, isObject, type JsonValue } from '../../language/values/json.ts';

/**
 * A single text per value: numbers by value (`1.50`, `15e-1` and `1.5` are equal), keys sorted. Two values are equal exactly when their
 * texts are.
 */
export function canonicalText(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value instanceof ExactNumber) return canonicalNumber(value.text);
  if (isList(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (isObject(value)) {
    const members = [...value].sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Whether `got` contains everything that `wanted` names: objects may have more keys, lists may not be longer. */
export function covers(got: JsonValue | undefined, wanted: JsonValue): boolean {
  if (isList(wanted)) {
    return isList(got) && got.length === wanted.length && wanted.every((item, index) => covers(got[index], item));
  }
  if (isObject(wanted)) {
    return isObject(got) && [...wanted].every(([key, member]) => got.has(key) && covers(got.get(key), member));
  }
  return canonicalText(got) === canonicalText(wanted);
}

/** The members of the result that `wanted` names; all if it names nothing comparable. */
export function named(got: JsonValue | undefined, wanted: JsonValue | undefined): JsonValue | undefined {
  if (isList(got) && isList(wanted)) return got.map((item, index) => named(item, wanted[index]) ?? null);
  if (!isObject(got) || !isObject(wanted)) return got;
  return new Map(
    [...got].flatMap(([key, member]) => (wanted.has(key) ? [[key, named(member, wanted.get(key)) ?? null]] : [])),
  );
}

/** A number's digits without exponent, leading and trailing zeros, or a negative zero. */
function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  // An exponent that would print millions of zeros keeps its written form.
  if (Math.abs(Number(exponent)) > 10_000) return text;
  const shift = fraction.length - Number(exponent);
  const digits = (whole + fraction + '0'.repeat(Math.max(0, -shift))).padStart(Math.max(0, shift) + 1, '0');
  const point = digits.length - Math.max(0, shift);
  const head = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const tail = digits.slice(point).replace(/0+$/, '');
  const result = tail === '' ? head : `${head}.${tail}`;
  return result === '0' ? '0' : sign + result;
}
