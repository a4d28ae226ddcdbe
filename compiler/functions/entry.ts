import type { Type } from '../../language/values/type.ts';

/**
 * An entry of the function catalogue: a function or operator of the language, its signatures, and how each target
 * evaluates it. Operators are entries too, under names such as `add`, `equal`, `and`, `concat`.
 */
export interface FunctionEntry {
  /** Upper case for functions of the language, lower case for operators and for syntax that becomes a call. */
  readonly name: string;
  /** `x + y`, `UPPER(text)`: for messages and the reference. */
  readonly usage: readonly string[];
  /** Chooses types for these arguments, or says why it accepts none of them. */
  readonly resolve: (given: readonly GivenArgument[]) => Resolution | Unresolvable;
  /** `volatile`: once per occurrence and command (random); `stable`: one value per statement (NOW); absent: a pure function. */
  readonly volatility?: 'stable' | 'volatile';
  /** True when the result is NULL exactly when an argument is. */
  readonly strict?: true;
  /** True for a one-way function that clears the SENSITIVE mark in schema text (`digest`). */
  readonly clearsSensitive?: true;
  /** An SQL expression for SQLite (sql.js) with the functions of `language/sqlite/functions.ts` registered. Always self-parenthesised. */
  readonly sqlite: (call: PrintedCall) => string;
  /** A TypeScript expression over the values of `language/values/type.ts`; plain operators where no operand is nullable. Self-parenthesised. */
  readonly typescript: (call: PrintedCall) => string;
}

export interface GivenArgument {
  readonly type: Type;
  /** A string literal or NULL, which takes the type of its context (docs/language.md#types). */
  readonly untyped: boolean;
  /** The value, for literals: some signatures depend on it (ARROW_CAST, encode, EXTRACT). */
  readonly literal?: string | number | boolean | null;
}
export interface Resolution {
  /** The type that each argument is cast to first (implicit), in order. */
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Whether the result can be NULL, given which arguments can be NULL. */
  readonly nullable: (argumentsNullable: readonly boolean[]) => boolean;
}
export interface Unresolvable {
  readonly problem: string;
}
export interface PrintedCall {
  readonly arguments: readonly PrintedArgument[];
  readonly result: Type;
  /** For a draw in a decision: `CallShape.place` as a literal. */
  readonly place?: string;
}
export interface PrintedArgument {
  readonly text: string;
  readonly type: Type;
  readonly nullable: boolean;
  /** True for a literal or plain column, which may be printed twice without cost. */
  readonly simple: boolean;
}
