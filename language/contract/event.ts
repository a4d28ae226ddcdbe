import type { Type } from '../values/type.ts';

export interface EventField {
  readonly name: string;
  readonly type: Type;
  readonly sensitive: boolean;
  readonly volatile: boolean;
  readonly tag: boolean;
}

/** A generated event module: `E` is its payload type, a field of each declared name, NULL where unassigned. */
export interface EventDefinition<E> {
  readonly name: string;
  readonly version: number;
  readonly fields: readonly EventField[];
  /** The payload as it is stored: one JSON object text in the payload forms of `values/type.ts`, NULL and VOLATILE fields left out. */
  readonly encode: (payload: E) => string;
}
