import type { TypedExpression } from '../language/catalog/expression.ts';
import type { Code } from './code.ts';
import type { FunctionPart } from './module.ts';

/** A function of the schema, as a function of the module that calls it. */
export interface PrintedFunction {
  readonly name: string;
  readonly documentation: readonly string[];
  readonly parameters: FunctionPart['parameters'];
  readonly returns: string;
  readonly value: Code;
}

/** Prints the expressions of a decision's template; `compiler/emit/typescript/` gives one for each branch. */
export interface BranchPrinter {
  /** Code that is true exactly when the guard is TRUE; later prints may rely on it. */
  readonly guard: (expression: TypedExpression) => Code;
  /** A value, at a position without an operator around it. */
  readonly value: (expression: TypedExpression) => Code;
  /** The text of a stream's id: a string, never null. */
  readonly streamId: (expression: TypedExpression) => string;
  /** The functions of the schema that a piece of the catalog calls. */
  readonly functions: (within: unknown) => readonly PrintedFunction[];
}

/**
 * The source of the columns in a fold's expressions: an event row, or the accumulators' slots, by the names of their
 * locals, with arguments from the command.
 */
export type RowSource = 'event' | ((lookup: number, slot: number) => string);

/** Prints the expressions of an UPCAST clause: old fields are properties of `stored`, facts of the event of `event`. */
export interface UpcastPrinter {
  readonly value: (expression: TypedExpression) => Code;
  /** The functions of the schema that a piece of the catalog calls. */
  readonly functions: (within: unknown) => readonly PrintedFunction[];
}

/** The printer of fold expressions, which are independent of each other. */
export interface RowPrinter {
  /** Code that is true exactly when the expression is TRUE. */
  readonly condition: (expression: TypedExpression, source: RowSource) => Code;
  readonly value: (expression: TypedExpression, source: RowSource) => Code;
  /** In parentheses when it is an operand. */
  readonly operand: (expression: TypedExpression, source: RowSource) => Code;
  /** The slots that expressions read, each once, in order. */
  readonly slots: (
    expressions: readonly TypedExpression[],
  ) => readonly { readonly lookup: number; readonly slot: number }[];
  /** The functions of the schema that a piece of a plan calls. */
  readonly functions: (within: unknown) => readonly PrintedFunction[];
}
