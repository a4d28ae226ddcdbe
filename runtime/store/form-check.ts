/** Checks whether data from outside has the required form, field by field. Every text and list can have a limit. */
export type Check = (value: unknown) => boolean;

/** A check for each field of a form, so that a new field cannot be forgotten here. */
export type Checks<T> = { readonly [Field in keyof Required<T>]: Check };

export const text: Check = (value) => typeof value === 'string';

/** 1 to `most` UTF-16 units. */
export const textUpTo =
  (most: number): Check =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= most;

export const wholeFrom =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

export const oneOf =
  (...known: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && known.includes(value);

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const listOf =
  (check: Check, most = Infinity): Check =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(check);

export const record =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    fieldProblem(value, fields) === undefined;

/** Text of one JSON object on one line, as `encode` writes it. */
export const objectText: Check = (value) => {
  if (typeof value !== 'string' || /[\t\n\r]/.test(value)) return false;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
};

/** The first field with a wrong value or an unknown name; undefined when there is none. */
export function fieldProblem(
  value: unknown,
  fields: Readonly<Record<string, Check>>,
): { readonly field: string; readonly known: boolean } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { field: '', known: true };
  const given = value as Readonly<Record<string, unknown>>;
  // Unknown names first: a newer version may have added one, which explains the rest.
  for (const name of Object.keys(given)) if (!Object.hasOwn(fields, name)) return { field: name, known: false };
  for (const name in fields) if (fields[name]?.(given[name]) === false) return { field: name, known: true };
  return undefined;
}
