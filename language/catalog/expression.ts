import type { CallerPart } from '../contract/caller.ts';
import type { Type } from '../values/type.ts';
import type { Span } from '../source/span.ts';
import type { BoundQuery, SortKey } from './query.ts';

/**
 * A resolved, typed expression. Plain data: it goes to JSON and back unchanged.
 * - `type` is NULL's own type only for a bare NULL that no context has typed.
 * - `nullable` is false only if the value is proved to be never NULL.
 * - `sensitive` marks a value that derives from a SENSITIVE field (docs/language.md#sensitive-values).
 */
export type TypedExpression = ExpressionFacts & ExpressionShape;

/** The place of each expression in the text that it was bound from. */
export type Spans = WeakMap<TypedExpression, Span>;

export interface ExpressionFacts {
  readonly type: Type;
  readonly nullable: boolean;
  readonly sensitive: boolean;
}

export type ExpressionShape =
  | LiteralShape
  | ArgumentShape
  | CallerShape
  | StateShape
  | ColumnShape
  | CallShape
  | CaseShape
  | CastShape
  | InListShape
  | InQueryShape
  | AggregateShape
  | WindowShape
  | ScalarQueryShape
  | ExistsShape
  | MaskShape
  | ParameterShape
  | ApplyShape;

/** The payload form of `language/values/type.ts` (strings for BIGINT, DECIMAL, TIMESTAMP, DATE), so that it survives JSON; of a LIST its text. */
export interface LiteralShape {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null;
}
/** `:field` of the command being decided. */
export interface ArgumentShape {
  readonly kind: 'argument';
  readonly name: string;
}
/**
 * A part of the caller: `CURRENT_USER`, `HAS_ROLE('clerk')`, `CLAIM(clinic)`. Where a query is bound for a caller its value takes the place
 * (`rowsFor`); ALLOW and decisions read it from their context.
 */
export interface CallerShape {
  readonly kind: 'caller';
  readonly part: CallerPart;
}
/** A parameter, in the body of a function. */
export interface ParameterShape {
  readonly kind: 'parameter';
  readonly name: string;
}
/** A call of a function of the schema, with its body, so that the expression changes when the function does. */
export interface ApplyShape {
  readonly kind: 'apply';
  readonly function: string;
  /** In order; the body reads them by these names. */
  readonly parameters: readonly { readonly name: string; readonly type: Type }[];
  /** An argument for each parameter, already cast (`assign`) to its type. */
  readonly arguments: readonly TypedExpression[];
  readonly body: TypedExpression;
}
/** A column of the decision's STATE, by its declared name. */
export interface StateShape {
  readonly kind: 'state';
  readonly name: string;
}
/** A column of a relation instance in scope; `relation` is the instance's id, unique in the whole query, outer scopes included. */
export interface ColumnShape {
  readonly kind: 'column';
  readonly relation: number;
  /** The column's name in its relation; a payload field of an event relation is `data.<field>`. */
  readonly column: string;
}
/** A function or operator of the catalogue (`functions/`), by its entry's name and the signature chosen. */
export interface CallShape {
  readonly kind: 'call';
  readonly function: string;
  readonly arguments: readonly TypedExpression[];
  /** For a draw in a decision: its branch, event, field and occurrence, by which it is drawn from a seed. */
  readonly place?: string;
}
export interface CaseShape {
  readonly kind: 'case';
  /** `CASE x WHEN`: evaluated once, compared with `=`; the types of operand and whens are already equal. */
  readonly operand?: TypedExpression;
  readonly branches: readonly { readonly when: TypedExpression; readonly then: TypedExpression }[];
  readonly otherwise?: TypedExpression;
}
/** Conversion to this node's `type`. The analyser also inserts one wherever the operands of an operator differ in type. */
export interface CastShape {
  readonly kind: 'cast';
  readonly operand: TypedExpression;
  /** `assign` rounds numbers to the field and refuses text that is longer than n; `explicit` follows CAST. */
  readonly mode: 'explicit' | 'implicit' | 'assign';
  /** For `assign`: the field named when the value does not fit. */
  readonly field?: string;
}
export interface InListShape {
  readonly kind: 'in-list';
  readonly operand: TypedExpression;
  readonly list: readonly TypedExpression[];
  readonly negated: boolean;
}
export interface InQueryShape {
  readonly kind: 'in-query';
  readonly operand: TypedExpression;
  readonly query: BoundQuery;
  readonly negated: boolean;
  /** The query has at most `mostValues` rows, else it fails. */
  readonly bounded?: true;
}
export type AggregateName = 'LAST' | 'FIRST' | 'COUNT' | 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'ARRAY_AGG' | 'STRING_AGG';
export interface AggregateShape {
  readonly kind: 'aggregate';
  readonly function: AggregateName;
  /** Empty for COUNT(*); the second argument of STRING_AGG is the separator. */
  readonly arguments: readonly TypedExpression[];
  readonly distinct: boolean;
  readonly filter?: TypedExpression;
  readonly orderBy: readonly SortKey[];
  /** LAST and FIRST: the event relation instance whose order counts. */
  readonly relation?: number;
}
export interface WindowShape {
  readonly kind: 'window';
  readonly function: AggregateName | WindowOnlyName;
  readonly arguments: readonly TypedExpression[];
  readonly filter?: TypedExpression;
  readonly partitionBy: readonly TypedExpression[];
  readonly orderBy: readonly SortKey[];
  readonly frame?: {
    readonly unit: 'ROWS' | 'RANGE' | 'GROUPS';
    readonly start: BoundFrameBound;
    readonly end?: BoundFrameBound;
    readonly exclude?: 'CURRENT ROW' | 'GROUP' | 'TIES' | 'NO OTHERS';
  };
  readonly relation?: number;
}
export type WindowOnlyName =
  | 'ROW_NUMBER'
  | 'RANK'
  | 'DENSE_RANK'
  | 'PERCENT_RANK'
  | 'CUME_DIST'
  | 'NTILE'
  | 'LAG'
  | 'LEAD'
  | 'FIRST_VALUE'
  | 'LAST_VALUE'
  | 'NTH_VALUE';
export type BoundFrameBound =
  | { readonly at: 'UNBOUNDED PRECEDING' | 'CURRENT ROW' | 'UNBOUNDED FOLLOWING' }
  | { readonly at: 'PRECEDING' | 'FOLLOWING'; readonly offset: TypedExpression };
export interface ScalarQueryShape {
  readonly kind: 'scalar-query';
  readonly query: BoundQuery;
}
export interface ExistsShape {
  readonly kind: 'exists';
  readonly query: BoundQuery;
}
/** The masked form of an expression, for a caller without the right: `****` (NULL for non-text types), NULL where any of `of` is NULL. */
export interface MaskShape {
  readonly kind: 'mask';
  readonly of: readonly TypedExpression[];
  /** The masked expression is the only one of these. */
  readonly whole?: true;
}
