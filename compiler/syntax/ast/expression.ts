import type { binaryPrecedence } from '../precedence.ts';
import type { Name, NodeBase, TypeName } from './node.ts';
import type { Query } from './query.ts';

export type Expression =
  | StringLiteral
  | NumberLiteral
  | BooleanLiteral
  | NullLiteral
  | TypedLiteral
  | BindParameter
  | ColumnReference
  | Unary
  | Binary
  | IsTest
  | Between
  | InList
  | InQuery
  | AnyQuery
  | AnyComparison
  | Like
  | JsonGet
  | Case
  | Cast
  | AtTimeZone
  | Extract
  | FunctionCall
  | Exists
  | ScalarSubquery;

export interface StringLiteral extends NodeBase<'StringLiteral'> {
  readonly value: string;
}
/** `text` is the digits as written, without `_`, exact: `7`, `7.50`, `.5`, `1e-3`. Never negative. */
export interface NumberLiteral extends NodeBase<'NumberLiteral'> {
  readonly text: string;
}
export interface BooleanLiteral extends NodeBase<'BooleanLiteral'> {
  readonly value: boolean;
}
export type NullLiteral = NodeBase<'NullLiteral'>;
/** `DATE '2026-01-01'`, `TIMESTAMP '…'`. */
export interface TypedLiteral extends NodeBase<'TypedLiteral'> {
  readonly type: 'DATE' | 'TIMESTAMP' | 'INTERVAL';
  readonly value: string;
}
/** `:field`. */
export interface BindParameter extends NodeBase<'BindParameter'> {
  readonly name: Name;
}
/** `a`, `t.a`, `data.a`, `t.data.a`: the parts in order, at least one. */
export interface ColumnReference extends NodeBase<'ColumnReference'> {
  readonly path: readonly Name[];
}
export interface Unary extends NodeBase<'Unary'> {
  readonly operator: '-' | '+' | 'NOT';
  readonly operand: Expression;
}
export type BinaryOperator = keyof typeof binaryPrecedence;
/** `!=` is read as `<>`. */
export interface Binary extends NodeBase<'Binary'> {
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}
export interface IsTest extends NodeBase<'IsTest'> {
  readonly operand: Expression;
  readonly test: 'NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN';
  readonly negated: boolean;
}
export interface Between extends NodeBase<'Between'> {
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
  readonly negated: boolean;
  /** The ends may be in either order. */
  readonly symmetric?: true;
}
export interface InList extends NodeBase<'InList'> {
  readonly operand: Expression;
  readonly list: readonly Expression[];
  readonly negated: boolean;
}
export interface InQuery extends NodeBase<'InQuery'> {
  readonly operand: Expression;
  readonly query: Query;
  readonly negated: boolean;
  /** Written as a comparison: `= ANY (…)`, negated `<> ALL (…)`. */
  readonly compared?: true;
}
/** `x < ANY (SELECT …)`; forms that `IN` can express are an `InQuery`. */
export interface AnyQuery extends NodeBase<'AnyQuery'> {
  readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>=';
  readonly quantifier: 'ANY' | 'ALL';
  readonly left: Expression;
  readonly query: Query;
}
/** `x = ANY(tags)`; the right side is one expression of a list type. */
export interface AnyComparison extends NodeBase<'AnyComparison'> {
  readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>=';
  readonly left: Expression;
  readonly list: Expression;
}
export interface Like extends NodeBase<'Like'> {
  readonly operand: Expression;
  readonly pattern: Expression;
  readonly escape?: Expression;
  readonly caseInsensitive: boolean;
  readonly negated: boolean;
}
/** `data->'a'` and `data->>'a'`. */
export interface JsonGet extends NodeBase<'JsonGet'> {
  readonly operator: '->' | '->>';
  readonly operand: Expression;
  readonly key: Expression;
}
/** `operand` is set for `CASE x WHEN …`. */
export interface Case extends NodeBase<'Case'> {
  readonly operand?: Expression;
  readonly branches: readonly CaseBranch[];
  readonly otherwise?: Expression;
}
export interface CaseBranch extends NodeBase<'CaseBranch'> {
  readonly when: Expression;
  readonly then: Expression;
}
export interface Cast extends NodeBase<'Cast'> {
  readonly operand: Expression;
  readonly type: TypeName;
  readonly form: 'CAST' | '::';
}
/** `x AT TIME ZONE 'Europe/Oslo'`. */
export interface AtTimeZone extends NodeBase<'AtTimeZone'> {
  readonly operand: Expression;
  readonly zone: Expression;
}
/** `EXTRACT(YEAR FROM x)`; `field` upper-cased. */
export interface Extract extends NodeBase<'Extract'> {
  readonly field: string;
  readonly operand: Expression;
}
/**
 * A call. `form` records how it was written where SQL has words instead of commas; its arguments are already in plain order:
 * `POSITION(needle IN text)` → [needle, text]; `SUBSTRING(x FROM a FOR b)` → [x, a, b]; `TRIM(LEADING c FROM x)` → [x, c] with `trim`;
 * `CURRENT_TIMESTAMP`, `CURRENT_DATE` without parentheses → `bare`.
 */
export interface FunctionCall extends NodeBase<'FunctionCall'> {
  readonly name: Name;
  readonly arguments: readonly Expression[];
  readonly form: 'plain' | 'words' | 'bare';
  readonly trim?: 'LEADING' | 'TRAILING' | 'BOTH';
  /** `COUNT(*)`. */
  readonly star: boolean;
  readonly distinct: boolean;
  readonly orderBy: readonly OrderItem[];
  readonly filter?: Expression;
  /** `OVER (…)`, or the name of a window of the WINDOW clause: `OVER w`. */
  readonly over?: WindowSpecification | Name;
}
export interface WindowSpecification extends NodeBase<'WindowSpecification'> {
  /** `(w ORDER BY …)`: the window that this one extends. */
  readonly base?: Name;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly frame?: WindowFrame;
}
export interface WindowFrame extends NodeBase<'WindowFrame'> {
  readonly unit: 'ROWS' | 'RANGE' | 'GROUPS';
  readonly start: FrameBound;
  readonly end?: FrameBound;
  readonly exclude?: FrameExclusion;
}
export type FrameExclusion = 'CURRENT ROW' | 'GROUP' | 'TIES' | 'NO OTHERS';
/** `w AS (…)` of a WINDOW clause. */
export interface WindowDefinition extends NodeBase<'WindowDefinition'> {
  readonly name: Name;
  readonly specification: WindowSpecification;
}
export type FrameBound =
  | { readonly at: 'UNBOUNDED PRECEDING' | 'CURRENT ROW' | 'UNBOUNDED FOLLOWING' }
  | { readonly at: 'PRECEDING' | 'FOLLOWING'; readonly offset: Expression };
export interface OrderItem extends NodeBase<'OrderItem'> {
  readonly expression: Expression;
  readonly direction?: 'ASC' | 'DESC';
  readonly nulls?: 'FIRST' | 'LAST';
}
export interface Exists extends NodeBase<'Exists'> {
  readonly query: Query;
}
export interface ScalarSubquery extends NodeBase<'ScalarSubquery'> {
  readonly query: Query;
}
