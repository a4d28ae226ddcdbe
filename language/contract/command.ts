import type { JsonObject } from '../values/json.ts';
import type { Type } from '../values/type.ts';

export interface CommandField {
  readonly name: string;
  readonly type: Type;
  readonly key: boolean;
  readonly sensitive: boolean;
  /** May not be absent. */
  readonly required: boolean;
  /** May be NULL. */
  readonly nullable: boolean;
}

/** A generated command module: `C` is its argument type, a field of each declared name. */
export interface CommandDefinition<C> {
  readonly name: string;
  readonly fields: readonly CommandField[];
  readonly streamField: string;
  /** Checks and converts arguments as sent; throws a `Failure` R01xx that names the field. */
  readonly decode: (sent: JsonObject) => C;
  /** The canonical text of the stream id, never empty. */
  readonly streamId: (command: C) => string;
}
