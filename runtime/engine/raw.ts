declare const hidden: unique symbol;

/**
 * A value that no mask has passed. It has no member to read: `server/operation/shown.ts` makes of it what a caller may see. It is the value
 * itself, so that this costs nothing.
 */
export interface Raw<T> {
  readonly [hidden]: T;
}

export function raw<T>(value: T): Raw<T> {
  return value as unknown as Raw<T>;
}
