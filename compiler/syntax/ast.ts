/** The syntax tree: the text as written, every node with its span. Takes nothing, gives only types; the meaning of names is decided in `analyse/`. */
import { kindsByStatement } from '../../language/contract/block-kind.ts';
import type { AsOf } from './ast/as-of.ts';
import type * as Block from './ast/block.ts';
import type * as Expr from './ast/expression.ts';
import type { Name, TypeName } from './ast/node.ts';
import type * as Q from './ast/query.ts';
import type * as St from './ast/statement.ts';

export type * from './ast/node.ts';
export type * from './ast/as-of.ts';
export type * from './ast/expression.ts';
export type * from './ast/query.ts';
export type * from './ast/block.ts';
export type * from './ast/statement.ts';

/** All nodes. `children.ts` is typed from this union, so a forgotten kind does not compile. */
export type Node =
  | Name
  | TypeName
  | AsOf
  | Expr.Expression
  | Expr.CaseBranch
  | Expr.WindowSpecification
  | Expr.WindowFrame
  | Expr.WindowDefinition
  | Expr.OrderItem
  | Q.Query
  | Q.CommonTable
  | Q.SetOperation
  | Q.Values
  | Q.ValuesRow
  | Q.Select
  | Q.SelectItem
  | Q.Relation
  | St.Statement
  | Block.AggregateField
  | Block.CommandField
  | Block.Check
  | Block.Allow
  | Block.Visible
  | Block.EventField
  | Block.Upcast
  | Block.OldField
  | Block.Branch
  | Block.Emit
  | Block.EmitTarget
  | Block.Assignment
  | Block.StoreOption
  | Block.TemplateParameter
  | Block.FunctionParameter
  | Block.StartPoint
  | Block.Delivery
  | Block.Execution
  | Block.Due
  | St.TemplateArgument
  | St.ExecuteOption
  | St.RelationName
  | St.CandidateSchema
  | St.WrittenCaller
  | St.WrittenClaim;

/** True for INSPECT of any kind. */
export function isInspect(statement: St.Statement): statement is St.Inspect {
  return statement.kind.startsWith('Inspect');
}

/** True for the statements that create a registered block. */
export function isBlockStatement(statement: St.Statement): statement is Block.BlockStatement {
  return kindsByStatement.has(statement.kind);
}
