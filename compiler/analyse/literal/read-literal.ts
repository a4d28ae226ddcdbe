/** Literals as written, and their values in a declared type. */
import type { Type } from '../../../language/values/type.ts';
import type { Expression, TypedLiteral } from '../../syntax/ast.ts';
import { numberAs, textAs, type LiteralValue } from './literal-value.ts';

export type WrittenLiteral =
  | { readonly form: 'text'; readonly text: string }
  | { readonly form: 'number'; readonly text: string }
  | { readonly form: 'boolean'; readonly value: boolean }
  | { readonly form: 'null' }
  | { readonly form: 'typed'; readonly type: TypedLiteral['type']; readonly text: string };

/** The literal of an expression, including a signed number; undefined for anything that computes. */
export function readLiteral(node: Expression): WrittenLiteral | undefined {
  switch (node.kind) {
    case 'StringLiteral':
      return { form: 'text', text: node.value };
    case 'NumberLiteral':
      return { form: 'number', text: node.text };
    case 'BooleanLiteral':
      return { form: 'boolean', value: node.value };
    case 'NullLiteral':
      return { form: 'null' };
    case 'TypedLiteral':
      return { form: 'typed', type: node.type, text: node.value };
    case 'Unary':
      return signed(node.operator, node.operand);
    default:
      return undefined;
  }
}

function signed(operator: string, operand: Expression): WrittenLiteral | undefined {
  if (operand.kind !== 'NumberLiteral' || operator === 'NOT') return undefined;
  return { form: 'number', text: operator === '-' ? `-${operand.text}` : operand.text };
}

/** The value of a literal as a `type`, without rounding or cutting; undefined when it does not fit. Not for NULL. */
export function literalAs(type: Type, literal: WrittenLiteral): LiteralValue | undefined {
  switch (literal.form) {
    case 'text':
      return textAs(type, literal.text);
    case 'number':
      return type.kind === 'JSON' ? jsonNumber(literal.text) : numberAs(type, literal.text);
    case 'boolean':
      if (type.kind === 'JSON') return String(literal.value);
      return type.kind === 'BOOLEAN' ? literal.value : undefined;
    case 'typed':
      if (literal.type !== type.kind && !(literal.type === 'DATE' && type.kind === 'TIMESTAMP')) return undefined;
      return textAs(type, literal.text);
    case 'null':
      return undefined;
  }
}

/** A number as JSON spells it: digits on both sides of a point, and no plus. */
function jsonNumber(text: string): string {
  const whole = text.replace(/^(-?)\./, '$10.').replace(/\.(?=$|[eE])/, '');
  return whole.replace(/^(-?)0+(?=\d)/, '$1');
}

/** The literal as written, for messages; long texts are cut. */
export function showLiteral(literal: WrittenLiteral): string {
  switch (literal.form) {
    case 'text':
      return quote(literal.text);
    case 'number':
      return literal.text;
    case 'boolean':
      return literal.value ? 'TRUE' : 'FALSE';
    case 'null':
      return 'NULL';
    case 'typed':
      return `${literal.type} ${quote(literal.text)}`;
  }
}

function quote(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return `'${shown.replaceAll("'", "''")}'`;
}
