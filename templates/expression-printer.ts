import type { TypedExpression } from '../compiler/catalog/expression.ts';
import type { Code } from './code.ts';

/** How a decision's template has its expressions printed; `compiler/emit/typescript/` gives one for each branch. */
export interface BranchPrinter {
  /** Code that is true exactly when the guard is TRUE; what is printed afterwards may rely on it. */
  readonly guard: (expression: TypedExpression) => Code;
  /** The text of a value. */
  readonly value: (expression: TypedExpression) => string;
  /** The text of a stream's id: a string, never null. */
  readonly streamId: (expression: TypedExpression) => string;
}
