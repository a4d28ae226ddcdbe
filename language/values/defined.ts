/** A shape whose optional members may be undefined. */
export type Optionally<T> = T extends unknown
  ? { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] }
  : never;

/** The shape that a caller asks for: unlike NoInfer, it is spread over a union. */
export type Asked<T> = [T][T extends unknown ? 0 : never];

/** An object without the members that are undefined: an optional member is absent, never undefined. */
export function defined<T extends object>(members: Optionally<Asked<T>>): T {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) found[name] = value;
  return found as T; // the absent members are optional
}
