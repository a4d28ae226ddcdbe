import type { CallerPart } from './caller.ts';
import type { Docs } from './docs.ts';
import type { DecisionContext } from './decision.ts';
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
  /** The part of the caller that it has as its value when it is left out. */
  readonly callerDefault?: CallerPart;
}

/** A keyword of JSON Schema that every value of a field which passes a CHECK satisfies. */
export interface FieldLimit {
  readonly field: string;
  readonly keyword:
    | 'minimum'
    | 'exclusiveMinimum'
    | 'maximum'
    | 'exclusiveMaximum'
    | 'minLength'
    | 'maxLength'
    | 'enum';
  readonly value: number | readonly string[];
}

export interface CommandCheck<C> {
  /** Its condition as written, for messages; it never contains a value of an argument. */
  readonly text: string;
  /** Its MESSAGE, which the caller of a refused command reads in place of the condition. */
  readonly message?: string;
  /** The field that it is written at. */
  readonly field?: string;
  readonly limits: readonly FieldLimit[];
  /** True if the condition is FALSE: TRUE and NULL pass. Throws a `Failure` if it cannot be evaluated. */
  readonly fails: (command: C, context: DecisionContext) => boolean;
}

/** ALLOW: the condition under which a caller may send the command. */
export interface CommandAllow<C> {
  /** Its condition as written; it never contains a value of an argument. */
  readonly text: string;
  /** Its MESSAGE, which a refused caller reads. */
  readonly message?: string;
  /** True if the condition is TRUE. Throws a `Failure` if it cannot be evaluated, which refuses too. */
  readonly passes: (command: C, context: DecisionContext) => boolean;
}

/** A generated command module: `C` is its argument type, a field of each declared name. */
export interface CommandDefinition<C> {
  readonly name: string;
  readonly docs?: Docs;
  readonly fields: readonly CommandField[];
  readonly streamField: string;
  /** Checks and converts arguments as sent; throws a `Failure` R01xx that names the field. */
  readonly decode: (sent: JsonObject) => C;
  /** The canonical text of the stream id, never empty. */
  readonly streamId: (command: C) => string;
  /** Absent without a CHECK. */
  readonly checks?: readonly CommandCheck<C>[];
  readonly allow?: CommandAllow<C>;
  /** Set if ALLOW or a DEFAULT reads the caller: the claims among that, sorted. */
  readonly callerClaims?: readonly string[];
}
