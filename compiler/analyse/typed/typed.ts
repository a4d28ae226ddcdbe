/** Constructors of typed expressions, and the recognition of faulty ones. */
import type { Column } from '../../../language/contract/query.ts';
import type { Type } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { LiteralValue } from '../literal/literal-value.ts';

/**
 * The type of an expression that could not be bound. It is recognised by identity: every expression built on it is faulty too, without a
 * report, because the cause is already reported. It never leaves the analysis, since a text with errors gives no result.
 */
export const faultyType: Type = { kind: 'NULL' };

export const faulty: TypedExpression = {
  kind: 'literal',
  value: null,
  type: faultyType,
  nullable: true,
  sensitive: false,
};

export function isFaulty(part: { readonly type: Type }): boolean {
  return part.type === faultyType;
}

export const nullType: Type = { kind: 'NULL' };
export const textType: Type = { kind: 'STRING' };
export const truthType: Type = { kind: 'BOOLEAN' };
export const wholeType: Type = { kind: 'INT' };
export const countType: Type = { kind: 'BIGINT' };

export function literal(value: LiteralValue, type: Type): TypedExpression {
  return { kind: 'literal', value, type, nullable: value === null, sensitive: false };
}

export function nullOf(type: Type): TypedExpression {
  return literal(null, type);
}

export function columnOf(relation: number, column: Column, optional = false): TypedExpression {
  return {
    kind: 'column',
    relation,
    column: column.name,
    type: column.type,
    nullable: column.nullable || optional,
    sensitive: column.sensitive,
  };
}

/** A string literal or NULL, which takes the type that its context asks for. */
export function isUntyped(expression: TypedExpression): boolean {
  return (
    expression.kind === 'literal' &&
    (expression.type.kind === 'NULL' ||
      (expression.type.kind === 'STRING' && expression.type.length === undefined && expression.type.enum === undefined))
  );
}

export function isNullLiteral(expression: TypedExpression): boolean {
  return expression.kind === 'literal' && expression.value === null;
}

/** The type of a result column; a bare NULL is a STRING. */
export function resultType(type: Type): Type {
  return type.kind === 'NULL' && type !== faultyType ? textType : type;
}
