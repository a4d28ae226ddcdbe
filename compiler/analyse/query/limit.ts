import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Expression } from '../../syntax/ast.ts';
import { findAll } from '../../syntax/walk.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { convert } from '../expression/convert.ts';
import { countType, isFaulty, isNullLiteral, literal as literalOf } from '../typed/typed.ts';
import { literalAs, readLiteral } from '../literal/read-literal.ts';
import type { Binding, Site } from './binding.ts';
import { emptyScope, type Scope } from './scope.ts';

/** LIMIT and OFFSET: a whole number of at least 0, or an expression of parameters; NULL means none, as in PostgreSQL. */
export function bindLimit(
  node: Expression | undefined,
  clause: 'LIMIT' | 'OFFSET',
  binding: Binding,
  scope: Scope,
): TypedExpression | undefined {
  if (node === undefined) return undefined;
  const refuse = (): void => {
    binding.report(diagnose('E0611', node.span, { clause }));
  };
  const literal = readLiteral(node);
  if (literal !== undefined && literal.form !== 'null') {
    const value = literalAs(countType, literal);
    if (value !== undefined && !String(value).startsWith('-')) return literalOf(value, countType);
    refuse();
    return undefined;
  }
  if (findAll(node, 'ColumnReference').length + findAll(node, 'Query').length > 0) {
    refuse();
    return undefined;
  }
  const site: Site = { where: clause, aggregates: 'refused', windows: false, queries: false, sensitive: 'refused' };
  const bound = bindExpression(node, { binding, scope: { ...emptyScope, tables: scope.tables }, site });
  if (isFaulty(bound) || isNullLiteral(bound)) return undefined;
  if (bound.type.kind === 'INT' || bound.type.kind === 'BIGINT') return convert(bound, countType, binding);
  refuse();
  return undefined;
}
