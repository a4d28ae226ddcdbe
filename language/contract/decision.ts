import type { Type, Value } from '../values/type.ts';
import type { CallerValues } from './caller.ts';
import type { FoldLookup } from './fold.ts';
import type { Column, CompiledQuery } from './query.ts';

/** Time and randomness, fixed for one command (docs/language.md#decision). */
export interface DecisionContext {
  /** The command's one instant, µs since 1970. */
  readonly now: bigint;
  /** A DOUBLE in [0, 1). The place is that of the draw in the decision. */
  readonly random: (place?: string) => number;
  /** A random UUID in canonical text. */
  readonly uuid: (place?: string) => string;
  /** Seed of the draws (`language/values/draws.ts`), if they are to be repeated: a STATE that is a query draws from it too. */
  readonly seed?: () => string;
  /** The sender of the command; absent where none is known, as in a session without `SET CALLER`. */
  readonly caller?: CallerValues;
}

/** An event that a branch emits, its payload typed by the event's module. */
export interface Emission {
  readonly event: string;
  readonly aggregate: string;
  /** Without it, the command's own stream. */
  readonly stream?: string;
  readonly payload: object;
}

/** For each branch in order: the events it emits, or `null` when its guard is not TRUE. */
export type Decided = readonly (readonly Emission[] | null)[];

/** The read of a decision's state; columns are the properties of `S`, in order. */
export interface StateDefinition {
  readonly columns: readonly Column[];
  /** Parameters are fields of the command, by name. */
  readonly query: CompiledQuery;
  /**
   * Set when the state consists of folds looked up by key: `compose` makes the row from their states, or `null` for no row. Then `query`
   * serves only EXPLAIN and the tests, and is not run to decide.
   */
  readonly folds?: readonly FoldLookup[];
  readonly compose?: (command: object, states: readonly object[], context: DecisionContext) => readonly Value[] | null;
  /** The columns when no row is found (an empty stream's DEFAULTs, else NULLs). */
  readonly empty: readonly Value[];
  /** The columns of `empty` that hold the id of the stream (a KEY field, `aggregate_id`), and that id as a value of its own type. */
  readonly emptyKey?: {
    readonly columns: readonly number[];
    readonly type: Type;
    readonly id: (command: object, context: DecisionContext) => Value;
  };
}

/** A generated decision module. `decide` is pure. */
export interface DecisionDefinition<C, S> {
  readonly name: string;
  readonly aggregate: string;
  readonly command: string;
  readonly branches: readonly BranchDefinition[];
  readonly state?: StateDefinition;
  /** Set if it reads the caller: the claims among that, sorted. */
  readonly callerClaims?: readonly string[];
  readonly decide: (command: C, state: S, context: DecisionContext) => Decided;
}
export interface BranchDefinition {
  readonly id: string;
  readonly label?: string;
  readonly guard?: string;
  readonly events: readonly string[];
}
